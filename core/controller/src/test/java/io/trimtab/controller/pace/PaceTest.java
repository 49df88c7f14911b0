package io.trimtab.controller.pace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.settings.PaceSettings;
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
import org.junit.jupiter.api.Test;

class PaceTest {
  private static final PaceSettings SETTINGS = PaceSettings.DEFAULTS;
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  /** A partition's name, its node, and its reads so far. */
  private record Read(String name, String node, long reads) {}

  private static ClusterSnapshot at(int seconds, Ownership ownership, Read... reads) {
    List<PartitionState> partitions = new ArrayList<>();
    for (Read r : reads) {
      partitions.add(
          new PartitionState(
              r.name.contains("/")
                  ? new PartitionId(r.name.split("/")[0], r.name.split("/")[1])
                  : new PartitionId("t", r.name),
              Optional.of(new NodeId(r.node)),
              new PartitionCounters(r.reads, 0, 0, 0),
              1,
              1,
              65_536,
              KeyRange.ALL));
    }
    List<NodeState> nodes = new ArrayList<>();
    for (String node : List.of("n1", "n2", "n3")) {
      nodes.add(
          new NodeState(
              new NodeId(node),
              1,
              true,
              false,
              Optional.empty(),
              false,
              NodeUsage.UNKNOWN,
              NodeGauges.UNKNOWN));
    }
    return new ClusterSnapshot(
            START,
            "c",
            "test",
            ownership,
            "1",
            1,
            nodes,
            partitions,
            0,
            List.of(),
            BalancerState.PAUSED,
            List.of())
        .at(START, OptionalLong.of(seconds * 1_000_000_000L));
  }

  private static UsersLevel before(double a, double b) {
    return new UsersLevel(
        Map.of(
            new PartitionId("t", "a"), new Rates(a, 0, 0, 0),
            new PartitionId("t", "b"), new Rates(b, 0, 0, 0)),
        Map.of());
  }

  @Test
  void theLevelComparesTheSamePartitions() {
    ClusterSnapshot from =
        at(0, Ownership.ASSIGNED, new Read("a", "n1", 0), new Read("b", "n1", 0));
    ClusterSnapshot to =
        at(10, Ownership.ASSIGNED, new Read("a", "n1", 700), new Read("b", "n1", 800));

    assertThat(before(100, 100).levels(from, to).get(0).ofMean()).isCloseTo(0.75, within(1e-9));
  }

  /** Otherwise each move would look like lost requests. */
  @Test
  void aPartitionThatWasMovedIsLeftOutUntilItIsReadTwice() {
    ClusterSnapshot from =
        at(0, Ownership.ASSIGNED, new Read("a", "n1", 0), new Read("b", "n1", 9));
    ClusterSnapshot to =
        at(10, Ownership.ASSIGNED, new Read("a", "n1", 900), new Read("b", "n2", 0));

    assertThat(before(100, 100).levels(from, to).get(0).ofMean()).isCloseTo(0.9, within(1e-9));
  }

  /** What a plan has sped up must not hide what it slows down. */
  @Test
  void theTableThatIsWorstOffCounts() {
    PartitionId slowed = new PartitionId("u", "a");
    UsersLevel two =
        new UsersLevel(
            Map.of(
                new PartitionId("t", "a"),
                new Rates(100, 0, 0, 0),
                slowed,
                new Rates(100, 0, 0, 0)),
            Map.of());

    assertThat(
            two
                .levels(
                    at(0, Ownership.ASSIGNED, new Read("a", "n1", 0), new Read("u/a", "n2", 0)),
                    at(
                        10,
                        Ownership.ASSIGNED,
                        new Read("a", "n1", 9_000),
                        new Read("u/a", "n2", 300)))
                .stream()
                .mapToDouble(UsersLevel.Level::ofMean)
                .min()
                .orElseThrow())
        .isCloseTo(0.3, within(1e-9));
  }

  @Test
  void tooFewRequestsAreNoLevel() {
    ClusterSnapshot from =
        at(0, Ownership.ASSIGNED, new Read("a", "n1", 0), new Read("b", "n1", 9));
    ClusterSnapshot to =
        at(10, Ownership.ASSIGNED, new Read("a", "n1", 900), new Read("b", "n2", 0));

    assertThat(before(10, 100).levels(from, to)).isEmpty();
    // 390 requests in ten seconds.
    assertThat(before(39, 39).levels(from, to)).isEmpty();
    assertThat(before(40, 40).levels(from, to)).isNotEmpty();
    assertThat(before(100, 100).levels(from, from)).isEmpty();
  }

  @Test
  void aNodeThatJoinsARingTakesRequestsFromTheOthers() {
    ClusterSnapshot from = at(0, Ownership.TOKENS, new Read("a", "n1", 0), new Read("b", "n2", 0));
    ClusterSnapshot joined =
        at(
            10,
            Ownership.TOKENS,
            new Read("a", "n1", 700),
            new Read("b", "n2", 700),
            new Read("c", "n3", 0));
    ClusterSnapshot to =
        at(
            20,
            Ownership.TOKENS,
            new Read("a", "n1", 1_300),
            new Read("b", "n2", 1_300),
            new Read("c", "n3", 800));

    assertThat(before(100, 100).levels(from, joined).get(0).ofMean()).isCloseTo(0.7, within(1e-9));
    assertThat(before(100, 100).levels(joined, to).get(0).ofMean()).isCloseTo(1, within(1e-9));
  }

  /** What a table's requests do by themselves is no reason to slow down. */
  @Test
  void theLevelIsAlsoComparedWithTheLeastBefore() {
    Map<PartitionId, Rates> rates = Map.of(new PartitionId("t", "a"), new Rates(100, 0, 0, 0));
    ClusterSnapshot from = at(0, Ownership.ASSIGNED, new Read("a", "n1", 0));
    ClusterSnapshot to = at(10, Ownership.ASSIGNED, new Read("a", "n1", 640));

    assertThat(new UsersLevel(rates, Map.of("t", 0.8)).levels(from, to))
        .singleElement()
        .satisfies(
            level -> {
              assertThat(level.table()).isEqualTo("t");
              assertThat(level.ofMean()).isCloseTo(0.64, within(1e-9));
              assertThat(level.ofLeast()).isCloseTo(0.8, within(1e-9));
            });
  }

  /** Neither a small table nor one with most of the requests is overlooked. */
  @Test
  void whatIsKeptCountsEveryTableAndNoGain() {
    List<UsersLevel.Level> tables =
        List.of(
            new UsersLevel.Level("big", 900, 0.5, 0.6),
            new UsersLevel.Level("small", 50, 4.0, 5.0),
            new UsersLevel.Level("other", 50, 1.0, 1.0));

    assertThat(UsersLevel.kept(tables, UsersLevel.Level::ofMean))
        .isCloseTo(1 - 0.5 * (0.9 + 1.0 / 3) / 2, within(1e-9));
    assertThat(UsersLevel.kept(tables, UsersLevel.Level::ofLeast))
        .isCloseTo(1 - 0.4 * (0.9 + 1.0 / 3) / 2, within(1e-9));
    assertThat(
            UsersLevel.kept(
                List.of(new UsersLevel.Level("t", 7, 0.25, 0.5)), UsersLevel.Level::ofMean))
        .isEqualTo(0.25);
  }

  @Test
  void thePaceHalvesAndRecoversStepByStep() {
    Pace slow = Pace.FULL.after(0.8, SETTINGS, 8);
    assertThat(slow.atOnce()).isEqualTo(4);
    assertThat(slow.after(0.8, SETTINGS, 8).after(0.8, SETTINGS, 8).atOnce()).isEqualTo(1);
    assertThat(new Pace(1, 0).after(0.1, SETTINGS, 8)).isEqualTo(new Pace(1, 0));
    assertThat(new Pace(1, 0).after(0.95, SETTINGS, 8)).isEqualTo(new Pace(2, 1));
    assertThat(new Pace(8, 6).after(1, SETTINGS, 8)).isEqualTo(new Pace(8, 6));
  }

  /** Waiting that brings nothing only makes the plan's middle longer. */
  @Test
  void patienceHalvesWhereWaitingBringsNothing() {
    Pace disappointed = Pace.FULL.waited(0.5, 0.55);
    assertThat(disappointed.patience()).isEqualTo(3);
    assertThat(disappointed.waited(0.5, 0.4).waited(0.5, 0.5).patience()).isZero();
    assertThat(disappointed.waited(0.5, 0.65)).isEqualTo(disappointed);
  }

  @Test
  void settingsOutOfRangeAreNamed() {
    assertThatThrownBy(() -> new PaceSettings(true, 0.5, 0.6, 2.0, 2.0))
        .hasMessageContaining("pace.endBelow");
    assertThatThrownBy(() -> new PaceSettings(true, 0.0, 0.0, 2.0, 2.0))
        .hasMessageContaining("pace.slowBelow");
    assertThatThrownBy(() -> new PaceSettings(true, 0.9, 0.5, 2.0, 0.9))
        .hasMessageContaining("pace.longest");
    assertThatThrownBy(() -> new PaceSettings(true, 0.9, 0.5, 0.5, 2.0))
        .hasMessageContaining("pace.slowAbove");
  }
}
