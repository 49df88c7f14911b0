package io.trimtab.simulator;

import io.trimtab.controller.place.UsagePrediction.Origin;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What goes to and fro: no node is removed after two swings of their number, and no partition is
 * moved that came back twice. An episode is shorter than the two hours in which that is counted.
 * And what a plan has moved that went by requests alone does not go back within five minutes.
 */
final class Swings {
  private static final int MOST = 2;
  private static final Duration JUDGED_AFTER = Duration.ofMinutes(5);

  /** What summaries of plans have that went by requests alone. */
  private static final String GUESSED = "predicted from " + Origin.REQUESTS.title();

  /** A partition that a plan has moved that went by requests alone, and when that ended. */
  private record Guess(Instant ended, PartitionId partition, NodeId from) {}

  private final Episode episode;
  private final Oracle oracle;

  /** Nodes on which each partition was after each plan that moved it, the first one before it. */
  private final Map<PartitionId, List<NodeId>> been = new HashMap<>();

  /** The number of nodes after each plan that changed it, as the difference from the first. */
  private final List<Integer> sizes = new ArrayList<>(List.of(0));

  /** What was done of plans that have not ended: where partitions were, and are. */
  private final Map<String, Map<PartitionId, List<NodeId>>> moves = new HashMap<>();

  private final Map<String, Integer> changes = new HashMap<>();
  private final List<Guess> guesses = new ArrayList<>();

  Swings(Episode episode, Oracle oracle) {
    this.episode = episode;
    this.oracle = oracle;
  }

  /** An action was done. */
  void done(Plan plan, Action action) {
    action.as(Action.AddNode.class).ifPresent(add -> changes.merge(plan.id(), 1, Integer::sum));
    action
        .as(Action.RemoveNode.class)
        .ifPresent(remove -> changes.merge(plan.id(), -1, Integer::sum));
    action.as(Action.Move.class).ifPresent(move -> moved(plan, move));
  }

  private void moved(Plan plan, Action.Move move) {
    Map<PartitionId, List<NodeId>> its =
        moves.computeIfAbsent(plan.id(), p -> new LinkedHashMap<>());
    where(plan, move)
        .ifPresent(
            node ->
                its.merge(
                    move.partition(),
                    List.of(move.from(), node),
                    (old, next) -> List.of(old.get(0), node)));
  }

  /** To which node: not where it is if that has died meanwhile, which is no plan's doing either. */
  private Optional<NodeId> where(Plan plan, Action.Move move) {
    boolean isNew =
        plan.actions(Action.AddNode.class).stream()
            .anyMatch(add -> add.placeholder().equals(move.to()));
    return isNew
        ? episode.truth().partition(move.partition()).flatMap(PartitionState::node)
        : Optional.of(move.to());
  }

  /** A plan has ended; {@code at} is no later than what its controller has recorded. */
  void planEnded(Plan plan, Instant at) {
    Map<PartitionId, List<NodeId>> moved = moves.remove(plan.id());
    if (moved != null) {
      moved.values().removeIf(way -> way.get(0).equals(way.get(1)));
      moved.forEach(this::moved);
      if (plan.summary().contains(GUESSED)) {
        moved.forEach((partition, way) -> guesses.add(new Guess(at, partition, way.get(0))));
      }
    }
    Integer by = changes.remove(plan.id());
    if (by != null && by != 0) {
      sizes.add(sizes.get(sizes.size() - 1) + by);
    }
  }

  private void moved(PartitionId partition, List<NodeId> way) {
    List<NodeId> all = been.computeIfAbsent(partition, p -> new ArrayList<>());
    // Where somebody else has moved it is no plan's doing.
    all.addAll(way);
  }

  /** A plan begins. */
  void planned(SimulatedController by, Plan plan) {
    int removed = plan.actions(Action.RemoveNode.class).size();
    if (plan.actions(Action.AddNode.class).size() > removed) {
      return;
    }
    if (removed > 0 && swings() >= MOST) {
      oracle.violated(by + " removes a node after their number was " + sizes);
    }
    for (Action.Move move : plan.actions(Action.Move.class)) {
      List<NodeId> nodes = been.getOrDefault(move.partition(), List.of());
      if (returns(nodes) >= MOST) {
        oracle.violated(by + " moves " + move.partition() + " again, which was on " + nodes);
      }
    }
    movedBack(by, plan);
  }

  private void movedBack(SimulatedController by, Plan plan) {
    Map<PartitionId, NodeId> begins = new HashMap<>();
    Map<PartitionId, NodeId> ends = new HashMap<>();
    for (Action.Move move : plan.actions(Action.Move.class)) {
      begins.putIfAbsent(move.partition(), move.from());
      ends.put(move.partition(), move.to());
    }
    for (Guess guess : guesses) {
      NodeId end = ends.get(guess.partition());
      if (guess.from().equals(end)
          && !end.equals(begins.get(guess.partition()))
          && episode.now().isBefore(guess.ended().plus(JUDGED_AFTER).minusSeconds(1))) {
        oracle.violated(
            "%s moves %s back to %s, off which it went by requests alone at %s"
                .formatted(by, guess.partition(), end, guess.ended()));
      }
    }
  }

  /** Moves to a node on which it was before. */
  private static int returns(List<NodeId> way) {
    int returns = 0;
    for (int i = 1; i < way.size(); i += 2) {
      returns += way.subList(0, i).contains(way.get(i)) ? 1 : 0;
    }
    return returns;
  }

  /** How often their number went from one end of its range to the other and back. */
  private double swings() {
    int range =
        sizes.stream().mapToInt(n -> n).max().orElseThrow()
            - sizes.stream().mapToInt(n -> n).min().orElseThrow();
    int way = 0;
    for (int i = 1; i < sizes.size(); i++) {
      way += Math.abs(sizes.get(i) - sizes.get(i - 1));
    }
    return range == 0 ? 0 : (way - Math.abs(sizes.get(sizes.size() - 1))) / (2.0 * range);
  }
}
