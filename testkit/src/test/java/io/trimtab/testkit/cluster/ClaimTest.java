package io.trimtab.testkit.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.engineapi.snapshot.RingRequests;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A ring of 64 equal parts with two copies of everything, as Riak has it. */
class ClaimTest {
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final int PARTS = 64;

  private static InMemoryCluster ring(int nodes) {
    return new InMemoryCluster(
        ClusterSpec.claimed(
            3, nodes, 2, PARTS, TableSpec.of("k.t", 1, 1_000_000_000, new Access(400, 0, 0, 100))));
  }

  private static Map<NodeId, Long> counts(InMemoryCluster cluster) {
    return cluster.tokens().values().stream()
        .collect(Collectors.groupingBy(node -> node, Collectors.counting()));
  }

  /** How many parts have the next one, with the other copy, on the same node. */
  private static int together(InMemoryCluster cluster) {
    List<NodeId> round = new ArrayList<>(cluster.tokens().values());
    int together = 0;
    for (int i = 0; i < round.size(); i++) {
      together += round.get(i).equals(round.get((i + 1) % round.size())) ? 1 : 0;
    }
    return together;
  }

  private static long bytes(ClusterSnapshot now) {
    return now.partitions().stream().mapToLong(PartitionState::sizeBytes).sum();
  }

  @Test
  void nodesBeginWithEqualPartsAndEachHasItsShareOfTheData() throws EngineException {
    InMemoryCluster cluster = ring(4);
    assertThat(cluster.tokens()).hasSize(PARTS);
    assertThat(counts(cluster).values()).containsOnly(16L);
    assertThat(together(cluster)).isZero();
    ClusterSnapshot now = cluster.engine().snapshot();
    assertThat(now.engine()).isEqualTo("riak");
    assertThat(now.partitions()).hasSize(4);
    for (PartitionState part : now.partitions()) {
      assertThat((double) part.sizeBytes()).isCloseTo(5e8, within(10.0));
    }
  }

  @Test
  void aNodeThatJoinsClaimsItsShareAndNothingIsLeftToCleanUp() throws EngineException {
    InMemoryCluster cluster = ring(4);
    SortedMap<Long, NodeId> before = new TreeMap<>(cluster.tokens());
    NodeId added = cluster.provider().add("r", Profile.HOMOGENEOUS, List.of(), LIMIT);
    assertThat(cluster.tokens()).as("until it has joined").isEqualTo(before);
    cluster.engine().awaitNode(added, 0, LIMIT);

    assertThat(cluster.tokens().keySet()).isEqualTo(before.keySet());
    assertThat(counts(cluster)).containsEntry(added, 12L);
    assertThat(counts(cluster).values()).containsOnly(12L, 13L);
    assertThat(together(cluster)).isZero();
    cluster.tokens().forEach((part, node) -> assertThat(node).isIn(added, before.get(part)));
    assertThat(bytes(cluster.engine().snapshot())).isBetween(1_999_999_000L, 2_000_000_000L);
  }

  @Test
  void aNodeThatLeavesHandsItsPartsToTheOthers() throws EngineException {
    InMemoryCluster cluster = ring(4);
    NodeId leaves = cluster.engine().snapshot().nodes().get(1).id();
    SortedMap<Long, NodeId> before = new TreeMap<>(cluster.tokens());
    cluster.engine().vacate(leaves, LIMIT);
    cluster.provider().remove(leaves, LIMIT);

    assertThat(cluster.tokens().keySet()).isEqualTo(before.keySet());
    assertThat(counts(cluster)).hasSize(3).doesNotContainKey(leaves);
    assertThat(counts(cluster).values()).containsOnly(21L, 22L);
    // Where the ring closes: 64 parts don't go round three nodes.
    assertThat(together(cluster)).isLessThanOrEqualTo(1);
    assertThat(bytes(cluster.engine().snapshot())).isBetween(1_999_999_000L, 2_000_000_000L);
  }

  /** More often than there are nodes at first, and with odd numbers. */
  @ParameterizedTest
  @ValueSource(ints = {3, 4, 5, 7})
  void howeverManyJoinPartsStayEvenAndTheirCopiesApart(int nodes) throws EngineException {
    InMemoryCluster cluster = ring(nodes);
    for (int i = 0; i < 6; i++) {
      NodeId added = cluster.provider().add("r" + i, Profile.HOMOGENEOUS, List.of(), LIMIT);
      cluster.engine().awaitNode(added, 0, LIMIT);
      assertThat(counts(cluster)).containsEntry(added, (long) PARTS / (nodes + i + 1));
      assertThat(counts(cluster).values().stream().mapToLong(n -> n).sum()).isEqualTo(PARTS);
      assertThat(together(cluster)).as("%d nodes", nodes + i + 1).isLessThanOrEqualTo(1);
    }
  }

  @Test
  void aDeadNodeIsReplacedPartForPart() throws EngineException {
    InMemoryCluster cluster = ring(3);
    NodeId dead = cluster.engine().snapshot().nodes().get(0).id();
    cluster.kill(dead);
    SortedMap<Long, NodeId> before = new TreeMap<>(cluster.tokens());
    NodeId in = cluster.provider().replace("r", dead, Profile.READ, LIMIT);
    cluster.engine().awaitNode(in, 0, LIMIT);
    cluster.provider().remove(dead, LIMIT);
    before.replaceAll((part, node) -> node.equals(dead) ? in : node);
    assertThat(cluster.tokens()).isEqualTo(before);
    assertThat(cluster.engine().snapshot().nodes()).hasSize(3).allMatch(NodeState::alive);
  }

  @Test
  void nobodyChoosesParts() throws EngineException {
    InMemoryCluster cluster = ring(3);
    RingRequests seen = cluster.engine().ringRequests(8, Duration.ofSeconds(1));
    assertThat(seen.gap()).contains("nobody chooses them");
    assertThat(seen.owners()).isEmpty();
    assertThatThrownBy(() -> cluster.provider().add("r", Profile.READ, List.of(7L), LIMIT))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("a node claims parts of this ring");
  }

  @Test
  void partsAreAPowerOfTwoAndEnoughForTheNodes() {
    TableSpec table = TableSpec.of("k.t", 1, 1, new Access(1, 0, 0, 0));
    for (int parts : List.of(60, 2)) {
      assertThatThrownBy(() -> ClusterSpec.claimed(1, 3, 2, parts, table))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("power of two");
    }
  }
}
