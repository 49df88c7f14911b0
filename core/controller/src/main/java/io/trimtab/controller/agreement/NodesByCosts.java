package io.trimtab.controller.agreement;

import io.trimtab.controller.health.Saturation;
import io.trimtab.controller.learn.NodeLoads;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.place.UsableNodes;
import io.trimtab.controller.place.UsagePacking;
import io.trimtab.controller.place.UsageSource;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.models.capacity.NodesNeeded;
import io.trimtab.models.usage.LearnedCosts;
import io.trimtab.models.usage.LearnedNodes;
import io.trimtab.models.usage.UsageModel.Load;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.IntToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How many nodes the present load needs by what requests have cost on the cluster's own nodes: as
 * many as stay below the target usage if they share it evenly, each with the hit ratio of now (the
 * number is the same by any, as what nodes use goes along and costs are linear). What nodes use
 * now, relative to the prediction, goes along; what is left unexplained of each of them widens the
 * interval.
 *
 * @param needed empty if the costs do not tell
 * @param why they do not, a clause; empty if they do
 */
public record NodesByCosts(Optional<NodesNeeded> needed, String why) {
  /** Standard deviations to either side that hold the truth in 19 of 20 cases. */
  private static final double WIDTH = 1.96;

  /** All nodes together; with less beyond idle nothing is told. */
  private static final double LITTLE = 0.01;

  /** How much more or less than predicted requests may cost; beyond it something else is wrong. */
  private static final double OFF_MAX = 3;

  /**
   * By what was observed.
   *
   * @param target usage that no node may be above, in (0, 1)
   */
  public static NodesByCosts of(Observation.Usable seen, double target) {
    if (seen.learned().isEmpty()) {
      return unknown("too little was seen to learn what requests cost");
    }
    LearnedNodes learned = seen.learned().get();
    List<NodeState> nodes = UsableNodes.of(seen);
    if (!haveAll(seen, nodes)) {
      return unknown("partitions that are asked for are on nodes that can't be counted on");
    }
    List<Load> loads = List.copyOf(NodeLoads.of(seen, nodes).values());
    double[] predicted = new double[loads.size()];
    double[] measured = new double[loads.size()];
    for (int i = 0; i < loads.size(); i++) {
      NodeState node = nodes.get(i);
      LearnedCosts its = learned.of(node.id().name());
      double usage = seen.usage().get(node.id());
      Optional<String> doubt = doubt(seen, node, usage, loads.get(i), its);
      if (doubt.isPresent()) {
        return unknown(doubt.get());
      }
      predicted[i] = its.usage(loads.get(i)) - its.idle();
      measured[i] = usage - its.idle();
    }
    LearnedCosts costs = learned.of(nodes.stream().map(n -> n.id().name()).toList());
    double sum = Arrays.stream(predicted).sum();
    double factor = Arrays.stream(measured).sum() / sum;
    if (!(sum > LITTLE && factor > 1 / OFF_MAX && factor < OFF_MAX)) {
      return unknown("what requests cost does not explain what nodes use");
    }
    double unexplained = unexplained(predicted, measured, factor);
    return fewest(costs, together(loads), factor, unexplained, target);
  }

  /** Why a node's load says nothing of how many nodes are needed, if so. */
  private static Optional<String> doubt(
      Observation.Usable seen, NodeState node, double usage, Load load, LearnedCosts costs) {
    if (Saturation.isReached(usage)) {
      return Optional.of(
          node.id() + " is used to its limit, so that it serves less than it is asked for");
    }
    if (blocks(load) > 0 && !NodeLoads.knowsHits(seen, node)) {
      return Optional.of("the hit ratio of " + node.id() + " is not known");
    }
    return costs.deviation(load) > UsageSource.DEVIATION_MAX
        ? Optional.of(
            "what requests cost is not certain enough for the present load ("
                + costs.uncertainty(load)
                + ")")
        : Optional.empty();
  }

  private static NodesByCosts unknown(String why) {
    return new NodesByCosts(Optional.empty(), why);
  }

  /** Whether all that is asked for is on some nodes, those that could not be read included. */
  private static boolean haveAll(Observation.Usable seen, List<NodeState> nodes) {
    Set<NodeId> ids = nodes.stream().map(NodeState::id).collect(Collectors.toSet());
    return seen.rates().entrySet().stream()
        .filter(rates -> rates.getValue().total() > 0)
        .map(rates -> seen.snapshot().partition(rates.getKey()).flatMap(PartitionState::node))
        .allMatch(node -> node.filter(ids::contains).isPresent());
  }

  private static Load together(List<Load> loads) {
    Load.Sum sum = new Load.Sum();
    loads.forEach(sum::add);
    double all = loads.stream().mapToDouble(NodesByCosts::blocks).sum();
    double misses = loads.stream().mapToDouble(l -> blocks(l) * (1 - l.hitRatio())).sum();
    return sum.total().withHitRatio(all > 0 ? Math.max(0, 1 - misses / all) : 1);
  }

  private static double blocks(Load load) {
    return load.reads() + load.scans() * load.scan().blocks();
  }

  /** Standard deviation of what nodes use from what is predicted of them. */
  private static double unexplained(double[] predicted, double[] measured, double factor) {
    double squares =
        IntStream.range(0, measured.length)
            .mapToDouble(i -> measured[i] - factor * predicted[i])
            .map(off -> off * off)
            .sum();
    return Math.sqrt(squares / measured.length);
  }

  private static NodesByCosts fewest(
      LearnedCosts costs, Load all, double factor, double unexplained, double target) {
    IntToDoubleFunction usage =
        n -> costs.idle() + factor * (costs.usage(all.times(1.0 / n)) - costs.idle());
    IntToDoubleFunction off =
        n -> WIDTH * Math.hypot(factor * costs.deviation(all.times(1.0 / n)), unexplained);
    OptionalInt nodes = first(usage, target);
    if (nodes.isEmpty()) {
      return unknown("no number of nodes would be below the target");
    }
    return new NodesByCosts(
        Optional.of(
            new NodesNeeded(
                nodes.getAsInt(),
                first(n -> usage.applyAsDouble(n) - off.applyAsDouble(n), target)
                    .orElse(nodes.getAsInt()),
                first(n -> usage.applyAsDouble(n) + off.applyAsDouble(n), target)
                    .orElse(NodesNeeded.UNKNOWN))),
        "");
  }

  private static OptionalInt first(IntToDoubleFunction usage, double target) {
    return IntStream.rangeClosed(1, UsagePacking.NODES_TRIED_MAX)
        .filter(n -> usage.applyAsDouble(n) <= target)
        .findFirst();
  }
}
