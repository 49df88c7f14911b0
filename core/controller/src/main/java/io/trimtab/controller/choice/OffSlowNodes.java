package io.trimtab.controller.choice;

import io.trimtab.controller.health.SlowPeer;
import io.trimtab.controller.maintenance.Waiting;
import io.trimtab.controller.policy.DecisionContext;
import io.trimtab.engineapi.NodeId;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

/**
 * Moves partitions off nodes that answer later than their peers, each that pays for itself: by what
 * counts as lost while its node is slow. One stays that is asked for least, since a node that
 * serves nothing does not show when it is well again. Then it is a node as any other.
 */
final class OffSlowNodes implements Generator {
  /** Of the requests of a node whose 99th percentile is high, those that are late (ours). */
  private static final double LATE = 0.5;

  /**
   * Share of a node's requests that counts as lost over the horizon: of those that are late, as
   * much as they take longer than the peers'. What has been slow for a while is expected to stay so
   * for as long again, so that a short disturbance is no reason to move anything.
   */
  static double lost(DecisionContext context, NodeId node) {
    Duration horizon = context.settings().choice().horizon();
    return late(context, node)
        .map(
            slow ->
                LATE
                    * (1 - 1 / slow.answers())
                    * Math.min(1, (double) slow.lasted().toMillis() / horizon.toMillis()))
        .orElse(0.0);
  }

  /** Whether there is a node that answers late. */
  static boolean areThere(DecisionContext context) {
    return context.seen().slowPeers().stream().anyMatch(slow -> slow.answers() > 1);
  }

  private static Optional<SlowPeer> late(DecisionContext context, NodeId node) {
    return context.seen().slowPeers().stream()
        .filter(slow -> slow.node().equals(node) && slow.answers() > 1)
        .findFirst();
  }

  @Override
  public List<Candidate> propose(Layout now, Evaluator evaluator) {
    ClusterLoad load = now.load();
    List<Integer> slow =
        now.present()
            .filter(n -> load.slowness(n) > 0 && !isBusy(now, n))
            .boxed()
            .sorted(Comparator.comparingDouble(n -> -load.slowness(n)))
            .toList();
    if (slow.isEmpty() || now.size() < 2) {
      return List.of();
    }
    Layout layout = now.copy();
    Budget budget = evaluator.budget();
    slow.forEach(n -> leave(layout, n, evaluator, budget));
    if (layout.moved().findAny().isEmpty()) {
      return List.of();
    }
    new Relief(evaluator, budget, EnumSet.of(Relief.Kind.MOVE)).improve(layout);
    return List.of(new Candidate("move partitions off a slow node", layout));
  }

  /** Work that it was asked to do, and that ends, may be why it is slow. */
  private static boolean isBusy(Layout layout, int node) {
    DecisionContext context = layout.load().context();
    return context.settings().choice().awaitMaintenance()
        && Waiting.ofAll(
                List.of(layout.name(node)),
                context.seen().busy(),
                context.seen().snapshot().takenAt(),
                context.settings().choice().horizon())
            .what()
            .isPresent();
  }

  private static void leave(Layout layout, int node, Evaluator evaluator, Budget budget) {
    int most = layout.load().settings().guard().maxMoves();
    Optional<Integer> shows = shows(layout, node);
    List<Integer> items =
        layout
            .on(node)
            .boxed()
            .filter(item -> !layout.load().stays(item) && !shows.equals(Optional.of(item)))
            .sorted(Comparator.comparingDouble(item -> -layout.worth(item)))
            .toList();
    for (int item : items) {
      if (layout.moved().count() >= most || !budget.take(1)) {
        return;
      }
      int to = Relief.leastFelt(layout, item, node);
      if (layout.load().slowness(to) == 0 && gain(layout, item, node, to, evaluator) > 0) {
        layout.move(item, to);
      }
    }
  }

  /** The partition by which the node is judged from then on: of those asked for, the least. */
  private static Optional<Integer> shows(Layout layout, int node) {
    ClusterLoad load = layout.load();
    List<Integer> asked =
        layout.on(node).boxed().filter(item -> load.partitions().load(item) > 0).toList();
    return asked.stream().anyMatch(load::stays)
        ? Optional.empty()
        : asked.stream().min(Comparator.comparingDouble(item -> load.partitions().load(item)));
  }

  private static double gain(Layout layout, int item, int from, int to, Evaluator evaluator) {
    double worth = layout.worth(item);
    Demand more = layout.held(to).plus(layout.demand(item));
    double there =
        evaluator.loss(layout.forecast(more, layout.memory(to)), layout.worthOn(to) + worth)
            - evaluator.loss(layout.forecast(to), layout.worthOn(to));
    return evaluator.slowLoss(from, worth)
        - evaluator.price().ofMove(layout.demand(item), from)
        - there;
  }
}
