package io.trimtab.controller.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.Settings;
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
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What was not read, and clocks that jump, must not become requests. */
class HistoryTest {
  private static final NodeId NODE = new NodeId("n1");
  private static final PartitionId PARTITION = new PartitionId("t", "p");
  private static final Instant WALL = Instant.parse("2026-01-01T00:00:00Z");
  private static final ObserveSettings SETTINGS = Settings.defaults().observe();
  private static final long BEFORE = 1_000_000_000;

  private static ClusterSnapshot at(
      double seconds, long wallStepS, List<PartitionState> partitions, long incarnation) {
    boolean whole = !partitions.isEmpty() && partitions.get(0).counters().isPresent();
    NodeState node =
        new NodeState(
            NODE,
            incarnation,
            true,
            false,
            Optional.empty(),
            false,
            NodeUsage.UNKNOWN,
            NodeGauges.UNKNOWN);
    return new ClusterSnapshot(
            WALL,
            "c",
            "hbase",
            Ownership.ASSIGNED,
            "1",
            1,
            List.of(node),
            partitions,
            0,
            List.of(),
            BalancerState.PAUSED,
            whole ? List.of() : List.of("node n1 has not answered"))
        .at(
            WALL.plusMillis((long) (1_000 * seconds)).plusSeconds(wallStepS),
            OptionalLong.of((long) (1e9 * seconds)));
  }

  /** The same, where the node tells how many blocks were in its cache and how many were not. */
  private static ClusterSnapshot at(double seconds, long hits, long misses, long incarnation) {
    ClusterSnapshot seen = at(seconds, 0, counted(1), incarnation);
    NodeGauges told =
        new NodeGauges(-1, -1, -1, hits, misses, -1, -1, -1, -1, -1, -1, -1, Map.of());
    return seen.with(
        seen.nodes().stream().map(node -> node.with(node.usage(), told)).toList(),
        seen.partitions(),
        seen.gaps());
  }

  /** A node that has run for months tells of its load of now. */
  @Test
  void blocksThatAreMissedCountFromOneLookToTheNext() {
    long months = 1_000_000_000_000L;
    History once = of(at(0, months, 0, 1), at(30, months + 300, 100, 1));

    assertThat(once.misses()).containsOnlyKeys(NODE);
    assertThat(once.misses().get(NODE)).isCloseTo(0.25, within(1e-9));
    History quiet = once.append(at(60, months + 300, 100, 1), SETTINGS);
    assertThat(quiet.misses().get(NODE)).isCloseTo(0.25, within(1e-9));
    History more = quiet.append(at(90, months + 300, 200, 1), SETTINGS);
    assertThat(more.misses().get(NODE)).isBetween(0.3, 0.99);
    assertThat(of(at(0, months, 0, 1), at(30, 5, 5, 2)).misses()).as("restarted").isEmpty();
    assertThat(of(at(0, 0, counted(1), 1), at(30, 0, counted(2), 1)).misses()).isEmpty();
  }

  private static List<PartitionState> counted(long reads) {
    return List.of(state(Optional.of(new PartitionCounters(reads, 0, 0, 0))));
  }

  private static List<PartitionState> uncounted() {
    return List.of(state(Optional.empty()));
  }

  private static PartitionState state(Optional<PartitionCounters> counters) {
    return new PartitionState(PARTITION, Optional.of(NODE), counters, 1, 1, 65_536, KeyRange.ALL);
  }

  private static History of(ClusterSnapshot... snapshots) {
    History history = History.EMPTY;
    for (ClusterSnapshot snapshot : snapshots) {
      history = history.append(snapshot, SETTINGS);
    }
    return history;
  }

  @Test
  void aRateAfterAGapIsOverTheWholeInterval() {
    History seen =
        of(
            at(0, 0, counted(BEFORE), 1),
            at(10, 0, uncounted(), 1),
            at(20, 0, uncounted(), 1),
            at(30, 0, counted(BEFORE + 600), 1));

    assertThat(seen.rates().get(PARTITION).pointReads()).isEqualTo(20);
    assertThat(seen.missed()).isEmpty();
  }

  @Test
  void aPartitionThatASnapshotWithGapsLacksIsReadOverTheWholeInterval() {
    History seen =
        of(
            at(0, 0, counted(BEFORE), 1),
            at(10, 0, List.of(), 1),
            at(20, 0, uncounted(), 1),
            at(30, 0, List.of(), 1),
            at(40, 0, counted(BEFORE + 400), 1));

    assertThat(seen.rates().get(PARTITION).pointReads()).isEqualTo(10);
  }

  @Test
  void withoutAnEarlierReadingARateIsNotKnown() {
    assertThat(of(at(0, 0, uncounted(), 1), at(10, 0, counted(BEFORE), 1)).rates()).isEmpty();
  }

  @Test
  void aRestartDuringAGapBeginsANewSeries() {
    History seen =
        of(at(0, 0, counted(100), 1), at(10, 0, uncounted(), 1), at(20, 0, counted(BEFORE), 2));

    assertThat(seen.rates()).isEmpty();
  }

  @Test
  void countersThatWentDownDuringAGapBeginANewSeries() {
    History seen =
        of(
            at(0, 0, counted(BEFORE), 1),
            at(10, 0, uncounted(), 1),
            at(20, 0, counted(50), 1),
            at(30, 0, counted(150), 1));

    assertThat(seen.rates().get(PARTITION).pointReads()).isEqualTo(10);
  }

  @Test
  void aWallClockThatStepsChangesNoRate() {
    for (long step : new long[] {3_600, -3_600, -10}) {
      History seen = of(at(0, 0, counted(BEFORE), 1), at(10, step, counted(BEFORE + 100), 1));
      assertThat(seen.samples()).as("step of %s s", step).isEqualTo(2);
      assertThat(seen.rates().get(PARTITION).pointReads()).as("step of %s s", step).isEqualTo(10);
    }
  }

  /** An older file has only the wall clock. */
  @Test
  void snapshotsOfOlderFilesAreComparedByTheWallClock() {
    ClusterSnapshot first = at(0, 0, counted(0), 1).at(WALL, OptionalLong.empty());
    History seen = of(first, at(5, 0, counted(100), 1));

    assertThat(seen.rates().get(PARTITION).pointReads()).isEqualTo(20);
  }

  /** Whatever is not read, and however clocks jump, no rate is above the load's true maximum. */
  @Test
  void randomGapsRestartsAndStepsNeverInventLoad() {
    for (long seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      History seen = History.EMPTY;
      double now = 0;
      double most = 0;
      double count = BEFORE;
      long incarnation = 1;
      for (int sample = 0; sample < 40; sample++) {
        double rate = 1_000 * random.nextDouble();
        double seconds = 1 + random.nextInt(20);
        most = Math.max(most, rate);
        now += seconds;
        count += rate * seconds;
        if (random.nextInt(15) == 0) {
          incarnation++;
          count = rate * random.nextDouble();
        }
        List<PartitionState> partitions =
            switch (random.nextInt(4)) {
              case 0 -> uncounted();
              case 1 -> new ArrayList<>();
              default -> counted((long) count);
            };
        seen =
            seen.append(at(now, random.nextInt(7_200) - 3_600, partitions, incarnation), SETTINGS);
        Rates told = seen.rates().getOrDefault(PARTITION, Rates.ZERO);
        assertThat(told.total()).as("seed %s, sample %s", seed, sample).isBetween(0.0, most + 1);
      }
    }
  }
}
