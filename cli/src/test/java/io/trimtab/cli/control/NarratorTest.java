package io.trimtab.cli.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.clikit.Terminal;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.runtime.journal.ActionOutcome;
import io.trimtab.runtime.journal.PlanOutcome;
import java.io.StringWriter;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a person who watches a plan is told. */
class NarratorTest {
  private static final NodeId A = new NodeId("a:1");
  private static final NodeId B = new NodeId("b:1");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private static PlannedAction move(int step) {
    Action move = new Action.Move(new PartitionId("t", "p" + step), A, B);
    return new PlannedAction(step, move, "r", "e", "c", "u");
  }

  private static Plan plan() {
    List<PlannedAction> actions = List.of(move(1), move(2));
    return new Plan("p-7", "c", Instant.EPOCH, "met", "s", 1, actions);
  }

  private Narrator narrator(boolean tty) {
    return new Narrator(new Terminal(out, err, tty, tty, false), "");
  }

  @Test
  void eachStepAndTheEndOfAPlanAreTold() {
    Narrator narrator = narrator(false);
    Plan plan = plan();

    narrator.planned(plan, true);
    for (PlannedAction action : plan.actions()) {
      narrator.started(action, 2);
      narrator.ended(action, 2, ActionOutcome.DONE, "");
    }
    narrator.planEnded(plan, PlanOutcome.DONE, "every action has ended");

    assertThat(out.toString().lines())
        .anyMatch(line -> line.endsWith("carrying out:"))
        .anyMatch(line -> line.matches("[0-9:]+ step 1 of 2, move .*p1.*: done"))
        .anyMatch(line -> line.matches("[0-9:]+ step 2 of 2, move .*p2.*: done"))
        .last()
        .asString()
        .endsWith("plan p-7: done, every action has ended");
  }

  @Test
  void aSlowNodeIsTold() {
    narrator(false).slow("slow node: a:1 gets 18 % of the reads that its peers get, for 3 min");

    assertThat(out.toString()).matches("(?s)[0-9:]+ slow node: a:1 gets 18 % of .* for 3 min\n");
  }

  @Test
  void onATerminalTheStepInProgressIsShown() {
    Narrator narrator = narrator(true);

    narrator.started(move(2), 3);

    assertThat(out.toString() + err).contains("step 2 of 3, move");
  }

  @Test
  void aFailureIsToldWithItsReason() {
    narrator(false).ended(move(1), 2, ActionOutcome.FAILED, "node b:1 is dead");

    assertThat(out.toString()).contains("step 1 of 2, move").contains(": failed: node b:1 is dead");
  }

  @Test
  void aModelOfOtherNodesIsAWarning() {
    narrator(false).otherModel("model.json is of nodes with 2 cores; n1 has 8");

    assertThat(out.toString().lines())
        .singleElement()
        .asString()
        .endsWith("warning: model.json is of nodes with 2 cores; n1 has 8");
  }

  @Test
  void theSameReasonForDoingNothingIsToldOnce() {
    Narrator narrator = narrator(false);
    for (int i = 0; i < 3; i++) {
      narrator.held("guard", "too early, " + i, "guard.cooldown");
    }

    assertThat(out.toString().lines())
        .singleElement()
        .asString()
        .endsWith("no plan: too early, 0 (guard; setting: guard.cooldown)");
  }
}
