package io.trimtab.controller.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.controller.choice.clients.Throughput;
import io.trimtab.controller.choice.layout.ClusterLoad;
import io.trimtab.controller.choice.layout.Layout;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.UsageSettings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What clients get that wait for answers, on a full cluster. */
class ThroughputTest {
  private final ByHand cluster = new ByHand();
  private final NodeId full = cluster.node("full", Profile.HOMOGENEOUS, 1.0);
  private final NodeId free = cluster.node("free", Profile.HOMOGENEOUS, 0.2);
  private final PartitionId many = cluster.reads(full, "many", 900);
  private final PartitionId few = cluster.reads(full, "few", 100);
  private final PartitionId apart = cluster.reads(free, "apart", 200);

  private static Settings settings(int maxNodes) {
    return Settings.defaults()
        .with(Policies.AUTOPILOT)
        .with(GuardSettings.builder().maxNodes(maxNodes).build())
        .with(UsageSettings.builder().target(0.5).build());
  }

  private ClusterLoad load(int maxNodes) {
    return ByHand.load(cluster.seen(), settings(maxNodes));
  }

  private Optional<Throughput> of(int maxNodes) {
    ClusterLoad load = load(maxNodes);
    return Throughput.of(load, Layout.now(load));
  }

  private void told() {
    cluster.takes(full, 20);
    cluster.takes(free, 1.2);
  }

  private static int table(ClusterLoad load, PartitionId of) {
    return load.partitions().table(ByHand.index(load, of));
  }

  @Test
  void asThingsAreAllAreServedAsNow() {
    told();
    ClusterLoad load = load(2);
    Throughput clients = Throughput.of(load, Layout.now(load)).orElseThrow();

    for (double served : clients.served(Layout.now(load))) {
      assertThat(served).isCloseTo(1, within(1e-9));
    }
    assertThat(clients.regret(clients.served(Layout.now(load)))).isZero();
  }

  @Test
  void whoWaitsBehindOthersGetsMoreApartFromThem() {
    told();
    ClusterLoad load = load(2);
    Layout now = Layout.now(load);
    Throughput clients = Throughput.of(load, now).orElseThrow();
    Layout then = now.copy();
    then.move(ByHand.index(load, few), ByHand.index(now, free));

    double[] served = clients.served(then);

    // As many clients may be elsewhere as wait: no more than twice as much is counted on.
    assertThat(served[table(load, few)]).isBetween(1.7, 2.0);
    assertThat(served[table(load, many)]).isBetween(1.0, 1.2);
    assertThat(served[table(load, apart)]).isBetween(0.8, 1.0);
    assertThat(clients.missed(then)).isLessThan(clients.missed(now));
  }

  /** The others' loss weighs more than its gain. */
  @Test
  void whoeverFillsANodeTakesItFromThoseThatAreThere() {
    told();
    ClusterLoad load = load(2);
    Layout now = Layout.now(load);
    Throughput clients = Throughput.of(load, now).orElseThrow();
    Layout then = now.copy();
    then.move(ByHand.index(load, apart), ByHand.index(now, full));

    double[] served = clients.served(then);

    assertThat(served[table(load, apart)]).isLessThan(0.7);
    assertThat(clients.regret(served)).isPositive();
    assertThat(clients.missed(then)).isGreaterThan(clients.missed(now));
  }

  @Test
  void whereNothingIsFullUsageTellsMore() {
    ByHand idle = new ByHand();
    NodeId node = idle.node("n", Profile.HOMOGENEOUS, 0.5);
    idle.reads(node, "t", 100);
    idle.takes(node, 2);
    ClusterLoad load = ByHand.load(idle.seen(), settings(1));

    assertThat(Throughput.of(load, Layout.now(load))).isEmpty();
  }

  /** Clients would fill any number of nodes. */
  @Test
  void whereNodesCanBeAddedItIsNotAsked() {
    told();

    assertThat(of(3)).isEmpty();
    assertThat(of(2)).isPresent();
  }

  /** To use the room of the others is worth more than any guess at who waits. */
  @Test
  void whereOthersHaveRoomUsageTellsMore() {
    told();
    ClusterLoad load = ByHand.load(cluster.seen(), settings(2).with(usual()));

    assertThat(Throughput.of(load, Layout.now(load))).isEmpty();
  }

  private static UsageSettings usual() {
    return UsageSettings.builder().build();
  }

  @Test
  void whereANodeDoesNotTellItIsNotKnown() {
    cluster.takes(full, 20);

    assertThat(of(2)).isEmpty();
  }

  /** A decision would take too long. */
  @Test
  void onLargeClustersItIsNotAsked() {
    told();
    assertThat(of(2)).isPresent();
    for (int table = 3; table < 150; table++) {
      cluster.reads(free, "t" + table, 1e-3);
    }
    assertThat(of(2)).isPresent();

    cluster.reads(free, "one more", 1e-3);

    assertThat(of(2)).isEmpty();
  }

  @Test
  void amongManyPartitionsItIsNotAsked() {
    told();
    for (int i = 3; i < 2_000; i++) {
      cluster.reads(free, "apart", 1e-3);
    }
    assertThat(of(2)).isPresent();

    cluster.reads(free, "apart", 1e-3);

    assertThat(of(2)).isEmpty();
  }
}
