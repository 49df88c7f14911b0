package io.trimtab.controller.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ColdNodesTest {
  private static final NodeId A = new NodeId("a:1");
  private static final NodeId B = new NodeId("b:1");
  private static final Instant WALL = Instant.parse("2026-01-01T00:00:00Z");
  private static final long MAX = 1_000;

  private final Map<NodeId, Long> incarnations = new TreeMap<>(Map.of(A, 1L, B, 1L));
  private final Map<String, NodeId> placed = new TreeMap<>(Map.of("p", A, "q", B));
  private final Map<NodeId, NodeGauges> gauges = new TreeMap<>(Map.of(A, warm(0), B, warm(0)));

  /** Wall clocks jump. */
  private long wallAheadSeconds;

  private ColdNodes cold = ColdNodes.NOTHING;

  private static NodeGauges told(long used, long hits, long misses) {
    return new NodeGauges(-1, -1, -1, hits, misses, used, MAX, -1, -1, -1, -1, -1, Map.of());
  }

  /** One block of a hundred is missed. */
  private static NodeGauges warm(long seconds) {
    return told(MAX, 99 * seconds, seconds);
  }

  private void look(long seconds) {
    List<NodeState> nodes = new ArrayList<>();
    incarnations.forEach(
        (id, incarnation) ->
            nodes.add(
                new NodeState(
                    id,
                    incarnation,
                    true,
                    false,
                    Optional.empty(),
                    false,
                    NodeUsage.UNKNOWN,
                    gauges.get(id))));
    List<PartitionState> partitions = new ArrayList<>();
    placed.forEach(
        (name, node) ->
            partitions.add(
                new PartitionState(
                    new PartitionId("t", name),
                    Optional.of(node),
                    PartitionCounters.ZERO,
                    1,
                    1,
                    65_536,
                    KeyRange.ALL)));
    cold =
        cold.append(
            new ClusterSnapshot(
                    WALL,
                    "c",
                    "hbase",
                    Ownership.ASSIGNED,
                    "1",
                    1,
                    nodes,
                    partitions,
                    0,
                    List.of(),
                    BalancerState.PAUSED,
                    List.of())
                .at(
                    WALL.plusSeconds(seconds + wallAheadSeconds),
                    OptionalLong.of(seconds * 1_000_000_000)));
  }

  private void warmLook(long seconds) {
    gauges.replaceAll((id, before) -> warm(seconds));
    look(seconds);
  }

  @Test
  void whatWasThereAtTheFirstLookIsWarm() {
    look(0);

    assertThat(cold.now()).isEmpty();
    warmLook(30);
    assertThat(cold.now()).isEmpty();
    assertThat(cold.unexplained()).isEmpty();
  }

  @Test
  void aNodeIsColdFromWhenAPartitionIsOpenedUntilItsCacheHasFilled() {
    look(0);
    placed.put("p", B);
    look(30);
    assertThat(cold.now()).containsExactly(B);
    // Half of its blocks are missed at first, and its cache fills.
    gauges.put(B, told(600, 100, 100));
    look(60);
    gauges.put(B, told(800, 250, 150));
    look(90);
    assertThat(cold.now()).containsExactly(B);
    gauges.put(B, told(990, 412, 188));
    look(120);
    assertThat(cold.now()).as("it misses less and less").containsExactly(B);
    gauges.put(B, told(1_000, 610, 190));
    look(150);
    assertThat(cold.now()).as("it did within the last minute").containsExactly(B);
    gauges.put(B, told(1_000, 808, 192));
    look(180);

    assertThat(cold.now()).isEmpty();
    assertThat(cold.haveFilled(Set.of(B))).isTrue();
  }

  /** Blocks of other partitions fill it, and are evicted one by one. */
  @Test
  void aFullCacheIsColdWhileItsMissesFall() {
    look(0);
    placed.put("p", B);
    gauges.put(B, told(MAX, 0, 0));
    look(30);
    gauges.put(B, told(MAX, 100, 100));
    look(60);
    gauges.put(B, told(MAX, 250, 150));
    look(90);

    assertThat(cold.now()).containsExactly(B);
  }

  @Test
  void aNodeThatTellsNothingOfItsCacheIsColdForALimitedTime() {
    gauges.put(B, NodeGauges.UNKNOWN);
    look(0);
    placed.put("p", B);
    for (long seconds = 30; seconds < 330; seconds += 30) {
      look(seconds);
      assertThat(cold.now()).as("after %d s", seconds).containsExactly(B);
    }
    look(330);

    assertThat(cold.now()).isEmpty();
    assertThat(cold.haveFilled(Set.of(B))).isFalse();
  }

  /** A controller's machine may set its clock back by an hour. */
  @Test
  void thatTimeIsByNoWallClock() {
    gauges.put(B, NodeGauges.UNKNOWN);
    look(0);
    placed.put("p", B);
    look(30);
    wallAheadSeconds = -3_600;
    look(330);

    assertThat(cold.now()).isEmpty();
  }

  /** What its opening takes is not counted; what its blocks take is. */
  @Test
  void aMoveIsNotExplainedWhileItsPartitionIsOpened() {
    look(0);
    placed.put("p", B);
    warmLook(30);
    assertThat(cold.unexplained()).containsExactly(B);
    warmLook(60);
    assertThat(cold.unexplained()).containsExactly(B);
    warmLook(90);

    assertThat(cold.unexplained()).isEmpty();
  }

  @Test
  void aNewProcessAndNewPartitionsAreNotExplainedForMinutes() {
    look(0);
    incarnations.put(A, 2L);
    placed.put("q-left", B);
    for (long seconds = 30; seconds <= 330; seconds += 30) {
      warmLook(seconds);
      assertThat(cold.unexplained()).as("after %d s", seconds).containsExactlyInAnyOrder(A, B);
    }
    warmLook(360);

    assertThat(cold.unexplained()).isEmpty();
  }

  @Test
  void aNodeThatHasComeIsCold() {
    look(0);
    NodeId come = new NodeId("c:1");
    incarnations.put(come, 1L);
    gauges.put(come, told(0, 0, 0));
    look(30);

    assertThat(cold.now()).containsExactly(come);
    assertThat(cold.unexplained()).containsExactly(come);
  }

  /** What was seen before a plan says nothing of caches after it. */
  @Test
  void afterAPlanCachesAreJudgedAnew() {
    for (long seconds = 0; seconds <= 120; seconds += 30) {
      warmLook(seconds);
    }
    assertThat(cold.haveFilled(Set.of(A, B))).isTrue();

    cold = cold.again();
    placed.put("p", B);
    warmLook(150);
    warmLook(180);
    assertThat(cold.haveFilled(Set.of(A, B))).isFalse();
    assertThat(cold.now()).containsExactly(B);
    warmLook(210);

    assertThat(cold.haveFilled(Set.of(A, B))).isTrue();
    assertThat(cold.now()).isEmpty();
  }

  /** Which ones it has changed is not known. */
  @Test
  void afterAnotherControllersPlanAllNodesAreCold() {
    gauges.replaceAll((id, before) -> NodeGauges.UNKNOWN);
    cold = ColdNodes.after(Optional.of(WALL.minusSeconds(240)));
    look(0);
    assertThat(cold.now()).containsExactlyInAnyOrder(A, B);
    look(30);
    assertThat(cold.unexplained()).containsExactlyInAnyOrder(A, B);
    look(60);
    assertThat(cold.now()).isEmpty();

    cold = ColdNodes.after(Optional.of(WALL.minusSeconds(3_600)));
    look(0);
    assertThat(cold.now()).isEmpty();
  }

  /** Looks that are a second apart say little of a cache that takes a minute. */
  @Test
  void cachesAreJudgedOverMostOfAMinute() {
    look(0);
    placed.put("p", B);
    for (long seconds = 1; seconds <= 50; seconds++) {
      warmLook(seconds);
      assertThat(cold.now()).as("after %d s", seconds).containsExactly(B);
    }
    warmLook(51);

    assertThat(cold.now()).isEmpty();
  }
}
