package io.trimtab.controller.choice;

import io.trimtab.controller.choice.layout.ClusterLoad;
import io.trimtab.controller.choice.layout.Layout;
import io.trimtab.controller.choice.layout.PlanWork;
import io.trimtab.controller.choice.layout.Slowness;
import io.trimtab.controller.choice.layout.StepWork;
import io.trimtab.controller.choice.predict.Budget;
import io.trimtab.controller.choice.predict.Demand;
import io.trimtab.controller.health.SlowPeer;
import io.trimtab.controller.maintenance.Waiting;
import io.trimtab.controller.policy.DecisionContext;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Moves partitions off nodes that answer later than their peers, each that pays for itself: by what
 * counts as lost while its node is slow. One stays that is asked for little, since a node that
 * serves nothing does not show when it is well again. Then it is a node as any other. None leaves
 * slow nodes twice a day: it may be what they are slow by.
 */
final class OffSlowNodes implements Generator {
  /** Asked for so often, a partition is enough to tell how long its node takes. */
  private static final double TELLING_PER_SECOND = 10;

  private static Map<PartitionId, NodeId> left(DecisionContext context) {
    return context.state().leftLately(context.seen().snapshot().takenAt());
  }

  /**
   * Whether there is a node that answers late and has something to be moved off, by the snapshot
   * alone: one that has been emptied is not searched at every decision.
   */
  static boolean areThere(DecisionContext context) {
    Map<NodeId, Integer> held = new HashMap<>();
    for (SlowPeer slow : Slowness.late(context)) {
      if (!isBusy(context, slow.node())) {
        held.put(slow.node(), 0);
      }
    }
    if (held.isEmpty()) {
      return false;
    }
    Map<PartitionId, NodeId> left = left(context);
    Set<NodeId> movable = new HashSet<>();
    for (PartitionState partition : context.seen().snapshot().partitions()) {
      Optional<NodeId> at = partition.node().filter(held::containsKey);
      if (at.isPresent()) {
        held.merge(at.get(), 1, Integer::sum);
        if (!context.stays(partition) && !left.containsKey(partition.id())) {
          movable.add(at.get());
        }
      }
    }
    // One stays in any case.
    return movable.stream().anyMatch(node -> held.get(node) > 1);
  }

  @Override
  public List<Candidate> propose(Layout now, Evaluator evaluator) {
    ClusterLoad load = now.load();
    List<Integer> slow =
        now.present()
            .filter(n -> load.slowness(n) > 0 && !isBusy(load.context(), now.name(n)))
            .boxed()
            .sorted(Comparator.comparingDouble(n -> -load.slowness(n)))
            .toList();
    if (slow.isEmpty() || now.size() < 2) {
      return List.of();
    }
    Layout layout = now.copy();
    Leaving leaving = new Leaving(layout, evaluator);
    slow.forEach(leaving::leave);
    if (leaving.isUnchanged()) {
      return List.of();
    }
    new Relief(evaluator, leaving.budget, EnumSet.of(Relief.Kind.MOVE)).improve(layout);
    return List.of(new Candidate("move partitions off a slow node", layout));
  }

  /** Work that it was asked to do, and that ends, may be why it is slow. */
  private static boolean isBusy(DecisionContext context, NodeId node) {
    return context.settings().choice().awaitMaintenance()
        && Waiting.ofAll(
                List.of(node),
                context.seen().busy(),
                context.seen().snapshot().takenAt(),
                context.settings().choice().horizon())
            .what()
            .isPresent();
  }

  /** Takes partitions off one slow node after another. */
  private static final class Leaving {
    private final Layout layout;
    private final ClusterLoad load;
    private final Evaluator evaluator;
    private final Budget budget;
    private final Map<PartitionId, NodeId> left;

    /** What the plan may still do. */
    private PlanWork room;

    private int moves;

    Leaving(Layout layout, Evaluator evaluator) {
      this.layout = layout;
      this.evaluator = evaluator;
      load = layout.load();
      budget = evaluator.budget();
      left = left(load.context());
      room = evaluator.limits().room(layout);
    }

    boolean isUnchanged() {
      return moves == 0;
    }

    void leave(int node) {
      Optional<Integer> shows = shows(node);
      List<Integer> items =
          layout
              .on(node)
              .boxed()
              .filter(item -> load.at(item) == node)
              .filter(item -> mayLeave(item) && !shows.equals(Optional.of(item)))
              .sorted(Comparator.comparingDouble(item -> -layout.worth(item)))
              .toList();
      for (int item : items) {
        if (room.moves() <= 0 || !budget.take(1)) {
          return;
        }
        int to = Relief.leastFelt(layout, item, node);
        PlanWork work = StepWork.move(layout, item, to);
        if (load.slowness(to) < load.slowness(node)
            && work.fits(room)
            && gain(item, node, to) > 0) {
          layout.move(item, to);
          room = room.minus(work);
          moves++;
        }
      }
    }

    /** One that has left a slow node lately may be what this one is slow by. */
    private boolean mayLeave(int item) {
      return !load.stays(item) && !left.containsKey(load.partitions().state(item).id());
    }

    /**
     * The partition by which the node is judged from then on: of those that are asked for often
     * enough the least asked for, or else the one that is asked for most; none where one can't
     * leave anyway.
     */
    private Optional<Integer> shows(int node) {
      List<Integer> asked = layout.on(node).boxed().filter(item -> asked(item) > 0).toList();
      List<Integer> telling =
          asked.stream().filter(item -> asked(item) >= TELLING_PER_SECOND).toList();
      if (telling.stream().anyMatch(item -> !mayLeave(item))) {
        return Optional.empty();
      }
      return telling.stream()
          .min(Comparator.comparingDouble(this::asked))
          .or(() -> asked.stream().max(Comparator.comparingDouble(this::asked)));
    }

    private double asked(int item) {
      return load.partitions().load(item);
    }

    private double gain(int item, int from, int to) {
      double worth = layout.worth(item);
      Demand more = layout.held(to).plus(layout.demand(item));
      double there =
          evaluator.loss(layout.forecast(to, more, layout.memory(to)), layout.worthOn(to) + worth)
              - evaluator.loss(layout.forecast(to), layout.worthOn(to));
      return evaluator.slowLoss(from, worth)
          - evaluator.slowLoss(to, worth)
          - evaluator.price().ofMove(layout.demand(item), from, to)
          - there;
    }
  }
}
