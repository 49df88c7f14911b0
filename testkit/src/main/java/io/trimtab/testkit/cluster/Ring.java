package io.trimtab.testkit.cluster;

import io.trimtab.engineapi.NodeId;
import io.trimtab.testkit.load.KeyDistribution;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Who owns which tokens, and which part of a table's requests a node's replicas have. */
final class Ring {
  private Ring() {}

  /** Where a token is, in [0, 1]. */
  static double fraction(long token) {
    return token / 0x1p64 + 0.5;
  }

  static long token(double fraction) {
    return (long) ((fraction - 0.5) * 0x1p64);
  }

  static NavigableMap<Long, NodeModel> owners(Iterable<NodeModel> nodes) {
    NavigableMap<Long, NodeModel> owners = new TreeMap<>();
    for (NodeModel node : nodes) {
      if (node.member) {
        node.tokens.forEach(t -> owners.put(t, node));
      }
    }
    return owners;
  }

  /** Tokens that no node owns. */
  static List<Long> draw(int count, long seed, Set<Long> taken) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Long> tokens = new ArrayList<>();
    while (tokens.size() < count) {
      long token = random.nextLong();
      if (!taken.contains(token) && !tokens.contains(token)) {
        tokens.add(token);
      }
    }
    return tokens;
  }

  /**
   * The share of a table's keys that each node has a copy of, by the distribution; they sum up to
   * the number of copies, or of nodes where those are fewer.
   */
  static Map<NodeId, Double> shares(
      NavigableMap<Long, NodeModel> owners, int copies, KeyDistribution keys, double seconds) {
    Map<NodeId, Double> shares = new HashMap<>();
    List<NodeModel> order = List.copyOf(owners.values());
    double before = 0;
    int i = 0;
    for (long token : owners.keySet()) {
      double below = keys.below(fraction(token), seconds);
      add(shares, order, i++, copies, below - before);
      before = below;
    }
    if (!order.isEmpty()) {
      // What lies beyond the last token is the first one's.
      add(shares, order, 0, copies, 1 - before);
    }
    return shares;
  }

  private static void add(
      Map<NodeId, Double> shares, List<NodeModel> order, int first, int copies, double share) {
    Set<NodeModel> replicas = new LinkedHashSet<>();
    for (int i = 0; i < order.size() && replicas.size() < copies; i++) {
      replicas.add(order.get((first + i) % order.size()));
    }
    replicas.forEach(n -> shares.merge(n.id, share, Double::sum));
  }
}
