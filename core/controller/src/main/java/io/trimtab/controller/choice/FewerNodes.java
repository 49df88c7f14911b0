package io.trimtab.controller.choice;

import io.trimtab.controller.choice.layout.Layout;
import io.trimtab.controller.choice.layout.LayoutWork;
import io.trimtab.controller.choice.layout.PlanWork;
import io.trimtab.controller.choice.layout.StepWork;
import io.trimtab.controller.choice.predict.Budget;
import io.trimtab.controller.choice.predict.Forecast;
import io.trimtab.controller.guard.Topology;
import io.trimtab.controller.policy.DecisionContext;
import io.trimtab.engineapi.NodeId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * One node fewer, and fewer, as long as all others stay below the target. One that holds more than
 * a plan may move is emptied by several, the last of which removes it.
 */
final class FewerNodes implements Generator {
  /** Usage of a partition that tells no node from another (ours). */
  private static final double IDLE = 1e-4;

  /** So that usages that differ in their last digits are alike. */
  private static final double ROUNDING = 1e-6;

  private final int least;
  private final Function<List<NodeId>, NodeId> leaves;

  /**
   * @param least nodes that there must be
   * @param leaves of nodes, the one that is given up first
   */
  FewerNodes(int least, Function<List<NodeId>, NodeId> leaves) {
    this.least = least;
    this.leaves = leaves;
  }

  @Override
  public List<Candidate> propose(Layout now, Evaluator evaluator) {
    List<Candidate> found = new ArrayList<>();
    Budget budget = evaluator.budget();
    Layout last = now;
    for (int fewer = 1; now.size() - fewer >= least; fewer++) {
      if (evenly(now, now.size() - fewer) > evaluator.target()) {
        break;
      }
      Layout layout = last.copy();
      if (!leave(layout)) {
        break;
      }
      new Relief(evaluator, budget, EnumSet.of(Relief.Kind.MOVE)).improve(layout);
      if (hasNewlyOver(now, layout, evaluator)) {
        break;
      }
      if (found.isEmpty() && evaluator.limits().plans(layout) > 1) {
        begun(now, evaluator).ifPresent(found::add);
      }
      if (!evaluator.limits().allow(LayoutWork.of(layout))) {
        break;
      }
      found.add(new Candidate(fewer == 1 ? "remove a node" : "remove " + fewer + " nodes", layout));
      last = layout;
    }
    return found;
  }

  /** Whether a node is above the target that is not now, or is further above it. */
  static boolean hasNewlyOver(Layout now, Layout layout, Evaluator evaluator) {
    layout.predictCaches();
    return layout
        .present()
        .filter(n -> evaluator.isOver(layout, n))
        .anyMatch(
            n ->
                n >= now.nodes()
                    || !evaluator.isOver(now, n)
                    || layout.usage(n) > now.usage(n) + ROUNDING);
  }

  /** Usage of each of so many nodes if all that nodes do now were shared out evenly. */
  static double evenly(Layout now, int nodes) {
    return Math.max(evenly(now, nodes, Forecast::cpu), evenly(now, nodes, Forecast::disk));
  }

  private static double evenly(Layout now, int nodes, ToDoubleFunction<Forecast> of) {
    double idle = of.applyAsDouble(now.load().none());
    double sum = now.present().mapToDouble(n -> of.applyAsDouble(now.forecast(n)) - idle).sum();
    return idle + sum / nodes;
  }

  /** Empties a node and takes it away. */
  boolean leave(Layout layout) {
    Optional<Integer> node = leaver(layout);
    if (node.isEmpty()) {
      return false;
    }
    empty(layout, node.get(), PlanWork.ANY);
    layout.remove(node.get());
    return true;
  }

  /**
   * As much of the first node as one plan may move. It counts as given back for its part of what is
   * left of the horizon when the last plan is done.
   */
  private Optional<Candidate> begun(Layout now, Evaluator evaluator) {
    Layout layout = now.copy();
    int node = leaver(layout).orElseThrow();
    Layout emptied = now.copy();
    empty(emptied, node, PlanWork.ANY);
    double plans = evaluator.limits().plans(emptied);
    // Others move, too, so that all stay below the target.
    if (plans <= 1 || !evaluator.isInTime(plans)) {
      return Optional.empty();
    }
    empty(layout, node, evaluator.limits().all());
    layout.give(node, evaluator.left(plans) / plans);
    return layout.count(node) == now.count(node) || hasNewlyOver(now, layout, evaluator)
        ? Optional.empty()
        : Optional.of(new Candidate("begin to empty a node, to remove it", layout));
  }

  /** The node that is given up first; empty if none may be. */
  private Optional<Integer> leaver(Layout layout) {
    List<NodeId> present = layout.names();
    NodeId name = leaves.apply(present);
    int node = layout.present().filter(n -> layout.name(n).equals(name)).findFirst().orElseThrow();
    Set<NodeId> gone =
        IntStream.range(0, layout.nodes())
            .filter(n -> n == node || !layout.isPresent(n))
            .mapToObj(layout::name)
            .collect(Collectors.toSet());
    DecisionContext context = layout.load().context();
    boolean stays =
        present.size() < 2
            || !layout.load().isFree(node)
            || !context.mayLeave(name, present)
            || Topology.refuses(context.seen().snapshot(), gone, 0).isPresent();
    return stays ? Optional.empty() : Optional.of(node);
  }

  /**
   * Partitions go where they are felt least, those that are asked for most first; those that nobody
   * asks for, to the nodes with the fewest: all of them would go to one, and may be asked for
   * again.
   *
   * @param most that is done; the next one stays, and all after it
   */
  private static void empty(Layout layout, int node, PlanWork most) {
    PlanWork room = most;
    for (int item : hottestFirst(layout, node)) {
      boolean idle = layout.demand(item).corrected() < IDLE;
      int to = idle ? fewest(layout, node) : Relief.leastFelt(layout, item, node);
      PlanWork work = StepWork.move(layout, item, to);
      if (!work.fits(room)) {
        return;
      }
      layout.move(item, to);
      room = room.minus(work);
    }
  }

  private static int fewest(Layout layout, int but) {
    return layout
        .present()
        .filter(n -> n != but)
        .boxed()
        .min(
            Comparator.comparing((Integer n) -> layout.load().isSlow(n))
                .thenComparing(layout::count))
        .orElseThrow();
  }

  private static List<Integer> hottestFirst(Layout layout, int node) {
    return layout
        .on(node)
        .boxed()
        .sorted(Comparator.comparingDouble(item -> -layout.demand(item).corrected()))
        .toList();
  }
}
