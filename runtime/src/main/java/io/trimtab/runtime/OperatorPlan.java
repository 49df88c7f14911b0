package io.trimtab.runtime;

import io.trimtab.controller.guard.Guard;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.SharedState;
import io.trimtab.engineapi.SharedState.Holder;
import io.trimtab.engineapi.SharedState.Life;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.runtime.control.ControlDocuments;
import io.trimtab.runtime.control.EmptiedNode;
import io.trimtab.runtime.control.Tenure;
import io.trimtab.runtime.journal.Journal;
import io.trimtab.runtime.journal.Memory;
import io.trimtab.runtime.journal.PlanOutcome;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Executes a plan ordered by an operator in the same way as the control loop: as the only
 * controller, journaled, only within all limits of the guard, and stoppable by the kill switch.
 */
public final class OperatorPlan {
  private OperatorPlan() {}

  /**
   * Executes the plan.
   *
   * @param command that orders it, for the journal
   * @param order the plan; its own policy state is ignored
   * @param remember the policy state to store
   * @param stop polled; the plan is ended and undone when it is true, as by the kill switch
   * @throws EngineException if there is another controller, the guard refuses the plan, or the node
   *     provider's first answer makes no sense and nothing was changed
   */
  public static Executor.Outcome carryOut(
      LoopContext context,
      String command,
      Decision.Act order,
      UnaryOperator<PolicyState> remember,
      BooleanSupplier stop)
      throws EngineException {
    return carryOut(context, command, order, remember, stop, now -> {});
  }

  /**
   * The same with a last look.
   *
   * @param check of the cluster, when this is its only controller; what it throws ends the order
   */
  public static Executor.Outcome carryOut(
      LoopContext context,
      String command,
      Decision.Act order,
      UnaryOperator<PolicyState> remember,
      BooleanSupplier stop,
      Consumer<ClusterSnapshot> check)
      throws EngineException {
    Engine engine = context.engine();
    try (Succession.Ordered control = Succession.order(context, command, stop)) {
      Tenure tenure = control.tenure();
      requireNoneOpen(tenure.journal().unfinished());
      requireInService(engine);
      // Not from before: until then another controller may have changed the balancer.
      ClusterSnapshot now = context.wholeSnapshot(control::stopAsked);
      check.accept(now);
      requireAllowed(context, order.plan(), now, tenure.journal().lastPlanEnded());
      control.state().register();
      try {
        Executor.Outcome outcome =
            new Executor(
                    context,
                    tenure,
                    control::stopAsked,
                    () -> true,
                    control::stopAskedBy,
                    UnaryOperator.identity())
                // Whoever made it: which policy acts here is not chosen by an order.
                .begin(
                    order.plan().orderedBy(command),
                    now.balancer(),
                    remember.apply(tenure.journal().policyState()),
                    Optional.empty());
        if (outcome.how() == PlanOutcome.REFUSED) {
          throw new EngineException(outcome.why());
        }
        return outcome;
      } finally {
        control.state().unregister();
      }
    }
  }

  /**
   * Looks whether an order would be refused, as far as that is known without control of the
   * cluster, and changes nothing.
   *
   * @throws EngineException what {@link #carryOut} would throw, but for that of another controller
   */
  public static void check(LoopContext context, Plan plan) throws EngineException {
    SharedState shared = context.engine().shared();
    ControlDocuments.Found left = ControlDocuments.read(shared);
    Optional<Holder> holder = shared.holder().filter(h -> h.life() != Life.GONE);
    if (left.open().isPresent() && holder.isPresent()) {
      throw new EngineException(holder.get().name() + " carries out another plan");
    }
    requireNoneOpen(left.open());
    requireInService(context.engine());
    requireAllowed(
        context,
        plan,
        context.wholeSnapshot(() -> false),
        left.memory().flatMap(Memory::lastPlanEnded));
  }

  /**
   * Before an order.
   *
   * @throws EngineException if an earlier plan has not ended
   */
  public static void requireNoneOpen(Optional<Journal.Unfinished> open) throws EngineException {
    if (open.isPresent()) {
      throw new EngineException(
          "a plan was left unfinished: `trimtab run --act` continues it, `trimtab release"
              + " --abandon` tidies up after it");
    }
  }

  /**
   * Before an order.
   *
   * @throws EngineException with what the guard says, if it refuses the plan
   */
  public static void requireAllowed(
      LoopContext context, Plan plan, ClusterSnapshot now, Optional<Instant> lastPlanEnded)
      throws EngineException {
    Guard.Verdict verdict =
        Guard.checkOrdered(
            plan,
            now,
            lastPlanEnded,
            context.offer(),
            context.settings(),
            context.ports().clock().instant());
    if (verdict instanceof Guard.Verdict.Refuse refuse) {
      throw new EngineException(
          refuse.setting().isEmpty()
              ? refuse.reason()
              : refuse.reason() + "; the setting: " + refuse.setting());
    }
  }

  /** What was moved off a node for a while would be part of what a plan is made on. */
  private static void requireInService(Engine engine) throws EngineException {
    Optional<EmptiedNode> emptied =
        ControlDocuments.emptied(engine.shared()).filter(left -> !left.home().isEmpty());
    if (emptied.isPresent()) {
      throw new EngineException(
          "node %s was taken out of service by %s and is not put back: `trimtab model build"
                  .formatted(emptied.get().node(), emptied.get().by())
              + " --put-back` or `trimtab run --act` does it");
    }
  }
}
