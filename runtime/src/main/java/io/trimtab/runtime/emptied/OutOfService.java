package io.trimtab.runtime.emptied;

import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.LostControlException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.runtime.Executor;
import io.trimtab.runtime.LoopContext;
import io.trimtab.runtime.OperatorPlan;
import io.trimtab.runtime.Succession;
import io.trimtab.runtime.control.BalancerHold;
import io.trimtab.runtime.control.EmptiedNode;
import io.trimtab.runtime.control.Tenure;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.ports.Workers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a node out of service, has something done with it, and puts everything back, under one
 * lock: its partitions, the tables that were made, and the engine's own balancing, which is off
 * meanwhile. The cluster keeps what is to be put back before anything is changed, so that whoever
 * has control next can do it after a controller that was killed.
 */
public final class OutOfService {
  private static final Logger LOG = LoggerFactory.getLogger(OutOfService.class);

  /** For work that was told to end; the load that it causes ends with it. */
  private static final Duration END_LIMIT = Duration.ofSeconds(60);

  private static final String NEXT =
      "; to go on: trimtab model build --put-back, or the next trimtab run --act";

  /** What is done with the node while it serves nobody else. */
  @FunctionalInterface
  public interface Work {
    /**
     * @param engine changes nothing once control is lost
     */
    void on(Engine engine) throws Exception;
  }

  /**
   * What is ordered.
   *
   * @param command that orders it, for the journal
   * @param plan moves of all partitions of the node, as {@code TakenOut} made it
   * @param tables that the work makes; there must be none of these names
   */
  public record Order(String command, NodeId node, Plan plan, List<String> tables) {
    public Order {
      tables = List.copyOf(tables);
    }
  }

  private final LoopContext context;
  private final LoopContext held;
  private final Tenure tenure;
  private final BalancerHold hold;
  private final BooleanSupplier ending;
  private final PutBack putBack;

  private OutOfService(
      LoopContext context, Tenure tenure, boolean holdBalancer, BooleanSupplier ending)
      throws EngineException {
    this.context = context;
    this.held = context.heldBy(tenure);
    this.tenure = tenure;
    this.ending = () -> ending.getAsBoolean() || !tenure.lock().held();
    this.hold =
        new BalancerHold(
            held.engine(), tenure, holdBalancer, held.pause(this.ending), context.ports());
    // Who has asked for the end wants this most of all.
    this.putBack = new PutBack(context, tenure, () -> false, hold::between);
  }

  /**
   * Carries out an order.
   *
   * @param stop polled; the work is interrupted, and all is put back, when it is true, as by the
   *     kill switch
   * @param tables deletes what the work has made
   * @return how the work ended; {@link PlanOutcome#UNFINISHED} if something could not be put back
   * @throws EngineException if there is another controller, the node can't be taken out, or the
   *     work has failed; then all was put back, or the message says what is left
   */
  public static Executor.Outcome during(
      LoopContext context, Order order, BooleanSupplier stop, PutBack.Tables tables, Work work)
      throws EngineException {
    return inControl(
        context, order.command(), true, stop, out -> out.carryOut(order, tables, work));
  }

  /**
   * Puts back what a command that was killed has taken out of service.
   *
   * @param command that orders it, for the journal
   * @return how it ended; empty if there was nothing to be put back
   */
  public static Optional<Executor.Outcome> putBack(
      LoopContext context, String command, PutBack.Tables tables) throws EngineException {
    return inControl(
        context,
        command,
        false,
        () -> false,
        out -> {
          boolean any = out.putBack.left().isPresent();
          Executor.Outcome outcome = out.back(tables);
          return any ? Optional.of(outcome) : Optional.empty();
        });
  }

  /** What is done in control of the cluster. */
  @FunctionalInterface
  private interface Step<R> {
    R run(OutOfService out) throws EngineException;
  }

  private static <R> R inControl(
      LoopContext context, String command, boolean holdBalancer, BooleanSupplier stop, Step<R> step)
      throws EngineException {
    try (Succession.Ordered control = Succession.order(context, command, stop)) {
      control.state().register();
      try {
        return step.run(
            new OutOfService(context, control.tenure(), holdBalancer, control::stopAsked));
      } catch (LostControlException e) {
        control.tenure().lost(context.ports().clock().instant(), e.getMessage());
        throw e;
      } finally {
        control.state().unregister();
      }
    }
  }

  private Executor.Outcome carryOut(Order order, PutBack.Tables tables, Work work)
      throws EngineException {
    Optional<Instant> lastPlanEnded = tenure.journal().lastPlanEnded();
    // It would be overwritten.
    Optional<EmptiedNode> left = putBack.left();
    if (left.isPresent()) {
      throw new EngineException(
          "node %s was taken out of service by %s and is not put back whole"
                  .formatted(left.get().node(), left.get().by())
              + NEXT);
    }
    ClusterSnapshot now = context.wholeSnapshot(ending);
    require(order, now, lastPlanEnded);
    Executor.Outcome outcome;
    try {
      if (hold.engage(now)) {
        now = context.wholeSnapshot(ending);
        require(order, now, lastPlanEnded);
      }
      reached("balancer-held");
      tenure.keep(emptied(order));
      reached("emptied-kept");
      outcome = empty(order, now);
      if (outcome.done()) {
        reached("emptied");
        outcome = done(work);
        reached("work-ended");
      }
    } catch (EngineException | RuntimeException e) {
      tenure.lock().require();
      Executor.Outcome back = back(tables);
      if (!back.done()) {
        throw new EngineException(e.getMessage() + "; " + back.why(), e);
      }
      if (ending.getAsBoolean()) {
        LOG.warn("{} has failed at a stop", order.command(), e);
        return stopped();
      }
      throw e;
    }
    tenure.lock().require();
    Executor.Outcome back = back(tables);
    return back.done() ? outcome : back;
  }

  private EmptiedNode emptied(Order order) {
    List<PartitionId> home =
        order.plan().actions(Action.Move.class).stream().map(Action.Move::partition).toList();
    return new EmptiedNode(
        order.node(),
        context.ports().clock().instant(),
        order.command() + " of " + tenure.lock().holder(),
        home,
        order.tables());
  }

  /** What the order was made on may be minutes old, and by another controller's time. */
  private void require(Order order, ClusterSnapshot now, Optional<Instant> lastPlanEnded)
      throws EngineException {
    OperatorPlan.requireNoneOpen(tenure.journal().unfinished());
    for (PartitionState partition : now.partitions()) {
      if (order.tables().contains(partition.id().table())) {
        throw new EngineException(
            "there is a table " + partition.id().table() + " already, and it is not deleted");
      }
    }
    if (!serves(now, order.node()).equals(moved(order))) {
      throw new EngineException(
          "node %s does not serve any more what it served when it was looked at; try again"
              .formatted(order.node()));
    }
    OperatorPlan.requireAllowed(context, order.plan(), now, lastPlanEnded);
  }

  private static Set<PartitionId> serves(ClusterSnapshot now, NodeId node) {
    return now.partitions().stream()
        .filter(p -> p.node().filter(node::equals).isPresent())
        .map(PartitionState::id)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<PartitionId> moved(Order order) {
    return order.plan().actions(Action.Move.class).stream()
        .map(Action.Move::partition)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private Executor.Outcome empty(Order order, ClusterSnapshot now) {
    if (order.plan().actions().isEmpty()) {
      return new Executor.Outcome(PlanOutcome.DONE, "it served nothing");
    }
    context.listener().planned(order.plan(), true);
    return new Executor(context, tenure, ending, () -> true, hold::between)
        .begin(
            order.plan(),
            hold.original(now.balancer()),
            tenure.journal().policyState(),
            Optional.empty());
  }

  /** The work runs beside, so that whoever asks for a stop need not wait for it. */
  private Executor.Outcome done(Work work) throws EngineException {
    Workers.Task<Boolean> task =
        context
            .ports()
            .workers()
            .begin(
                () -> {
                  work.on(held.engine());
                  return true;
                });
    try {
      return task.await(ending).isPresent()
          ? new Executor.Outcome(PlanOutcome.DONE, "the work has ended, and everything is back")
          : stopped();
    } catch (ExecutionException e) {
      if (ending.getAsBoolean()) {
        LOG.warn("the work has failed at a stop", e);
        return stopped();
      }
      throw failed(e.getCause());
    } finally {
      task.cancel();
      if (!task.ended(END_LIMIT)) {
        LOG.error("the work goes on although it was told to end");
      }
    }
  }

  private static Executor.Outcome stopped() {
    return new Executor.Outcome(PlanOutcome.STOPPED, "a stop was requested; everything is back");
  }

  private static EngineException failed(Throwable cause) {
    if (cause instanceof RuntimeException e) {
      throw e;
    }
    return cause instanceof EngineException e
        ? e
        : new EngineException(String.valueOf(cause.getMessage()), cause);
  }

  /** Every step is tried even if one before it has failed. */
  private Executor.Outcome back(PutBack.Tables tables) throws EngineException {
    reached("put-back");
    Optional<String> problem;
    try {
      problem = putBack.moves().filter(o -> !o.done()).map(Executor.Outcome::why);
    } catch (LostControlException e) {
      throw e;
    } catch (EngineException e) {
      problem = Optional.of(e.getMessage());
    }
    tenure.lock().require();
    try {
      putBack.drop(tables);
    } catch (LostControlException e) {
      throw e;
    } catch (EngineException e) {
      Optional<String> table = Optional.of(e.getMessage());
      problem = problem.or(() -> table);
    }
    Optional<String> kept = release();
    return problem
        .or(() -> kept)
        .map(why -> "not all is put back: " + why + NEXT)
        .map(why -> new Executor.Outcome(PlanOutcome.UNFINISHED, why))
        .orElseGet(() -> new Executor.Outcome(PlanOutcome.DONE, "everything is back"));
  }

  /**
   * Gives the engine's own balancing back; not beside an open plan, which needs it off.
   *
   * @return why it stays off; empty if it does not
   */
  private Optional<String> release() throws LostControlException {
    if (tenure.journal().unfinished().isPresent()) {
      return Optional.empty();
    }
    try {
      hold.release();
    } catch (LostControlException e) {
      throw e;
    } catch (EngineException e) {
      return Optional.of("the database's own balancing stays off: " + e.getMessage());
    }
    reached("balancer-released");
    return Optional.empty();
  }

  private void reached(String point) {
    context.faults().reached(point);
  }
}
