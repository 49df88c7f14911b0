package io.trimtab.runtime.control;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Machine;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.NodeProvider.UnusableAnswerException;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.runtime.journal.Journal;
import io.trimtab.runtime.journal.PlanOutcome;
import java.util.Optional;

/**
 * What a node provider has answered to the first request of a plan, where that makes no sense. The
 * cluster is as it was, so the plan is refused, as by the guard, and has not failed half-way.
 *
 * @param said who has answered what
 * @param planId what the ids of the plan's requests begin with
 * @param started whether a machine was there before the plan was tidied up after, which gives back
 *     what nobody has heard of
 */
public record FirstAnswer(String said, String planId, NodeProvider provider, boolean started) {
  /**
   * The answer that has ended a plan.
   *
   * @param failed why the plan ends
   * @param open the plan, as far as it was carried out
   * @return empty if it ends for another reason, or something was done before
   */
  public static Optional<FirstAnswer> of(
      EngineException failed, Optional<Journal.Unfinished> open, Optional<NodeProvider> provider) {
    if (!(failed instanceof UnusableAnswerException) || provider.isEmpty()) {
      return Optional.empty();
    }
    return open.filter(FirstAnswer::nothingDone)
        .map(left -> left.plan().id())
        .map(
            plan ->
                new FirstAnswer(
                    failed.getMessage(), plan, provider.get(), hasStarted(provider.get(), plan)));
  }

  /** Asked once more later: one that can't tell now may tell then. */
  private static boolean hasStarted(NodeProvider provider, String planId) {
    try {
      return provider.machines().stream().anyMatch(machine -> isForThePlan(machine, planId));
    } catch (EngineException | RuntimeException e) {
      return false;
    }
  }

  /** Only these begin with a request to the provider; others have changed something before. */
  private static boolean nothingDone(Journal.Unfinished plan) {
    return plan.ended().isEmpty()
        && plan.added().isEmpty()
        && plan.plan().actions().stream()
            .filter(planned -> plan.begun().containsKey(planned.step()))
            .map(PlannedAction::action)
            .allMatch(FirstAnswer::asksForNode);
  }

  private static boolean asksForNode(Action action) {
    return action.as(Action.AddNode.class).isPresent()
        || action.as(Action.ReplaceNode.class).isPresent();
  }

  /**
   * Why the plan was refused, in one line, once it has been tidied up after.
   *
   * @param ended how the plan has ended
   * @return empty if something could not be put back, or a machine was started all the same
   */
  public Optional<String> refusal(PlanOutcome ended) {
    if (ended != PlanOutcome.ABANDONED || started) {
      return Optional.empty();
    }
    try {
      return provider.machines().stream().anyMatch(machine -> isForThePlan(machine, planId))
          ? Optional.empty()
          : Optional.of(said + "; nothing was changed");
    } catch (EngineException | RuntimeException e) {
      // The plan has ended already: whatever it is, it must not end the controller as well.
      return Optional.of(
          said
              + "; the cluster was not changed, but whether a machine was started is not known: "
              + e.getMessage());
    }
  }

  private static boolean isForThePlan(Machine machine, String planId) {
    return machine.requestId().startsWith(planId + "/");
  }
}
