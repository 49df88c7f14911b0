package io.trimtab.controller.observe;

import io.trimtab.controller.observe.ReadCounts.Counted;
import io.trimtab.engineapi.NodeId;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * How often replicas came first in a time, compared with each other. Two of them are compared by
 * the choices of all other coordinators, never by their own: what a node thinks of itself, and how
 * a slow one sees the rest, says nothing. An immutable value.
 */
final class ReadShares {
  static final ReadShares NONE = new ReadShares(Map.of());

  /**
   * Of fewer reads, by chance alone, a share of three copies may be as much as a third off; of as
   * many, half of the fair share is rarer than one in a thousand.
   */
  static final long CANDIDATES_MIN = 200;

  /** Of one other node it is not known which of the two is unusual. */
  private static final int PEERS_MIN = 2;

  private final Map<NodeId, Map<NodeId, Counted>> by;
  private final Map<NodeId, Counted> byOthers = new HashMap<>();

  /**
   * @param by reads by coordinator and replica
   */
  private ReadShares(Map<NodeId, Map<NodeId, Counted>> by) {
    this.by = by;
    by.forEach(
        (coordinator, its) ->
            its.forEach(
                (replica, counted) -> {
                  if (!replica.equals(coordinator)) {
                    byOthers.merge(replica, counted, Counted::plus);
                  }
                }));
  }

  /**
   * The same with more reads.
   *
   * @param more by coordinator and replica
   */
  ReadShares plus(Map<NodeId, Map<NodeId, Counted>> more) {
    Map<NodeId, Map<NodeId, Counted>> all = new HashMap<>();
    by.forEach((coordinator, its) -> all.put(coordinator, new HashMap<>(its)));
    more.forEach(
        (coordinator, its) -> {
          Map<NodeId, Counted> sum = all.computeIfAbsent(coordinator, c -> new HashMap<>());
          its.forEach((replica, counted) -> sum.merge(replica, counted, Counted::plus));
        });
    return new ReadShares(all);
  }

  /**
   * Reads of a node for each of its peers' reads: 1 where they are treated alike. The median over
   * its peers, so that an unusual one does not count.
   *
   * @param peers without the node itself
   * @return empty if fewer than two of them, or less than half, can be compared
   */
  OptionalDouble of(NodeId node, Collection<NodeId> peers) {
    double[] ratios =
        peers.stream()
            .mapToDouble(peer -> ratio(node, peer))
            .filter(ratio -> !Double.isNaN(ratio))
            .toArray();
    return ratios.length < PEERS_MIN || 2 * ratios.length < peers.size()
        ? OptionalDouble.empty()
        : OptionalDouble.of(median(ratios));
  }

  /** NaN if there were too few reads. */
  private double ratio(NodeId node, NodeId peer) {
    Counted its = without(node, peer);
    Counted other = without(peer, node);
    if (Math.min(its.candidate(), other.candidate()) < CANDIDATES_MIN) {
      return Double.NaN;
    }
    return its.first() == 0 && other.first() == 0 ? 1 : its.share() / other.share();
  }

  /** By all coordinators but the node itself and one more. */
  private Counted without(NodeId node, NodeId coordinator) {
    Counted all = byOthers.getOrDefault(node, Counted.NONE);
    Counted one = by.getOrDefault(coordinator, Map.of()).getOrDefault(node, Counted.NONE);
    return all.minus(one);
  }

  /** Of at least one value. */
  static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
