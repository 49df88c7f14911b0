package io.trimtab.engineapi.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.PartitionId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ClusterSnapshotTest {
  private static final int PARTITIONS = 50_000;

  private static PartitionState partition(String name, long bytes) {
    return new PartitionState(
        new PartitionId("t", name),
        Optional.empty(),
        PartitionCounters.ZERO,
        bytes,
        1,
        65_536,
        KeyRange.ALL);
  }

  private static ClusterSnapshot snapshot(List<PartitionState> partitions) {
    NodeUsage idle = new NodeUsage(0, 0, 0, 0);
    return new ClusterSnapshot(
        Instant.EPOCH,
        "id",
        "hbase",
        Ownership.ASSIGNED,
        "1",
        1,
        List.of(
            new NodeState(
                new NodeId("a:1"),
                1,
                true,
                false,
                Optional.empty(),
                false,
                idle,
                NodeGauges.UNKNOWN)),
        partitions,
        0,
        List.of(),
        BalancerState.PAUSED,
        List.of());
  }

  /** What is not named stays, whatever else a copy changes. */
  @Test
  void copiesKeepTheRest() {
    ClusterSnapshot all = snapshot(List.of()).withFixed(Map.of("t", "region replicas"));
    for (ClusterSnapshot copy :
        List.of(
            all.named("other"),
            all.settled(),
            all.at(Instant.EPOCH.plusSeconds(1), OptionalLong.of(7)),
            all.with(all.nodes(), all.partitions(), List.of("gap")),
            all.with(Copies.alike(2)))) {
      assertThat(copy.fixedTables()).isEqualTo(all.fixedTables());
      assertThat(copy.nodes()).isEqualTo(all.nodes());
      assertThat(copy.blockers()).isEqualTo(all.blockers());
    }
    assertThat(all.named("other").clusterId()).isEqualTo("other");
    assertThat(all.named("other").replication()).isEqualTo(all.replication());
    assertThat(all.with(Copies.alike(2)).replication()).isEqualTo(2);
  }

  @Test
  void aGapOfANodeThatLivesIsItsOwnAndTheOthersAreEverybodys() {
    ClusterSnapshot all = snapshot(List.of());
    NodeState node = all.nodes().get(0).with(NodeRead.failed("node a:1: no answer"));
    ClusterSnapshot unread =
        all.with(List.of(node), List.of(), List.of("node a:1: no answer", "the master is away"));
    assertThat(unread.unreadNodes()).containsExactly(node);
    assertThat(unread.clusterGaps()).containsExactly("the master is away");
    ClusterSnapshot read = all.with(all.nodes(), List.of(), List.of("node a:1: no answer"));
    assertThat(read.unreadNodes()).isEmpty();
    assertThat(read.clusterGaps()).containsExactly("node a:1: no answer");
  }

  @Test
  void whatIsLookedForIsFoundAndOfTwoWithOneIdTheFirst() {
    ClusterSnapshot snapshot =
        snapshot(List.of(partition("a", 1), partition("b", 2), partition("a", 3)));

    assertThat(snapshot.partition(new PartitionId("t", "a")).orElseThrow().sizeBytes())
        .isEqualTo(1);
    assertThat(snapshot.partition(new PartitionId("t", "c"))).isEmpty();
    assertThat(snapshot.node(new NodeId("a:1"))).isPresent();
    assertThat(snapshot.node(new NodeId("b:1"))).isEmpty();
  }

  @Test
  void snapshotsAreValuesWhateverListsTheyWereMadeOf() {
    List<PartitionState> changing = new ArrayList<>(List.of(partition("a", 1)));
    ClusterSnapshot snapshot = snapshot(changing);
    changing.clear();

    assertThat(snapshot).isEqualTo(snapshot(List.of(partition("a", 1))));
    assertThat(snapshot).hasSameHashCodeAs(snapshot(List.of(partition("a", 1))));
    assertThat(snapshot.partitions()).isEqualTo(List.of(partition("a", 1)));
    // From one to the next nothing is copied.
    assertThat(snapshot(snapshot.partitions())).isEqualTo(snapshot);
    assertThat(snapshot.toString()).contains("partitions=[PartitionState[");
  }

  /** With a scan for each look-up this is 1.25 billion comparisons. */
  @Test
  void everyPartitionOfALargeClusterIsFoundAtOnce() {
    List<PartitionState> many = new ArrayList<>();
    for (int i = 0; i < PARTITIONS; i++) {
      many.add(partition("p" + i, i));
    }
    ClusterSnapshot snapshot = snapshot(many);

    long sum = 0;
    for (PartitionState p : many) {
      sum += snapshot.partition(new PartitionId("t", p.id().name())).orElseThrow().sizeBytes();
    }
    assertThat(sum).isEqualTo(PARTITIONS * (PARTITIONS - 1L) / 2);
  }
}
