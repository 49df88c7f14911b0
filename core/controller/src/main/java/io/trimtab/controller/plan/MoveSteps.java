package io.trimtab.controller.plan;

import io.trimtab.engineapi.AccessClass;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntConsumer;

/** Takes partitions to where they are to be, in the order that spares the caches. */
record MoveSteps(PlanDraft plan) {
  /**
   * One by one from the node whose cache is asked for most to the one whose cache is asked for
   * least, so that no node meanwhile holds much more than before or after; the hottest partitions
   * first.
   */
  void moves() {
    double[] caches = caches();
    double[] asked = new double[plan.nodes.length];
    sumOrder(p -> asked[plan.at[p]] += share(p, caches[plan.at[p]]));
    // By node, then by where to: what is to go there, hottest first.
    List<Map<Integer, Deque<Integer>>> pending = new ArrayList<>();
    for (int n = 0; n < plan.nodes.length; n++) {
      pending.add(new TreeMap<>());
    }
    for (int n = 0; n < plan.nodes.length; n++) {
      for (int p : plan.due[n]) {
        if (plan.at[p] >= 0 && plan.at[p] != n) {
          pending.get(plan.at[p]).computeIfAbsent(n, x -> new ArrayDeque<>()).add(p);
        }
      }
    }
    NavigableSet<Integer> fullestFirst =
        new TreeSet<>(
            Comparator.comparingDouble((Integer n) -> -asked[n])
                .thenComparing(Comparator.naturalOrder()));
    for (int n = 0; n < plan.nodes.length; n++) {
      if (!pending.get(n).isEmpty()) {
        fullestFirst.add(n);
      }
    }
    while (!fullestFirst.isEmpty()) {
      int from = fullestFirst.first();
      int to = -1;
      for (int n : pending.get(from).keySet()) {
        to = to < 0 || asked[n] < asked[to] ? n : to;
      }
      Deque<Integer> there = pending.get(from).get(to);
      int p = there.remove();
      if (there.isEmpty()) {
        pending.get(from).remove(to);
      }
      plan.move(p, to, null);
      boolean listed = fullestFirst.remove(to);
      fullestFirst.remove(from);
      asked[from] -= share(p, caches[from]);
      asked[to] += share(p, caches[to]);
      if (listed) {
        fullestFirst.add(to);
      }
      if (!pending.get(from).isEmpty()) {
        fullestFirst.add(from);
      }
    }
  }

  /** All that are placed, always in the order in which sums over them have been rounded. */
  private void sumOrder(IntConsumer each) {
    Map<PartitionId, Integer> hashed = new HashMap<>();
    for (PartitionState p : plan.in.snapshot().partitions()) {
      if (p.node().isPresent()) {
        hashed.put(p.id(), 0);
      }
    }
    for (int p = 0; p < plan.parts.length; p++) {
      int q = p;
      hashed.computeIfPresent(plan.parts[p].id(), (id, zero) -> q);
    }
    hashed.values().forEach(each::accept);
  }

  /** Of each node's heap, the share that its block cache has or will have, whichever is more. */
  private double[] caches() {
    double[] caches = new double[plan.nodes.length];
    for (int n = 0; n < plan.nodes.length; n++) {
      Profile now = plan.in.node(plan.nodes[n]).flatMap(NodeState::profile).orElse(null);
      Profile then = plan.wanted.profiles().get(plan.nodes[n]);
      double cache = now == null ? 0 : now.cacheFraction();
      if (then != null && (now == null || then.cacheFraction() > cache)) {
        cache = then.cacheFraction();
      }
      caches[n] = Math.max(0.01, cache);
    }
    return caches;
  }

  /** Of a node's block cache that a partition asks for; what is only written asks for little. */
  private double share(int p, double cache) {
    double bytes = plan.parts[p].sizeBytes() + 1.0;
    return (plan.classOf[p] == AccessClass.WRITE ? 0.1 : 1) * bytes / cache;
  }
}
