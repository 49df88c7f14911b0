package io.trimtab.runtime;

import io.trimtab.controller.pace.UsersLevel;
import io.trimtab.controller.place.UsagePrediction;
import io.trimtab.controller.plan.OwedCleanups;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.LostControlException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.runtime.control.BalancerPause;
import io.trimtab.runtime.control.FirstAnswer;
import io.trimtab.runtime.control.Tenure;
import io.trimtab.runtime.journal.ActionOutcome;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.Journal;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.journal.UsersBefore;
import io.trimtab.runtime.ports.Workers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes a plan in its order; adjacent moves and compactions run several at a time, all other
 * actions alone. Each action is recorded before it starts and after it ends, limited in time, and
 * retried if it fails; before each batch the cluster is looked at again ({@link PlanWatch}). The
 * engine's own balancing is off meanwhile and always restored afterwards, unless control is lost:
 * then nothing is touched any more.
 */
public final class Executor {
  private static final Logger LOG = LoggerFactory.getLogger(Executor.class);

  /** For an action that was told to end; tidying up beside it could undo what it still does. */
  private static final Duration END_LIMIT = Duration.ofSeconds(30);

  /** How a plan ended. */
  public record Outcome(PlanOutcome how, String why) {
    public boolean done() {
      return how == PlanOutcome.DONE;
    }
  }

  private final LoopContext context;
  private final Tenure tenure;
  private final BooleanSupplier stop;
  private final BooleanSupplier undo;
  private final Supplier<String> stoppedBy;
  private final UnaryOperator<BalancerState> between;
  private final Urgency urgency;
  private final Tries tries;
  private final BalancerPause pause;
  private Optional<Untidied> untidied = Optional.empty();

  /** A plan that has ended as told, except for its clean-up. */
  private record Untidied(Journal.Unfinished open, Outcome outcome) {}

  /** An executor of a controller that is not told who requests its stop. */
  public Executor(
      LoopContext context,
      Tenure tenure,
      BooleanSupplier stop,
      BooleanSupplier undo,
      UnaryOperator<BalancerState> between) {
    this(context, tenure, stop, undo, () -> "", between);
  }

  /**
   * Creates an executor.
   *
   * @param stop polled before each batch of actions and during actions; ends the plan
   * @param undo whether a stop also undoes what goes on inside the database: a node that joins or
   *     leaves a ring; otherwise the next controller continues the plan
   * @param stoppedBy who requested the stop, for the journal; empty if that is not known
   * @param between the state of the engine's own balancing after a plan, given that from before
   */
  public Executor(
      LoopContext context,
      Tenure tenure,
      BooleanSupplier stop,
      BooleanSupplier undo,
      Supplier<String> stoppedBy,
      UnaryOperator<BalancerState> between) {
    this.context = context.heldBy(tenure);
    this.tenure = tenure;
    this.stop = stop;
    this.undo = undo;
    this.stoppedBy = stoppedBy;
    this.between = between;
    this.urgency = new Urgency(this.context);
    this.tries = new Tries(this.context, this::ending);
    this.pause = this.context.pause(this::ending);
  }

  /** What plans give way to; whoever looks at the cluster between plans lets it know. */
  Urgency urgency() {
    return urgency;
  }

  /** Starts a plan for which nothing is predicted; as the other. */
  public Outcome begin(
      Plan plan, BalancerState before, PolicyState next, Optional<UsersLevel> users) {
    return begin(new Decision.Act(plan, next), before, users);
  }

  /**
   * Starts a plan that is not recorded yet.
   *
   * @param users the level of users' requests before it; empty if it is not known
   * @throws io.trimtab.config.UserError if the journal can't be written, after tidying up
   */
  Outcome begin(Decision.Act decision, BalancerState before, Optional<UsersLevel> users) {
    Plan plan = decision.plan();
    Entry.PlanStarted start =
        new Entry.PlanStarted(
            now(),
            plan,
            before,
            decision.next(),
            UsersBefore.of(users).orElse(null),
            decision.predicted().map(UsagePrediction::from).orElse(null));
    try {
      tenure.record(start);
    } catch (LostControlException e) {
      return lost(plan, e);
    } catch (EngineException e) {
      LOG.warn("plan {} was not begun", plan.id(), e);
      // The cluster may know of it, and the next controller would carry it out.
      Outcome none = new Outcome(PlanOutcome.STOPPED, "it was not begun: " + e.getMessage());
      return end(Journal.Unfinished.of(start), none, OptionalDouble.empty());
    }
    context.faults().reached("plan-started");
    return resume(Journal.Unfinished.of(start));
  }

  /** Abandons an unfinished plan: no further action is executed, and the cluster is restored. */
  public Outcome abandon(Journal.Unfinished left, String why) {
    return end(left, new Outcome(PlanOutcome.ABANDONED, why), OptionalDouble.empty());
  }

  /**
   * Tries the clean-up after a plan again where it has failed; until then no other plan may begin,
   * since it would overwrite what is known of the first one's nodes and of the balancer.
   *
   * @return empty if there is none to be made up for
   */
  public Optional<Outcome> tidyAgain() {
    return untidied.map(left -> end(left.open(), left.outcome(), OptionalDouble.empty()));
  }

  /** Continues an unfinished plan of an earlier controller; as {@link #begin}. */
  public Outcome resume(Journal.Unfinished open) {
    Plan plan = open.plan();
    Map<NodeId, NodeId> added = open.added();
    boolean resumed = !open.begun().isEmpty() || !open.ended().isEmpty();
    PlanPace pace = new PlanPace(context, open.users().map(UsersBefore::level));
    Underway underway = Underway.of(open);
    PlanWatch watch =
        new PlanWatch(context, plan, open.startedAt(), this::ending, urgency, pace, underway);
    Optional<FirstAnswer> unusable = Optional.empty();
    Outcome outcome = new Outcome(PlanOutcome.DONE, "every action has ended");
    Optional<RuntimeException> thrown = Optional.empty();
    try {
      boolean paused = false;
      Batches left = new Batches(plan, open.ended(), context.settings().guard());
      while (!left.isEmpty()) {
        List<PlannedAction> next = left.next(pace::atOnce);
        Optional<ClusterSnapshot> now =
            ending() ? Optional.empty() : watch.before(next, added, left.atOnceMax());
        if (now.isEmpty()) {
          throw new Stopped(underway.in(next));
        }
        // The pace may have changed while it was waited for; more was not looked at.
        List<PlannedAction> slower = left.next(pace::atOnce);
        List<PlannedAction> batch = next.containsAll(slower) ? slower : next;
        if (!paused && !underway.goesOn(batch, now.get())) {
          // Not before a look that permits it: who continues a plan has seen nothing yet.
          BalancerPause.End end = pause.run();
          if (end == BalancerPause.End.STOPPED) {
            throw new Stopped(underway.in(batch));
          }
          context.faults().reached("balancer-paused");
          paused = true;
          if (end == BalancerPause.End.AFTER_A_WAIT) {
            pace.waits();
            continue;
          }
        }
        batch(plan, batch, added, now.get(), underway);
        left.done(batch);
      }
    } catch (LostControlException e) {
      return lost(plan, e);
    } catch (Stopped e) {
      Optional<String> goesOn = InsideDatabase.goesOn(e.during, watch.last(), context.engine());
      if (goesOn.isPresent() && !undo.getAsBoolean() && tenure.lock().held()) {
        return detached(plan, goesOn.get());
      }
      outcome = new Outcome(PlanOutcome.STOPPED, stopped());
    } catch (EngineException e) {
      LOG.warn("plan {} is abandoned", plan.id(), e);
      outcome = new Outcome(PlanOutcome.ABANDONED, e.getMessage());
      unusable = FirstAnswer.of(e, tenure.journal().unfinished(), context.provider());
    } catch (RuntimeException e) {
      // A full disk, or a defect: the cluster is not left with its balancer off.
      LOG.error("plan {} is abandoned", plan.id(), e);
      outcome = new Outcome(PlanOutcome.ABANDONED, String.valueOf(e.getMessage()));
      thrown = Optional.of(e);
    }
    try {
      // Of a plan that an earlier controller began only a part was seen.
      OptionalDouble lost = resumed ? OptionalDouble.empty() : pace.lostSeconds();
      Outcome ended = end(open, new Outcome(outcome.how(), outcome.why() + pace.cost()), lost);
      Optional<String> refusal = unusable.flatMap(answer -> answer.refusal(ended.how()));
      return refusal.map(why -> new Outcome(PlanOutcome.REFUSED, why)).orElse(ended);
    } finally {
      if (thrown.isPresent()) {
        throwAgain(thrown.get());
      }
    }
  }

  private static void throwAgain(RuntimeException e) {
    throw e;
  }

  private String stopped() {
    String by = stoppedBy.get();
    return "a stop was requested" + (by.isEmpty() ? "" : " by " + by);
  }

  /**
   * Whether a plan must end now, and none may begin: by request, or because this is no longer the
   * controller.
   */
  boolean ending() {
    return stop.getAsBoolean() || !tenure.lock().held();
  }

  /** The same while an action runs, which may take long. */
  private boolean endingMeanwhile(Action action) {
    urgency.lookMeanwhile();
    return Tries.mayBeCutShort(action) ? ending() : !tenure.lock().held();
  }

  /** Leaves everything as it is: the next controller resumes or abandons the plan. */
  private Outcome lost(Plan plan, LostControlException e) {
    LOG.error("plan {} is left to the next controller", plan.id(), e);
    Outcome outcome = new Outcome(PlanOutcome.LOST, e.getMessage());
    context.listener().planEnded(plan, outcome.how(), outcome.why());
    return outcome;
  }

  private Outcome end(Journal.Unfinished open, Outcome ended, OptionalDouble lost) {
    Plan plan = open.plan();
    untidied = Optional.of(new Untidied(open, ended));
    Journal.Unfinished now = tenure.journal().unfinished().orElse(open);
    String owed = OwedCleanups.text(plan, now.ended(), !now.added().isEmpty());
    Outcome outcome = new Outcome(ended.how(), ended.why() + owed);
    context.faults().reached("before-restore");
    try {
      tenure.lock().require();
      Tidying tidying = new Tidying(context, tenure);
      if (outcome.done()) {
        tidying.after(between.apply(open.before()));
      } else {
        tidying.afterPart(open, between.apply(open.before()));
      }
      context.faults().reached("restored");
      Double usersLost = lost.isPresent() ? lost.getAsDouble() : null;
      tenure.record(new Entry.PlanEnded(now(), plan.id(), outcome.how(), outcome.why(), usersLost));
    } catch (LostControlException e) {
      return lost(plan, e);
    } catch (EngineException e) {
      // Left open with the cluster, so that the next controller puts it right.
      LOG.error("plan {}: the clean-up of the cluster failed", plan.id(), e);
      return new Outcome(PlanOutcome.UNFINISHED, "clean-up failed: " + e.getMessage());
    }
    untidied = Optional.empty();
    context.faults().reached("plan-ended");
    context.listener().planEnded(plan, outcome.how(), outcome.why());
    return outcome;
  }

  /** A stop was requested, possibly during an action. */
  private static final class Stopped extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient Optional<Action> during;

    Stopped(Optional<Action> during) {
      this.during = during;
    }
  }

  private Outcome detached(Plan plan, String what) {
    Outcome outcome =
        new Outcome(
            PlanOutcome.DETACHED,
            what
                + " inside the database; the next `trimtab run --act` continues the plan, with"
                + " --abandon it undoes it");
    context.listener().planEnded(plan, outcome.how(), outcome.why());
    return outcome;
  }

  private void batch(
      Plan plan,
      List<PlannedAction> batch,
      Map<NodeId, NodeId> added,
      ClusterSnapshot now,
      Underway underway)
      throws EngineException, Stopped {
    int of = plan.actions().size();
    Performer performer = new Performer(context, tenure, plan.id(), added, now);
    List<Workers.Task<Performer.Performed>> tasks = new ArrayList<>();
    AtomicBoolean cancelled = new AtomicBoolean();
    try {
      for (PlannedAction planned : batch) {
        if (ending()) {
          throw new Stopped(underway.in(batch));
        }
        tenure.record(new Entry.ActionStarted(now(), planned.step()));
        context.faults().reached("action-started-" + planned.step());
        tenure.lock().require();
        context.listener().started(planned, of);
        tasks.add(
            context
                .ports()
                .workers()
                .begin(() -> tries.of(planned.action(), performer, cancelled)));
      }
      EngineException failed = null;
      for (int i = 0; i < batch.size(); i++) {
        PlannedAction planned = batch.get(i);
        Performer.Performed came;
        try {
          came = await(tasks.get(i), planned.action());
        } catch (LostControlException e) {
          throw e;
        } catch (EngineException e) {
          if (ending()) {
            // It may have failed because it was told to end.
            LOG.warn("{} has failed at a stop", planned.action(), e);
            throw new Stopped(Optional.of(planned.action()));
          }
          failed = e;
          came = new Performer.Performed(ActionOutcome.FAILED, e.getMessage());
        }
        context.faults().reached("action-performed-" + planned.step());
        tenure.record(new Entry.ActionEnded(now(), planned.step(), came.outcome(), came.detail()));
        context.faults().reached("action-ended-" + planned.step());
        context.listener().ended(planned, of, came.outcome(), came.detail());
      }
      if (failed != null) {
        throw failed;
      }
    } finally {
      cancelled.set(true);
      tasks.forEach(Workers.Task::cancel);
      for (Workers.Task<?> task : tasks) {
        if (!task.ended(END_LIMIT)) {
          LOG.error("an action of plan {} goes on although it was told to end", plan.id());
        }
      }
    }
  }

  private Performer.Performed await(Workers.Task<Performer.Performed> task, Action action)
      throws EngineException, Stopped {
    try {
      return task.await(() -> endingMeanwhile(action))
          .orElseThrow(() -> new Stopped(Optional.of(action)));
    } catch (ExecutionException e) {
      throw Workers.failure("an action", e);
    }
  }

  private Instant now() {
    return context.ports().clock().instant();
  }
}
