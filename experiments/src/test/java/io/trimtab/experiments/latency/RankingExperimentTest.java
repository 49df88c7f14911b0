package io.trimtab.experiments.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.experiments.report.KeptRuns;
import io.trimtab.lab.testbed.Console;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RankingExperimentTest {
  @TempDir private Path folder;

  /** What an ordering leaves behind in caches and queues is left for each of the others once. */
  @Test
  void inAsManyRunsAsOrderingsEachFollowsEachOtherOneOnce() {
    for (List<Ordering> all : List.of(Ordering.RANKINGS, Ordering.OWN_COPY)) {
      Set<String> pairs = new HashSet<>();
      for (int run = 0; run < all.size(); run++) {
        List<Ordering> order = RankingExperiment.order(all, run);
        assertThat(order).containsExactlyInAnyOrderElementsOf(all);
        for (int i = 1; i < order.size(); i++) {
          pairs.add(order.get(i - 1) + " then " + order.get(i));
        }
      }
      assertThat(pairs).hasSize(all.size() * (all.size() - 1));
    }
  }

  /** Without a cluster: nothing of the name could be started here. */
  @Test
  void whereNoRunIsMissingTheReportIsWrittenFromTheFile() throws Exception {
    RankingRuns runs = RankingRuns.open(folder, RankingSuite.E12, KeptRuns.Start.NEW);
    runs.madeWith(List.of("six nodes"));
    for (RankingSuite.Comparison comparison : RankingSuite.E12.comparisons()) {
      for (Ordering ordering : Ordering.RANKINGS) {
        runs.add(
            RankingRunsTest.run(comparison.load().title(), ordering, 1, "2026-11-26", "a machine"));
      }
    }

    Path written =
        RankingExperiment.e12(
                new Console(System.out, false), folder, 1, "no lab", KeptRuns.Start.CONTINUE)
            .run();

    assertThat(Files.readString(written))
        .contains(
            "p99.9 of reads, trimtab: 1.00 of dynamic snitch (asked: at most 0.40); by run 1.00")
        .contains("- six nodes");
    assertThat(folder.resolve("p999.png")).exists();
    assertThat(folder.resolve("read-only-Zipf-large-compaction.png")).exists();
  }

  @Test
  void whoIsAskedAroundADisturbance() {
    AskedNode node =
        new AskedNode(
            RankingRunsTest.run("load", Ordering.C3, 1, "2026-11-26", "a machine")
                .readsPer100Ms()
                .get(Phase.SLOW_DISK));

    assertThat(node.mean(0, RankingTrial.SLOW_FROM)).isCloseTo(5, within(0.05));
    assertThat(node.least(0, RankingTrial.SLOW_FROM)).isEqualTo(4);
    assertThat(node.mean(RankingTrial.SLOW_FROM, RankingTrial.SLOW_TO)).isZero();
    // Half of a second's reads came within the next half second.
    assertThat(node.back(RankingTrial.SLOW_TO)).isCloseTo(1.5, within(0.11));
    assertThat(node.clustered(0, RankingTrial.SLOW_FROM)).isCloseTo(2.0 / 3 / 5, within(0.01));
  }
}
