package io.trimtab.controller.choice;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.choice.Generator.Candidate;
import io.trimtab.controller.choice.clients.Throughput;
import io.trimtab.controller.choice.layout.ClusterLoad;
import io.trimtab.controller.choice.layout.Layout;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.UsageSettings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Steps that are judged by what clients get that wait for answers. */
class ClientSharesTest {
  private final ByHand cluster = new ByHand();
  private final NodeId full = cluster.node("full", Profile.HOMOGENEOUS, 1.0);
  private final NodeId free = cluster.node("free", Profile.HOMOGENEOUS, 0.05);

  /** A table with few requests waits on the full node, behind one with many. */
  private List<Candidate> proposed(int maxNodes, int maxMoves) {
    cluster.reads(full, "many", 900);
    for (int i = 0; i < 3; i++) {
      cluster.reads(full, "few", 30);
    }
    cluster.reads(free, "apart", 30);
    cluster.takes(full, 20);
    cluster.takes(free, 1);
    Settings settings =
        Settings.defaults()
            .with(Policies.AUTOPILOT)
            .with(GuardSettings.builder().maxNodes(maxNodes).maxMoves(maxMoves).build())
            .with(UsageSettings.builder().target(0.5).build());
    ClusterLoad load = ByHand.load(cluster.seen(), settings);
    Layout now = Layout.now(load);
    return new ClientShares().propose(now, new Evaluator(load, now, 0.8));
  }

  @Test
  void whatWaitsBehindOthersIsMovedApart() {
    List<Candidate> found = proposed(2, 10);

    assertThat(found).extracting(Candidate::title).contains("move by what clients get");
    Layout then = found.get(0).layout();
    ClusterLoad load = then.load();
    double[] served = Throughput.of(load, Layout.now(load)).orElseThrow().served(then);
    assertThat(served[table(load, "few")]).isGreaterThan(1.4);
    assertThat(served[table(load, "many")]).isGreaterThan(1);
    assertThat(served[table(load, "apart")]).isGreaterThan(0.9);
  }

  private static int table(ClusterLoad load, String name) {
    return IntStream.range(0, load.tables().tables())
        .filter(t -> load.tables().name(t).equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void noMoreIsMovedThanAPlanMay() {
    assertThat(proposed(2, 1)).allSatisfy(c -> assertThat(c.layout().moved().count()).isEqualTo(1));
  }

  @Test
  void whereNodesCanBeAddedItHasNothingToSay() {
    assertThat(proposed(3, 10)).isEmpty();
  }
}
