package io.trimtab.testkit.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.engineapi.snapshot.RingRequests;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import java.time.Duration;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class InMemoryRingTest {
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final Duration PERIOD = Duration.ofSeconds(30);

  private static InMemoryCluster ring(int nodes, int copies) {
    return new InMemoryCluster(
        ClusterSpec.ring(
            3, nodes, copies, TableSpec.of("k.t", 1, 1_000_000_000, new Access(400, 0, 0, 100))));
  }

  @Test
  void aRingsCopiesServeAllReadsOnceAndAllWritesAsOftenAsThereAreCopies() throws EngineException {
    InMemoryCluster cluster = ring(4, 3);
    cluster.clock().advance(Duration.ofSeconds(100));
    List<PartitionState> parts = cluster.engine().snapshot().partitions();
    assertThat(parts).hasSize(4);
    assertThat(parts.stream().mapToLong(p -> p.counters().orElseThrow().pointReads()).sum())
        .isBetween(39_900L, 40_000L);
    assertThat(parts.stream().mapToLong(p -> p.counters().orElseThrow().writes()).sum())
        .isBetween(29_900L, 30_000L);
    assertThat(parts.stream().mapToDouble(PartitionState::sizeBytes).sum())
        .isCloseTo(3e9, within(10.0));
  }

  @Test
  void aJoiningNodeTakesItsTokensAndOthersKeepTheirDataUntilACleanup() throws EngineException {
    InMemoryCluster cluster = ring(3, 2);
    RingRequests seen = cluster.engine().ringRequests(8, Duration.ofSeconds(10));
    assertThat(seen.gap()).isEmpty();
    assertThat(seen.owners()).hasSize(12).isEqualTo(cluster.tokens());
    assertThat(seen.total()).isCloseTo(6_000, within(2_100L));
    assertThat(cluster.engine().ringRequests(3, PERIOD).gap()).contains("more than 3");

    long token = seen.owners().firstKey() + 1_000;
    NodeId added = cluster.provider().add("r", Profile.HOMOGENEOUS, List.of(token), LIMIT);
    assertThat(cluster.engine().snapshot().node(added)).isEmpty();
    cluster.engine().awaitNode(added, 0, LIMIT);
    assertThat(cluster.tokens()).containsEntry(token, added).hasSize(13);
    assertThat(bytes(cluster)).isGreaterThan(2_010_000_000L);
    for (NodeState n : cluster.engine().snapshot().nodes()) {
      cluster.engine().cleanup(n.id(), LIMIT);
    }
    assertThat(bytes(cluster)).isBetween(1_999_999_000L, 2_000_000_000L);
  }

  private static long bytes(InMemoryCluster cluster) throws EngineException {
    return cluster.engine().snapshot().partitions().stream()
        .mapToLong(PartitionState::sizeBytes)
        .sum();
  }

  @Test
  void aDeadNodeIsReplacedTokenForToken() throws EngineException {
    InMemoryCluster cluster = ring(3, 2);
    NodeId dead = cluster.engine().snapshot().nodes().get(0).id();
    assertThatThrownBy(() -> cluster.provider().replace("r", dead, Profile.READ, LIMIT))
        .hasMessageContaining("is not dead");
    cluster.kill(dead);
    SortedMap<Long, NodeId> before = new TreeMap<>(cluster.tokens());
    NodeId in = cluster.provider().replace("r", dead, Profile.READ, LIMIT);
    assertThat(cluster.provider().replace("r", dead, Profile.READ, LIMIT)).isEqualTo(in);
    cluster.engine().awaitNode(in, 0, LIMIT);
    cluster.provider().remove(dead, LIMIT);
    before.replaceAll((token, node) -> node.equals(dead) ? in : node);
    assertThat(cluster.tokens()).isEqualTo(before);
    assertThat(cluster.engine().snapshot().nodes()).hasSize(3).allMatch(NodeState::alive);
  }

  @Test
  void aRingNeverGetsSmallerThanItsCopies() {
    InMemoryCluster cluster = ring(2, 2);
    NodeId node = cluster.tokens().values().iterator().next();
    assertThatThrownBy(() -> cluster.engine().vacate(node, LIMIT))
        .hasMessageContaining("could not hold 2 copies");
  }
}
