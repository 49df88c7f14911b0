package io.trimtab.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.policy.PolicyState;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.Journal;
import io.trimtab.runtime.journal.PlanOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A plan that a controller left unfinished is carried on, or given up when it is too old. */
class LeftPlanTest extends LoopFixture {
  private void leave(Duration age) {
    List<PlannedAction> actions =
        List.of(
            new PlannedAction(
                1,
                new Action.Move(new PartitionId("t", "p0"), new NodeId("n0:1"), new NodeId("n2:1")),
                "",
                "",
                "",
                ""));
    Instant then = clock.instant().minus(age);
    engine.balancer = BalancerState.PAUSED;
    try (Journal journal = new Journal(LoopFixture.olderVersions())) {
      journal.append(
          new Entry.PlanStarted(
              then,
              new Plan("left", "fake", then, "met", "s", 1, actions),
              new BalancerState(true, true),
              PolicyState.INITIAL));
    }
  }

  @Test
  void aPlanThatWasLeftIsResumed() throws Exception {
    leave(Duration.ofMinutes(5));
    heard.endAfterPlan = true;

    loop().run(true, 0, false);

    assertThat(heard.ended).containsExactly("done: every action has ended");
    assertThat(engine.placement.get(new PartitionId("t", "p0"))).isEqualTo(new NodeId("n2:1"));
    assertThat(engine.balancer).isEqualTo(new BalancerState(true, true));
  }

  @Test
  void aPlanThatWasLeftIsResumedWithinItsLimitOfTime() throws Exception {
    leave(Duration.ofHours(5));
    heard.endAfterPlan = true;

    loop().run(true, 0, false);

    assertThat(heard.ended).containsExactly("done: every action has ended");
  }

  @Test
  void aPlanThatWasResumedCountsAsOne() throws Exception {
    leave(Duration.ofMinutes(5));

    Optional<Executor.Outcome> outcome = loop().run(true, 1, false);

    assertThat(outcome.orElseThrow().done()).isTrue();
    assertThat(heard.ended).hasSize(1);
    assertThat(journal()).filteredOn(Entry.PlanStarted.class::isInstance).hasSize(1);
  }

  @Test
  void aPlanThatWasGivenUpCountsAsOne() throws Exception {
    leave(Duration.ofHours(7));

    loop().run(false, 1, false);
    assertThat(heard.plans).hasSize(1);

    assertThat(loop().run(true, 1, false).orElseThrow().how()).isEqualTo(PlanOutcome.ABANDONED);
    assertThat(heard.plans).as("no other one was made").hasSize(1);
  }

  @Test
  void anOldPlanThatWasLeftIsGivenUp() throws Exception {
    leave(Duration.ofHours(7));
    heard.endAfterPlan = true;

    loop().run(true, 0, false);

    assertThat(heard.ended).singleElement().asString().startsWith("abandoned: it was started 420");
    assertThat(engine.verbs).doesNotContain("move");
    assertThat(engine.balancer).isEqualTo(new BalancerState(true, true));
  }

  @Test
  void aPlanThatWasLeftIsGivenUpWhenAsked() throws Exception {
    leave(Duration.ofMinutes(5));
    heard.endAfterPlan = true;

    loop().run(true, 0, true);

    assertThat(heard.ended).containsExactly("abandoned: --abandon was given");
    assertThat(engine.verbs).doesNotContain("move");
  }
}
