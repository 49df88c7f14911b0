package io.trimtab.controller.ring;

import io.trimtab.controller.place.UsagePacking;
import io.trimtab.controller.place.UsagePrediction;
import io.trimtab.engineapi.NodeId;
import java.util.List;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * How the nodes of a ring share what is asked for: with n instead of m nodes each has m/n of it. A
 * slow one counts as far as it works.
 */
public final class RingShares {
  private final List<NodeId> nodes;
  private final Optional<SlowMember> slow;
  private final RingUsage usage;

  /**
   * @param nodes that are usable
   * @param slow the slowest of them; empty if none is slow
   */
  public RingShares(List<NodeId> nodes, Optional<SlowMember> slow, RingUsage usage) {
    this.nodes = List.copyOf(nodes);
    this.slow = slow;
    this.usage = usage;
  }

  /** How many nodes there are. */
  public int size() {
    return nodes.size();
  }

  /** All but a slow one. */
  public List<NodeId> fast() {
    return nodes.stream()
        .filter(id -> slow.filter(node -> node.node().equals(id)).isEmpty())
        .toList();
  }

  /** What a slow node does less than its peers, in nodes. */
  public double lacking() {
    return slow.map(node -> 1 - node.capacity()).orElse(0.0);
  }

  /**
   * What a node does then of what it does now.
   *
   * @param working how many nodes' work is done then, a slow one's as far as it is
   */
  public double share(double working) {
    return (nodes.size() - lacking()) / Math.max(1, working);
  }

  /**
   * Predicted usage of the most used of a number of nodes, a slow one among them.
   *
   * @param load what is asked for, as a multiple of what is now
   */
  public double most(int then, double load) {
    return usage.most(load * share(then - lacking()));
  }

  /**
   * How many nodes bring the most used one to the target, at least one more than there are. One
   * more where no number does, as nodes use more than that without load.
   *
   * @param load what is asked for, as a multiple of what is now
   */
  public int enough(double load, double target) {
    return enough(n -> most(n, load), target);
  }

  /**
   * How many bring their mean usage to the target, likewise: where the most used one is far above
   * it, shares say little of what each node that joins takes from that one.
   */
  int enoughInTheMean(double load, double target) {
    return enough(n -> usage.mean(load * share(n - lacking())), target);
  }

  private int enough(IntToDoubleFunction usageOf, double target) {
    int tried = nodes.size() + UsagePacking.NODES_TRIED_MAX;
    return IntStream.range(nodes.size() + 1, tried)
        .filter(n -> usageOf.applyAsDouble(n) <= target + RingUsage.ROUNDING)
        .findFirst()
        .orElse(nodes.size() + 1);
  }

  /**
   * With each node's share of the load of now.
   *
   * @param then the nodes that there are then
   * @param working how many nodes' work is done then, a slow one's as far as it is
   */
  public UsagePrediction predicted(List<NodeId> then, double working) {
    return usage.after(then, fast(), share(working));
  }
}
