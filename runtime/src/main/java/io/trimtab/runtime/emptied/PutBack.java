package io.trimtab.runtime.emptied;

import io.trimtab.controller.guard.Guard;
import io.trimtab.controller.maintenance.TakenOut;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.LostControlException;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.runtime.Executor;
import io.trimtab.runtime.LoopContext;
import io.trimtab.runtime.control.ControlDocuments;
import io.trimtab.runtime.control.EmptiedNode;
import io.trimtab.runtime.control.Tenure;
import io.trimtab.runtime.journal.Journal;
import io.trimtab.runtime.journal.PlanOutcome;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts back what a command has taken out of service, whoever has control by now. Each step can be
 * repeated: what is to be done is what the cluster keeps, compared with the cluster as it is.
 */
public final class PutBack {
  private static final Logger LOG = LoggerFactory.getLogger(PutBack.class);

  /** A region in transition, or a master that restarts, is often over in seconds. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final Duration PAUSE = Duration.ofSeconds(2);

  /** Deletes a table of a measurement; does nothing if there is none. */
  @FunctionalInterface
  public interface Tables {
    void drop(String table) throws EngineException;
  }

  private final LoopContext context;
  private final LoopContext held;
  private final Tenure tenure;
  private final BooleanSupplier stop;
  private final UnaryOperator<BalancerState> between;

  /**
   * @param context whose blackouts do not hold this up
   * @param stop polled; ends the moves, and the next controller goes on
   * @param between the state of the engine's own balancing afterwards, as for {@link Executor}
   */
  public PutBack(
      LoopContext context,
      Tenure tenure,
      BooleanSupplier stop,
      UnaryOperator<BalancerState> between) {
    this.context = context.puttingBack();
    this.held = this.context.heldBy(tenure);
    this.tenure = tenure;
    this.stop = stop;
    this.between = between;
  }

  /**
   * Moves the partitions back. The plan of a command that was killed while it moved them is
   * abandoned first; of what it has done nothing is lost, as each partition is looked for.
   *
   * @return how that ended; empty if there was nothing to be moved
   */
  public Optional<Executor.Outcome> moves() throws EngineException {
    Optional<EmptiedNode> left = left();
    if (left.isEmpty() || left.get().home().isEmpty()) {
      return Optional.empty();
    }
    EmptiedNode emptied = left.get();
    Optional<Executor.Outcome> stuck = endsOpenPlan();
    if (stuck.isPresent()) {
      return stuck;
    }
    ClusterSnapshot now = look();
    Plan plan = TakenOut.back(now, emptied.node(), emptied.home());
    told(
        "node %s was taken out of service by %s at %s: %s moved back"
            .formatted(
                emptied.node(),
                emptied.by(),
                emptied.since().truncatedTo(ChronoUnit.SECONDS),
                Counted.are(plan.actions().size(), "partition")));
    if (!plan.actions().isEmpty()) {
      context.listener().planned(plan, true);
      Executor.Outcome outcome =
          executor().begin(plan, now.balancer(), tenure.journal().policyState(), Optional.empty());
      if (!outcome.done()) {
        return Optional.of(outcome);
      }
    }
    context.faults().reached("moved-back");
    tenure.keep(emptied.back());
    context.faults().reached("moved-back-kept");
    return Optional.of(new Executor.Outcome(PlanOutcome.DONE, "every partition is back"));
  }

  /**
   * Deletes the tables of the measurement.
   *
   * @throws EngineException the first failure, after all were tried; the cluster keeps the names
   */
  public void drop(Tables tables) throws EngineException {
    Optional<EmptiedNode> left = left();
    if (left.isEmpty()) {
      return;
    }
    EmptiedNode emptied = left.get();
    List<String> kept = new ArrayList<>();
    EngineException failed = null;
    for (String table : emptied.tables()) {
      tenure.lock().require();
      try {
        tables.drop(table);
      } catch (EngineException e) {
        LOG.error("table {} was not deleted", table, e);
        kept.add(table);
        failed = failed == null ? e : failed;
      } catch (RuntimeException e) {
        LOG.error("table {} was not deleted", table, e);
        kept.add(table);
        String why = "table %s can't be deleted: %s".formatted(table, e.getMessage());
        failed = failed == null ? new EngineException(why, e) : failed;
      }
    }
    context.faults().reached("tables-dropped");
    tenure.keep(
        new EmptiedNode(emptied.node(), emptied.since(), emptied.by(), emptied.home(), kept));
    context.faults().reached("tables-dropped-kept");
    if (failed != null) {
      throw failed;
    }
  }

  /**
   * What a controller does that decides by itself: it moves the partitions back once, and what
   * could not be moved is left to its policy, since it would be elsewhere by the next time.
   *
   * @throws EngineException if the cluster can't be put back now, and is to be left as it is
   */
  public void beforeDecisions() throws EngineException {
    Optional<Executor.Outcome> outcome = moves();
    if (outcome.filter(o -> o.how() == PlanOutcome.ABANDONED).isPresent()) {
      told("not all is moved back, the policy places the rest: " + outcome.get().why());
      tenure.keep(left().orElseThrow().back());
    } else if (outcome.filter(o -> o.how() == PlanOutcome.UNFINISHED).isPresent()) {
      throw new EngineException(outcome.get().why());
    }
    tellTables();
  }

  /** Tells of tables that are left when all partitions are back: only a command deletes tables. */
  public void tellTables() throws EngineException {
    left()
        .filter(emptied -> emptied.home().isEmpty())
        .ifPresent(
            emptied ->
                told(
                    "of an interrupted measurement these tables are left: %s; to delete them:"
                            .formatted(String.join(", ", emptied.tables()))
                        + " trimtab model build --put-back"));
  }

  /** What the cluster keeps of a node that is out of service. */
  Optional<EmptiedNode> left() throws EngineException {
    return ControlDocuments.emptied(context.engine().shared());
  }

  /** How that ended where it goes on; no other plan may begin then. */
  private Optional<Executor.Outcome> endsOpenPlan() {
    Optional<Journal.Unfinished> open = tenure.journal().unfinished();
    return open.map(plan -> executor().abandon(plan, "what it has moved is put back"))
        .filter(outcome -> outcome.how() != PlanOutcome.ABANDONED);
  }

  private Executor executor() {
    return new Executor(context, tenure, stop, () -> true, between);
  }

  private void told(String what) {
    LOG.info("{}", what);
    context.listener().putBack(what);
  }

  /** A look at the cluster on which partitions can be looked for. */
  private ClusterSnapshot look() throws EngineException {
    long begunNs = context.ports().time().nanos();
    while (true) {
      String problem;
      try {
        ClusterSnapshot now = held.engine().snapshot();
        Optional<Guard.Verdict.Refuse> unsafe =
            Guard.unsafe(now, context.settings(), context.ports().clock().instant(), Set.of());
        if (unsafe.isEmpty()) {
          return now;
        }
        problem = unsafe.get().reason();
      } catch (LostControlException e) {
        throw e;
      } catch (EngineException e) {
        problem = e.getMessage();
      }
      tenure.lock().require();
      if (context.ports().time().nanos() - begunNs > PATIENCE.toNanos()) {
        throw new EngineException("partitions can't be moved back now: " + problem);
      }
      LOG.info("moving back waits: {}", problem);
      if (!context.ports().waiter().pause(PAUSE, stop)) {
        throw new EngineException("interrupted before partitions were moved back: " + problem);
      }
    }
  }
}
