package io.trimtab.cli.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.clikit.JsonOutput;
import io.trimtab.controller.place.UsagePrediction.Origin;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.PredictionLedger;
import io.trimtab.runtime.journal.PredictionLedger.PredictionResult;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What `trimtab ledger` prints. */
class LedgerTextTest {
  private static final Instant AT = Instant.parse("2026-01-01T00:00:00Z");

  /** One plan of an earlier version, one that was measured, and one that was not yet. */
  private static final List<PredictionResult> PLANS =
      PredictionLedger.of(
          List.of(
              new Entry.Predicted(AT, "old", "m", List.of("move"), 0.6),
              new Entry.Measured(AT, "old", 0.5),
              new Entry.Predicted(
                  AT,
                  "p",
                  "",
                  List.of("drain", "remove-node"),
                  0.7,
                  Origin.LEARNED,
                  Map.of("a:1", 0.7, "b:1", 0.4, "c:1", 0.3)),
              new Entry.Measured(AT, "p", 0.62, Map.of("a:1", 0.6, "b:1", 0.62, "d:1", 0.1)),
              new Entry.Predicted(
                  AT, "q", "m", List.of("move"), 0.5, Origin.BUILT, Map.of("a:1", 0.5))));

  /** With one blank between columns. */
  private static List<String> lines(boolean nodes) {
    return LedgerText.table(PLANS, nodes)
        .lines()
        .map(line -> line.strip().replaceAll(" {2,}", " "))
        .toList();
  }

  @Test
  void aLineForEachPlanTellsTheMostUsedNodeAndTheErrorsOverAll() {
    assertThat(lines(false))
        .containsExactly(
            "at predicted measured error mean worst worst node model actions",
            "2026-01-01T00:00:00Z 0.60 0.50 +0.10 built move",
            "2026-01-01T00:00:00Z 0.70 0.62 +0.08 0.16 -0.22 b:1 learned drain, remove-node",
            "2026-01-01T00:00:00Z 0.50 not yet built move",
            "mean error with drain: 0.16",
            "mean error with move: 0.10",
            "mean error with remove-node: 0.16",
            "mean error predicted from the built model: 0.10",
            "mean error predicted from what requests cost so far: 0.16");
  }

  @Test
  void aLineForEachNodeSaysWhichHaveLeftAndCome() {
    assertThat(lines(true).subList(1, 10))
        .containsExactly(
            "2026-01-01T00:00:00Z 0.60 0.50 +0.10 built move",
            "nodes unknown",
            "2026-01-01T00:00:00Z 0.70 0.62 +0.08 0.16 -0.22 b:1 learned drain, remove-node",
            "a:1 0.70 0.60 +0.10",
            "b:1 0.40 0.62 -0.22",
            "c:1 0.30 left",
            "d:1 came 0.10",
            "2026-01-01T00:00:00Z 0.50 not yet built move",
            "a:1 0.50 not yet");
  }

  @Test
  void aPlanThatTheNextOneHasOvertakenIsNotMeasured() {
    Plan next = new Plan("r", "c", AT, "autopilot", "", 1, List.of());
    List<Entry> entries =
        List.of(
            new Entry.Predicted(
                AT, "q", "m", List.of("move"), 0.5, Origin.BUILT, Map.of("a:1", 0.5)),
            new Entry.PlanStarted(AT, next, BalancerState.PAUSED, PolicyState.INITIAL));
    List<PredictionResult> plans = PredictionLedger.of(entries);

    assertThat(LedgerText.table(plans, true).lines().skip(1))
        .hasSize(2)
        .allSatisfy(line -> assertThat(line).contains("0.50").contains("  next plan"));
    assertThat(JsonOutput.text(LedgerText.json(plans, ""))).contains("\"overtaken\" : true");
    assertThat(JsonOutput.text(LedgerText.json(PLANS, ""))).doesNotContain("\"overtaken\" : true");
  }

  @Test
  void withoutPlansItIsToldWhichPlansArePredicted() {
    assertThat(LedgerText.table(List.of(), true))
        .isEqualTo(
            "no plan with a prediction has been carried out: plans of policies have one, orders of"
                + " persons have none");
  }

  @Test
  void jsonHasAll() {
    String json = JsonOutput.text(LedgerText.json(PLANS, "I/O wait from nowhere"));

    assertThat(json)
        .contains("\"plan\" : \"p\"")
        .contains("\"predictedFrom\" : \"learned\"")
        .contains("\"worstNode\" : \"b:1\"")
        .contains("\"node\" : \"c:1\"")
        .contains("\"left\" : true")
        .contains("\"came\" : true")
        .contains("\"measured\" : null")
        .contains("\"meanErrorByKind\"")
        .contains("\"meanErrorByModel\"")
        .contains("\"usage\" : \"I/O wait from nowhere\"")
        .doesNotContain("NaN");
  }
}
