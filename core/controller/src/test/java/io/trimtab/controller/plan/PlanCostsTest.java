package io.trimtab.controller.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PlanCostsTest {
  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final NodeId FROM = new NodeId("a:1");
  private static final NodeId TO = new NodeId("b:1");

  private static Optional<PlanCosts> after(Optional<PlanCosts> before, double lost, int count) {
    return PlanCosts.after(before, OptionalDouble.of(lost), count, Duration.ofSeconds(60), NOW);
  }

  private static Plan plan(Action... actions) {
    List<PlannedAction> planned = new ArrayList<>();
    for (Action action : actions) {
      planned.add(new PlannedAction(planned.size() + 1, action, "r", "e", "c", "u"));
    }
    return new Plan("p", "c", NOW, "autopilot", "s", 1, planned);
  }

  private static Action move(int i) {
    return new Action.Move(new PartitionId("t", "p" + i), FROM, TO);
  }

  @Test
  void whatWasNotMeasuredTellsNothing() {
    Optional<PlanCosts> known = after(Optional.empty(), 20, 5);

    assertThat(PlanCosts.after(known, OptionalDouble.empty(), 5, Duration.ZERO, NOW))
        .isEqualTo(known);
    assertThat(after(known, 7, 0)).isEqualTo(known);
    assertThat(after(Optional.empty(), 7, 0)).isEmpty();
  }

  @Test
  void aFewPartitionsAreLeftToChance() {
    assertThat(after(Optional.empty(), 8, 2).orElseThrow().each()).isEmpty();
    assertThat(after(Optional.empty(), 12, 3).orElseThrow().each()).hasValue(4);
  }

  @Test
  void theLastPlanCountsTwiceAsMuchAsTheOneBefore() {
    Optional<PlanCosts> two = after(after(Optional.empty(), 40, 8), 2, 4);

    assertThat(two.orElseThrow().each()).hasValue((20 + 2) / 8.0);
  }

  @Test
  void aLoadThatFallsMeanwhileIsNotTakenForTheCostOfAMove() {
    assertThat(after(Optional.empty(), 3_600, 10).orElseThrow().each()).hasValue(10);
  }

  @Test
  void halfIsForgottenInSixHours() {
    PlanCosts costs = after(Optional.empty(), 30, 10).orElseThrow();

    assertThat(costs.each()).hasValue(3);
    assertThat(costs.believed(NOW.plus(Duration.ofHours(6)))).isCloseTo(0.5, within(1e-9));
    assertThat(costs.believed(NOW.minusSeconds(5))).isEqualTo(1);
  }

  @Test
  void howLongPlansTakeIsBelievedForADay() {
    assertThat(after(Optional.empty(), 8, 2).orElseThrow().takes(NOW)).isEmpty();
    PlanCosts two = after(after(Optional.empty(), 40, 8), 2, 11).orElseThrow();

    // The last plan's minute, and half of the one before.
    assertThat(two.takes(NOW.plus(Duration.ofHours(24)))).hasValue(90 / 15.0);
    assertThat(two.takes(NOW.plus(Duration.ofHours(24)).plusSeconds(1))).isEmpty();
  }

  /** A plan that stood still for a night while a ring was repaired. */
  @Test
  void waitingForOtherWorkIsNotTakenForWhatAMoveTakes() {
    Optional<PlanCosts> waited =
        PlanCosts.after(Optional.empty(), OptionalDouble.of(8), 10, Duration.ofHours(9), NOW);

    assertThat(waited.orElseThrow().takes(NOW)).hasValue(60);
  }

  @Test
  void onlyPartitionsThatThePlanHasMovedAreCounted() {
    Plan plan =
        plan(move(1), move(2), new Action.Compact(new PartitionId("t", "p1"), 0.9), move(3));

    assertThat(PlanCosts.disturbed(plan, Set.of(1, 2, 3))).isEqualTo(2);
  }

  @Test
  void whatNodesCostThatComeAndGoIsNotThatOfMoves() {
    Plan plan = plan(move(1), new Action.AddNode(1, Profile.HOMOGENEOUS), move(2));

    assertThat(PlanCosts.disturbed(plan, Set.of(1, 2, 3))).isZero();
  }
}
