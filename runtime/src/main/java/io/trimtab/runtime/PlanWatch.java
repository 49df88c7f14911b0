package io.trimtab.runtime;

import io.trimtab.controller.guard.Guard;
import io.trimtab.controller.guard.Preconditions;
import io.trimtab.controller.guard.UnreadNodes;
import io.trimtab.controller.maintenance.RingChanges;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.LostControlException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the cluster again before each batch of a plan's actions, and ends the plan if it must
 * not go on: what held when the plan was made need not hold later.
 */
final class PlanWatch {
  private static final Logger LOG = LoggerFactory.getLogger(PlanWatch.class);

  /** A region in transition, or a page that was not read, is often over in seconds. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** For a node that may be leaving: to undo that takes longer, if it is. */
  private static final Duration SILENT = Duration.ofMinutes(10);

  private static final Duration PAUSE = Duration.ofSeconds(2);

  private final LoopContext context;
  private final Plan plan;
  private final Instant begun;
  private final Set<NodeId> expectedDead;
  private final BooleanSupplier ending;
  private final Urgency urgency;
  private final PlanPace pace;
  private final Underway underway;

  /** Whether the last look was one at which it waited for other work. */
  private boolean awaiting;

  /** As of the last look at the cluster; empty before the first. */
  private Optional<ClusterSnapshot> last = Optional.empty();

  /**
   * @param begun when the plan was started, possibly by an earlier controller
   * @param ending ends the waiting
   * @param urgency what the plan gives way to
   * @param pace how fast it may go on
   * @param underway what is only waited for
   */
  PlanWatch(
      LoopContext context,
      Plan plan,
      Instant begun,
      BooleanSupplier ending,
      Urgency urgency,
      PlanPace pace,
      Underway underway) {
    this.context = context;
    this.plan = plan;
    this.begun = begun;
    this.expectedDead = Preconditions.expectedDead(plan).collect(Collectors.toSet());
    this.ending = ending;
    this.urgency = urgency;
    this.pace = pace;
    this.underway = underway;
  }

  /** The cluster when it was last looked at; empty before the first look. */
  Optional<ClusterSnapshot> last() {
    return last;
  }

  /**
   * Returns when the batch may begin, with the cluster as it is; empty if a stop was requested
   * meanwhile.
   *
   * @param added nodes by the plan's placeholders
   * @param atOnce actions like the batch's that may run at the same time
   * @throws EngineException with the reason, if the plan must not go on
   */
  Optional<ClusterSnapshot> before(List<PlannedAction> batch, Map<NodeId, NodeId> added, int atOnce)
      throws EngineException {
    long waitedSinceNs = context.ports().time().nanos();
    boolean mayGoOn = underway.in(batch).isPresent();
    boolean mayLeave = false;
    // Where nothing begins, a cluster that does not answer is a reason to wait on.
    Duration patience = mayGoOn ? context.settings().guard().planLimit() : PATIENCE;
    while (!ending.getAsBoolean()) {
      String problem;
      try {
        if (!mayGoOn && !mayLeave) {
          endIfOver();
        }
        ClusterSnapshot seen = context.engine().snapshot();
        last = Optional.of(seen);
        context.machines().seen(seen);
        if (underway.goesOn(batch, seen)) {
          urgency.observe(seen);
          return last;
        }
        mayGoOn = false;
        Optional<NodeId> silent = underway.silent(batch, seen);
        Optional<String> unsafe;
        mayLeave = silent.isPresent();
        if (mayLeave) {
          patience = SILENT;
          unsafe = Optional.of("node %s may be leaving, and can't be read".formatted(silent.get()));
        } else {
          patience = PATIENCE;
          endIfOver();
          unsafe = unsafe(batch, seen, added);
        }
        if (unsafe.isEmpty()) {
          boolean awaits = awaits(batch, seen);
          if (awaits) {
            pace.waits();
          } else {
            pace.look(seen, atOnce);
          }
          if (!awaits && !pauses()) {
            pace.goesOn();
            return last;
          }
          waitedSinceNs = context.ports().time().nanos();
          continue;
        }
        problem = unsafe.get();
      } catch (LostControlException e) {
        throw e;
      } catch (Violated e) {
        throw new EngineException(e.getMessage(), e);
      } catch (EngineException e) {
        problem = e.getMessage();
      }
      if (context.ports().time().nanos() - waitedSinceNs > patience.toNanos()) {
        throw new EngineException(
            "the plan can't go on: %s, for %d s".formatted(problem, patience.toSeconds()));
      }
      LOG.info("plan {} waits: {}", plan.id(), problem);
      context.ports().waiter().pause(PAUSE, ending);
    }
    return Optional.empty();
  }

  private void endIfOver() throws Violated {
    Optional<Guard.Verdict.Refuse> over = Guard.over(begun, context.settings(), now());
    if (over.isPresent()) {
      throw new Violated(text(over.get()));
    }
  }

  /**
   * Why the batch must not begin yet; empty if it may.
   *
   * @throws Violated if it must never begin
   */
  private Optional<String> unsafe(
      List<PlannedAction> batch, ClusterSnapshot seen, Map<NodeId, NodeId> added) throws Violated {
    giveWay(seen);
    Optional<Guard.Verdict.Refuse> unsafe =
        Guard.unsafe(seen, context.settings(), now(), expectedDead);
    if (unsafe.isPresent()) {
      return unsafe.map(PlanWatch::text);
    }
    // A page that was not read is often over in seconds.
    Optional<Guard.Verdict.Refuse> unread = UnreadNodes.touched(batch, seen, added);
    if (unread.isPresent()) {
      return unread.map(PlanWatch::text);
    }
    Optional<String> violated =
        Preconditions.violated(batch, seen, added)
            .or(() -> Preconditions.violatedByRest(from(batch.get(0)), seen, added));
    if (violated.isPresent()) {
      throw new Violated(violated.get());
    }
    Optional<Guard.Verdict.Refuse> forbidden =
        Guard.forbids(batch, seen, added, context.settings());
    if (forbidden.isPresent()) {
      throw new Violated(text(forbidden.get()));
    }
    return Optional.empty();
  }

  /** What is left of the plan; what has ended there already is judged as done. */
  private List<PlannedAction> from(PlannedAction next) {
    return plan.actions().stream().filter(planned -> planned.step() >= next.step()).toList();
  }

  /**
   * Pauses where users notice the plan.
   *
   * @return whether the cluster must be looked at again
   */
  private boolean pauses() throws Violated {
    Optional<String> tooLow = pace.tooLow();
    if (tooLow.isPresent()) {
      throw new Violated(tooLow.get());
    }
    Duration pause = pace.pause();
    if (pause.isZero()) {
      return false;
    }
    if (pace.beginsToWait()) {
      LOG.info("plan {} waits: {}", plan.id(), pace.reason());
      context.listener().waits(plan, pace.reason());
    }
    context.ports().waiter().pause(pause, ending);
    pace.paused(pause);
    return true;
  }

  /**
   * Waits for work that a node that joins or leaves would make fail; a plan of which nothing was
   * begun ends instead, since what it was decided on will be old.
   *
   * @return whether the cluster must be looked at again
   */
  private boolean awaits(List<PlannedAction> batch, ClusterSnapshot seen) throws Violated {
    Optional<String> busy =
        RingChanges.awaited(batch, seen, urgency.busy(), urgency.slow(), context.settings());
    if (busy.isPresent()) {
      boolean first = batch.get(0).step() == plan.actions().get(0).step();
      if (first && underway.in(batch).isEmpty()) {
        throw new Violated(busy.get());
      }
      if (!awaiting) {
        LOG.info("plan {} waits: {}", plan.id(), busy.get());
        context.listener().waits(plan, busy.get());
      }
      context.ports().waiter().pause(context.settings().observe().period(), ending);
    }
    awaiting = busy.isPresent();
    return awaiting;
  }

  /** Ends the plan for a dead node that can be replaced now, unless the plan is about that node. */
  private void giveWay(ClusterSnapshot seen) throws Violated {
    Instant now = now();
    urgency.observe(seen);
    Optional<NodeId> due =
        urgency
            .due(seen)
            .filter(node -> !expectedDead.contains(node))
            .filter(node -> UnreadNodes.involved(seen, node).isEmpty())
            .filter(node -> Guard.unsafe(seen, context.settings(), now, Set.of(node)).isEmpty());
    if (due.isPresent()) {
      throw new Violated("gives way: node " + due.get() + " is dead and is replaced first");
    }
  }

  private static String text(Guard.Verdict.Refuse refuse) {
    return refuse.setting().isEmpty()
        ? refuse.reason()
        : refuse.reason() + " (" + refuse.setting() + ")";
  }

  private Instant now() {
    return context.ports().clock().instant();
  }

  private static final class Violated extends Exception {
    private static final long serialVersionUID = 1L;

    Violated(String message) {
      super(message);
    }
  }
}
