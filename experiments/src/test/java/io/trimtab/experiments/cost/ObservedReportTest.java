package io.trimtab.experiments.cost;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.settings.Settings;
import io.trimtab.experiments.cost.Observed.Half;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ObservedReportTest {
  private static final double SECONDS = 60;

  /** A process that takes 5 % of a core, and so much more in each interval in which it is seen. */
  private static List<Half> halves(boolean node, double... additionalPercent) {
    List<Half> halves = new ArrayList<>();
    for (int pair = 0; pair < additionalPercent.length; pair++) {
      // Which comes first does not matter.
      for (boolean observed : new boolean[] {pair % 2 == 0, pair % 2 == 1}) {
        double percent = 5 + (observed ? additionalPercent[pair] : 0);
        halves.add(new Half(pair, "n1", node, observed, SECONDS, percent / 100 * SECONDS));
      }
    }
    return halves;
  }

  private static List<String> row(List<Half> halves) {
    List<List<String>> rows = ObservedReport.rows(halves);
    assertThat(rows).hasSize(1);
    return rows.get(0);
  }

  @Test
  void theDifferenceOfEachPairIsTaken() {
    assertThat(row(halves(true, 0.2, 0.4, 0.1, 0.3, 0.5, 0.6)))
        .containsExactly(
            "n1", "5.35 (5.10–5.60)", "5.00 (5.00–5.00)", "0.35 (0.10–0.60)", "6", "met");
  }

  @Test
  void aVerdictNeedsPairsThatAgree() {
    assertThat(row(halves(true, 1.2, 1.4, 1.1, 1.3, 1.5, 1.6))).endsWith("missed");
    assertThat(row(halves(true, 0.2, 0.4, 0.1, 0.3, 0.5, 1.6)))
        .endsWith("not decided by these pairs");
    assertThat(row(halves(true, 0.2, 0.4))).endsWith("too few pairs");
  }

  @Test
  void whatIsNoNodeHasNoTarget() {
    assertThat(row(halves(false, 3, 3, 3, 3, 3, 3))).endsWith("–");
  }

  @Test
  void theAutopilotObservesAsByDefault() {
    assertThat(Observed.period()).isEqualTo(Duration.ofSeconds(30));
    Settings used = Observed.settings(Observed.period());
    assertThat(used.observe().toBuilder().samples(null).build())
        .isEqualTo(Settings.defaults().observe());
    assertThat(used.policy()).isEqualTo(Settings.defaults().policy());
  }
}
