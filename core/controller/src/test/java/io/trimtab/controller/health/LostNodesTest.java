package io.trimtab.controller.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.observe.History;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeRead;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LostNodesTest {
  private static final NodeId A = new NodeId("a:1");
  private static final NodeId B = new NodeId("b:1");
  private static final NodeId C = new NodeId("c:1");
  private static final Instant WALL = Instant.parse("2026-01-01T00:00:00Z");
  private static final Settings SETTINGS =
      Settings.defaults().with(ObserveSettings.builder().samples(3).build());

  private final Map<NodeId, NodeState> nodes = new TreeMap<>();
  private final Map<String, NodeId> placed = new TreeMap<>(Map.of("p", A, "q", B));

  /** Requests a second to each partition, one in a table of its own. */
  private final Map<String, Long> rates = new TreeMap<>(Map.of("p", 100L, "q", 300L));

  private final Map<String, Long> counted = new HashMap<>();
  private final List<String> gaps = new ArrayList<>();
  private Ownership ownership = Ownership.ASSIGNED;
  private long seconds;
  private LostNodes lost = LostNodes.NONE;
  private History history = History.EMPTY;

  LostNodesTest() {
    List.of(A, B, C).forEach(id -> nodes.put(id, node(id, 1, true)));
  }

  private static NodeState node(NodeId id, long incarnation, boolean alive) {
    return new NodeState(
        id,
        incarnation,
        alive,
        false,
        Optional.empty(),
        false,
        NodeUsage.UNKNOWN,
        NodeGauges.UNKNOWN);
  }

  private void die(NodeId id) {
    nodes.put(id, node(id, 1, false));
  }

  private void unplaced(String partition) {
    placed.put(partition, null);
  }

  /** Looks after some time, as a controller does. */
  private void look(long later) {
    seconds += later;
    List<PartitionState> partitions = new ArrayList<>();
    placed.forEach(
        (name, node) -> {
          if (node != null) {
            counted.merge(name, rates.get(name) * later, Long::sum);
          }
          partitions.add(
              new PartitionState(
                  new PartitionId(name, name),
                  Optional.ofNullable(node),
                  Optional.of(new PartitionCounters(counted.getOrDefault(name, 0L), 0, 0, 0))
                      .filter(
                          c ->
                              node != null
                                  && nodes.containsKey(node)
                                  && nodes.get(node).readable()),
                  1,
                  1,
                  65_536,
                  KeyRange.ALL));
        });
    ClusterSnapshot seen =
        new ClusterSnapshot(
                WALL,
                "c",
                ownership == Ownership.ASSIGNED ? "hbase" : "cassandra",
                ownership,
                "1",
                1,
                List.copyOf(nodes.values()),
                partitions,
                0,
                List.of(),
                BalancerState.PAUSED,
                gaps)
            .at(WALL, OptionalLong.of(seconds * 1_000_000_000));
    lost = lost.append(history, seen);
    history = (lost.beginsAnew() ? history.again() : history).append(seen, SETTINGS.observe());
  }

  private void looks(int times) {
    for (int i = 0; i < times; i++) {
      look(30);
    }
  }

  private Optional<String> reason() {
    return lost.waits(SETTINGS.pace()).map(LostNodes.Wait::reason);
  }

  @Test
  void nothingIsWaitedForWhereAllGoOn() {
    looks(5);

    assertThat(lost).isEqualTo(LostNodes.NONE);
    assertThat(history.samples()).isEqualTo(5);
  }

  @Test
  void partitionsThatNobodyServesAreWaitedForAndSamplesBeginThen() {
    looks(5);
    die(A);
    unplaced("p");
    look(30);

    assertThat(reason()).contains("a:1 was lost, and 1 partition is not served by any node yet");
    looks(3);
    assertThat(reason()).isPresent();
    assertThat(history.samples()).isOne();

    placed.put("p", B);
    look(30);
    assertThat(reason()).isEmpty();
    assertThat(history.samples()).isOne();
    looks(2);
    assertThat(history.samples()).isEqualTo(3);
    assertThat(reason()).isEmpty();
  }

  @Test
  void clientsThatStillWaitAreWaitedForTwoMinutes() {
    looks(5);
    die(A);
    placed.put("p", C);
    rates.put("p", 1L);
    rates.put("q", 60L);
    look(5);

    assertThat(history.samples()).isOne();
    look(5);
    look(5);
    assertThat(history.samples()).isEqualTo(3);
    assertThat(reason())
        .contains("a:1 was lost, and users' requests to table p are at 0.01 of the level before");
    assertThat(lost.waits(SETTINGS.pace()).map(LostNodes.Wait::setting)).contains("pace.endBelow");

    look(110);
    assertThat(reason()).isPresent();
    look(11);
    assertThat(reason()).isEmpty();
    assertThat(lost.loss()).isEmpty();
  }

  @Test
  void aLevelThatIsBackIsNotWaitedFor() {
    looks(5);
    die(A);
    placed.put("p", C);
    look(5);
    look(5);
    look(5);

    assertThat(lost.loss()).isPresent();
    assertThat(reason()).isEmpty();
  }

  @Test
  void aNodeThatBeganAnewWasLostToo() {
    looks(2);
    nodes.put(A, node(A, 2, true));
    look(30);

    assertThat(lost.loss().orElseThrow().lost()).containsExactly(A);
  }

  @Test
  void whatServedNothingOrIsMissingInAPartWasNotLost() {
    looks(2);
    die(C);
    look(30);
    nodes.remove(A);
    gaps.add("no master");
    look(30);

    assertThat(lost).isEqualTo(LostNodes.NONE);
  }

  private void silence(NodeId id) {
    nodes.put(id, node(id, 0, true).with(NodeRead.failed("no answer")));
    gaps.add("no answer");
  }

  @Test
  void clientsThatWaitForASilentNodeAreWaitedForTwoMinutes() {
    looks(5);
    silence(A);
    rates.putAll(Map.of("p", 0L, "q", 30L));
    look(30);

    assertThat(history.samples()).isEqualTo(6);
    assertThat(reason())
        .contains(
            "a:1 can't be read, and users' requests to table q are at 0.10 of the level before");
    looks(4);
    assertThat(reason()).isPresent();
    look(1);
    assertThat(reason()).isEmpty();
  }

  @Test
  void aSilentNodeThatUsersDoNotMissIsNotWaitedFor() {
    looks(5);
    silence(C);
    looks(2);

    assertThat(lost.loss()).isPresent();
    assertThat(reason()).isEmpty();
    nodes.put(C, node(C, 1, true));
    gaps.clear();
    look(30);
    assertThat(lost.loss()).isEmpty();
  }

  @Test
  void oneThatFellSilentBeforeAnyRatesWereKnownIsWaitedForTwoMinutes() {
    looks(1);
    silence(A);
    looks(5);

    assertThat(reason())
        .contains("a:1 can't be read, and what users asked for before is not known");
    look(1);
    assertThat(reason()).isEmpty();
  }

  @Test
  void aSilentNodeThatTurnsOutToBeDeadIsJudgedByTheLevelBeforeItFellSilent() {
    looks(5);
    silence(A);
    rates.putAll(Map.of("p", 1L, "q", 30L));
    looks(3);
    die(A);
    gaps.clear();
    unplaced("p");
    look(30);

    assertThat(reason()).contains("a:1 was lost, and 1 partition is not served by any node yet");
    placed.put("p", B);
    looks(2);
    assertThat(reason())
        .contains("a:1 was lost, and users' requests to table p are at 0.01 of the level before");
  }

  @Test
  void oneThatWasTakenAwayWithItsPartitionsWasLost() {
    looks(2);
    nodes.remove(A);
    look(30);

    assertThat(lost.loss().orElseThrow().text()).isEqualTo("a:1 was lost");
  }

  @Test
  void anotherLossOfTheSameNodeIsNotWaitedForWithinTheHour() {
    looks(3);
    nodes.put(A, node(A, 2, true));
    looks(10);
    assertThat(lost.loss()).isEmpty();

    nodes.put(A, node(A, 3, true));
    looks(2);
    assertThat(lost.loss()).isEmpty();

    looks(120);
    nodes.put(A, node(A, 4, true));
    looks(1);
    assertThat(lost.loss()).isPresent();
  }

  @Test
  void twoThatAreLostOneAfterTheOtherAreWaitedForTogether() {
    looks(3);
    die(A);
    unplaced("p");
    look(30);
    die(B);
    unplaced("q");
    look(30);

    assertThat(reason())
        .contains("a:1, b:1 were lost, and 2 partitions are not served by any node yet");
    placed.putAll(Map.of("p", C, "q", C));
    rates.putAll(Map.of("p", 1L, "q", 1L));
    look(5);
    look(5);
    look(5);
    assertThat(reason()).hasValueSatisfying(why -> assertThat(why).contains("table q are at 0.00"));
  }

  @Test
  void aRingBeginsAnewToo() {
    ownership = Ownership.TOKENS;
    placed.clear();
    looks(4);
    die(C);
    look(30);

    assertThat(lost.loss().orElseThrow().lost()).containsExactly(C);
    assertThat(history.samples()).isOne();
    assertThat(reason()).isEmpty();
  }

  @Test
  void whatWasTakenOutOfARingWasNotLost() {
    ownership = Ownership.TOKENS;
    placed.clear();
    looks(4);
    nodes.remove(C);
    look(30);

    assertThat(lost).isEqualTo(LostNodes.NONE);
  }
}
