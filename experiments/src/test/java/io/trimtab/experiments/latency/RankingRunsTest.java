package io.trimtab.experiments.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.config.UserError;
import io.trimtab.experiments.report.KeptRuns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RankingRunsTest {
  private static final List<String> SETTING = List.of("six nodes", "400 operations/s");

  @TempDir private Path folder;

  private static RankingResult run(Ordering ordering, int number, String day) {
    return run(ordering, number, day, "a machine");
  }

  private static RankingResult run(Ordering ordering, int number, String day, String machine) {
    return run("load", ordering, number, day, machine);
  }

  /** One whose reads on a node pause while its disk is slow, and come back 2 s later. */
  static RankingResult run(String load, Ordering ordering, int number, String day, String machine) {
    List<Integer> reads = new ArrayList<>();
    for (int i = 0; i < 10 * RankingTrial.SECONDS; i++) {
      boolean avoided = i >= 10 * RankingTrial.SLOW_FROM && i < 10 * (RankingTrial.SLOW_TO + 2);
      reads.add(avoided ? 0 : 4 + i % 3);
    }
    return new RankingResult(
        load,
        ordering.toString(),
        number,
        day,
        machine,
        400,
        1,
        1,
        2,
        3,
        4,
        5,
        1,
        2,
        0,
        1,
        0,
        2,
        Map.of(Phase.QUIET, 3.5, Phase.SLOW_DISK, 80.0),
        14.5,
        1.2,
        0.48,
        Map.of(Phase.SLOW_DISK, reads, Phase.GARBAGE, reads, Phase.COMPACTION, reads));
  }

  private RankingRuns open(String in, KeptRuns.Start start) throws IOException {
    return RankingRuns.open(folder.resolve(in), RankingSuite.E12, start);
  }

  @Test
  void aLaterProcessMakesOnlyWhatIsMissing() throws Exception {
    RankingRuns first = open("new", KeptRuns.Start.NEW);
    first.madeWith(SETTING);
    first.add(run(Ordering.TRIMTAB, 1, "2026-11-25"));

    RankingRuns second = open("new", KeptRuns.Start.CONTINUE);
    second.madeWith(SETTING);
    second.add(run(Ordering.C3, 1, "2026-11-26"));

    RankingRuns third = open("new", KeptRuns.Start.CONTINUE);
    assertThat(third.has("load", Ordering.TRIMTAB, 1)).isTrue();
    assertThat(third.has("load", Ordering.TRIMTAB, 2)).isFalse();
    assertThat(third.has("other", Ordering.TRIMTAB, 1)).isFalse();
    assertThat(third.missing("load", 1)).isEqualTo(Ordering.RANKINGS.size() - 2);
    assertThat(third.of("load", Ordering.C3)).containsExactly(run(Ordering.C3, 1, "2026-11-26"));
    assertThat(third.days()).containsExactly("2026-11-25", "2026-11-26");
  }

  @Test
  void runsOfAnotherSettingAreNotMixed() throws Exception {
    RankingRuns first = open("", KeptRuns.Start.NEW);
    first.madeWith(SETTING);
    first.add(run(Ordering.TRIMTAB, 1, "2026-11-25"));

    RankingRuns second = open("", KeptRuns.Start.CONTINUE);
    assertThatThrownBy(() -> second.madeWith(List.of("six nodes", "300 operations/s")))
        .isInstanceOf(UserError.class)
        .hasMessage(
            "--continue: %s was made with '400 operations/s', now it would be '300 operations/s';"
                + " --again begins anew, --out takes another folder",
            folder.resolve("runs.json"));
  }

  @Test
  void runsOfAnotherMachineAreKeptOnlyWhereTheLoadIsWhole() throws Exception {
    RankingRuns runs = open("", KeptRuns.Start.NEW);
    runs.madeWith(SETTING);
    for (Ordering ordering : Ordering.RANKINGS) {
      runs.add(run(ordering, 1, "2026-11-25"));
    }
    runs.add(run(Ordering.C3, 2, "2026-11-26"));

    assertThat(runs.madeOn("another machine", "load", 1)).isZero();
    assertThat(runs.origin("load")).isEqualTo("2026-11-25, a machine; 2026-11-26, a machine");
    assertThat(runs.madeOn("a machine", "load", 2)).isZero();
    assertThat(runs.madeOn("another machine", "load", 2)).isEqualTo(Ordering.RANKINGS.size() + 1);
    assertThat(runs.has("load", Ordering.C3, 1)).isFalse();
    runs.add(run(Ordering.C3, 1, "2026-11-27", "another machine"));
    assertThat(open("", KeptRuns.Start.CONTINUE).origin("load"))
        .isEqualTo("2026-11-27, another machine");
  }

  @Test
  void aFolderWithoutRunsIsBegun() throws Exception {
    assertThat(open("", KeptRuns.Start.CONTINUE).missing("load", 1))
        .isEqualTo(Ordering.RANKINGS.size());
  }

  @Test
  void aFileOfSomethingElseCannotBeContinued() throws Exception {
    Files.writeString(folder.resolve("runs.json"), "{\"setting\": [");
    assertThatThrownBy(() -> open("", KeptRuns.Start.CONTINUE))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("is not a file of runs");
    Files.writeString(folder.resolve("runs.json"), "[]");
    assertThatThrownBy(() -> open("", KeptRuns.Start.CONTINUE)).isInstanceOf(UserError.class);
  }
}
