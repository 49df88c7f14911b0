package io.trimtab.experiments.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.config.UserError;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptRunsTest {
  @TempDir private Path folder;

  /** A run. */
  private record Run(String of, int number) {}

  private KeptRuns<Run> open(KeptRuns.Start start) throws IOException {
    return KeptRuns.open(folder, Run.class, "RIVALS", start);
  }

  private void made(Run... runs) throws IOException {
    KeptRuns<Run> kept = open(KeptRuns.Start.AGAIN);
    kept.madeWith(List.of("five nodes"));
    for (Run run : runs) {
      kept.add(run);
    }
  }

  @Test
  void aFolderThatHoldsRunsIsNotBegunAnewUnlessThatIsSaid() throws Exception {
    made(new Run("met", 1), new Run("met", 2));

    assertThatThrownBy(() -> open(KeptRuns.Start.NEW))
        .isInstanceOf(UserError.class)
        .hasMessage(
            "%s holds 2 runs of RIVALS: --continue keeps them and makes what is missing; --again"
                + " replaces them; --out takes another folder",
            folder);
    assertThat(open(KeptRuns.Start.CONTINUE).runs())
        .containsExactly(new Run("met", 1), new Run("met", 2));
  }

  @Test
  void anEmptyFolderIsBegunHoweverThatIsAsked() throws Exception {
    for (KeptRuns.Start start : KeptRuns.Start.values()) {
      assertThat(open(start).runs()).isEmpty();
    }
  }

  @Test
  void whatIsMadeAgainReplacesTheOthersOnlyOnceItIsThere() throws Exception {
    made(new Run("met", 1));

    KeptRuns<Run> again = open(KeptRuns.Start.AGAIN);
    again.madeWith(List.of("six nodes"));
    assertThat(open(KeptRuns.Start.CONTINUE).runs()).containsExactly(new Run("met", 1));

    again.add(new Run("none", 1));
    assertThat(open(KeptRuns.Start.CONTINUE).runs()).containsExactly(new Run("none", 1));
  }

  @Test
  void whatIsForgottenIsReplacedByTheFirstThatIsAdded() throws Exception {
    made(new Run("met", 1), new Run("none", 1));

    KeptRuns<Run> again = open(KeptRuns.Start.CONTINUE);
    assertThat(again.forget(run -> run.of().equals("met"))).isEqualTo(1);
    again.add(new Run("met", 2));

    assertThat(open(KeptRuns.Start.CONTINUE).runs())
        .containsExactly(new Run("none", 1), new Run("met", 2));
  }
}
