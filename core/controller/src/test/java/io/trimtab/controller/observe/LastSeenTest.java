package io.trimtab.controller.observe;

import static io.trimtab.controller.health.UnreadCluster.id;
import static io.trimtab.controller.health.UnreadCluster.partition;
import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.RandomCluster;
import io.trimtab.controller.health.UnreadCluster;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.engineapi.snapshot.WaitSource;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LastSeenTest {
  private static final Instant NOW = RandomCluster.NOW;

  private static ClusterSnapshot at(int seconds, ClusterSnapshot snapshot) {
    return snapshot.at(NOW.plusSeconds(seconds), snapshot.readAtNs());
  }

  private static ClusterSnapshot ring(int seconds, Integer... unread) {
    return at(seconds, UnreadCluster.of(Ownership.TOKENS, 5, 0.5, unread));
  }

  @Test
  void aNodeThatDoesNotAnswerIsAsItWasLastSeen() {
    LastSeen known = LastSeen.NOTHING.append(ring(0)).append(ring(30, 0));
    ClusterSnapshot filled = known.fill(ring(60, 0));

    NodeState node = filled.node(id(0)).orElseThrow();
    assertThat(node.usage().server()).isEqualTo(0.5);
    assertThat(node.profile()).isPresent();
    assertThat(node.read().unreadS()).hasValue(60);
    assertThat(node.readable()).isFalse();
    assertThat(filled.partition(partition(0)).map(PartitionState::counters))
        .as("its share of a table is there, and its counters are not zero")
        .contains(Optional.empty());
    assertThat(filled.gaps()).isEqualTo(ring(60, 0).gaps());
  }

  @Test
  void aNodeThatWasNeverSeenStaysUnknownAndADeadOneIsForgotten() {
    LastSeen known = LastSeen.NOTHING.append(ring(0, 0));
    assertThat(known.fill(ring(30, 0)).node(id(0)).orElseThrow().usage().known()).isFalse();
    ClusterSnapshot dead = ring(30);
    List<NodeState> nodes = new ArrayList<>(dead.nodes());
    NodeState alive = nodes.get(1);
    nodes.set(
        1,
        new NodeState(
            alive.id(),
            1,
            false,
            false,
            Optional.empty(),
            true,
            NodeUsage.UNKNOWN,
            alive.gauges()));
    LastSeen then = known.append(dead.with(nodes, dead.partitions(), dead.gaps()));
    assertThat(then.fill(ring(60, 1)).node(id(1)).orElseThrow().usage().known())
        .as("one that came back is another")
        .isFalse();
  }

  @Test
  void whatAMetricSourceTellsOfItIsNewer() {
    LastSeen known = LastSeen.NOTHING.append(ring(0));
    ClusterSnapshot unread = ring(30, 0);
    List<NodeState> nodes = new ArrayList<>(unread.nodes());
    NodeUsage told = new NodeUsage(0.9, 0, 0, 0, WaitSource.MACHINE);
    nodes.set(0, nodes.get(0).with(told, nodes.get(0).gauges()));
    ClusterSnapshot filled = known.fill(unread.with(nodes, unread.partitions(), unread.gaps()));
    assertThat(filled.node(id(0)).orElseThrow().usage()).isEqualTo(told);
  }

  @Test
  void anObservationWithAnUnreadNodeIsUsableAndOneWithoutIoWaitSaysWhatIsMissing() {
    ObserveSettings two = ObserveSettings.builder().samples(2).build();
    History history = History.EMPTY.append(ring(0), two).append(ring(30), two);
    assertThat(Observation.of(history.append(ring(60, 0), two), NOW.plusSeconds(60), two))
        .isInstanceOf(Observation.Usable.class);
    ClusterSnapshot whole = ring(60);
    List<NodeState> nodes = new ArrayList<>(whole.nodes());
    NodeUsage jvm = new NodeUsage(0.3, 0, Double.NaN, 1, WaitSource.NONE);
    NodeState remote = nodes.get(2).with(jvm, nodes.get(2).gauges());
    nodes.set(2, remote);
    assertThat(unusable(history.append(whole.with(nodes, whole.partitions(), List.of()), two)))
        .isEqualTo(
            new Observation.Unusable(
                "the I/O wait of node n2:1 is not known: its JVM does not tell it",
                "metrics.sources"));
    nodes.set(2, remote.with(remote.read().lacking(List.of("prom at x: refused"))));
    assertThat(unusable(history.append(whole.with(nodes, whole.partitions(), List.of()), two)))
        .isEqualTo(
            new Observation.Unusable(
                "the I/O wait of node n2:1 is not known: prom at x: refused", "metrics.sources"));
  }

  private static Observation unusable(History history) {
    return Observation.of(
        history, NOW.plusSeconds(60), ObserveSettings.builder().samples(2).build());
  }

  @Test
  void aNewHistoryStillKnowsTheNodes() {
    ObserveSettings two = ObserveSettings.builder().samples(2).build();
    History after = History.EMPTY.append(ring(0), two).again();
    assertThat(after.samples()).isZero();
    assertThat(after.append(ring(30, 0), two).usage().get(id(0))).isEqualTo(0.5);
  }
}
