package io.trimtab.controller.plan;

import io.trimtab.controller.place.IndexHeap;
import io.trimtab.controller.place.IntList;
import io.trimtab.engineapi.AccessClass;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntConsumer;

/** Takes partitions to where they are to be, in the order that spares the caches. */
record MoveSteps(PlanDraft plan) {
  /**
   * First what is only written, which needs hardly any cache where it goes. Then, wherever there is
   * one, to a node that nothing has to leave any more: where arrivals come before departures, both
   * sets share one cache, and neither fits. Else from the node with the most cache demand to the
   * one with the least, so that no node meanwhile holds much more than before or after. The hottest
   * partitions first.
   *
   * @param first partitions that move before all others, in this order
   */
  void moves(int[] first) {
    for (int p : first) {
      if (plan.at[p] >= 0 && plan.target.node(p) >= 0) {
        plan.move(p, plan.target.node(p), null);
      }
    }
    double[] caches = caches();
    double[] asked = new double[caches.length];
    sumOrder(p -> asked[plan.at[p]] += share(p, caches[plan.at[p]]));
    new Pass(caches, asked, pending(true)).run();
    new Pass(caches, asked, pending(false)).run();
  }

  /** Moves that are due, until none is left. */
  private final class Pass {
    private final double[] caches;
    private final double[] asked;
    private final Departures[] leaving;

    /** Number of partitions that are due at a node. */
    private final int[] arriving;

    /** Nodes that partitions came from, or are to come from, to a node. */
    private final IntList[] sources;

    /** Nodes that something leaves. */
    private final IndexHeap fullestFirst;

    /** Nodes that something is due at, and nothing leaves. */
    private final IndexHeap readyFirst;

    Pass(double[] caches, double[] asked, Departures[] leaving) {
      this.caches = caches;
      this.asked = asked;
      this.leaving = leaving;
      this.arriving = new int[asked.length];
      this.sources = new IntList[asked.length];
      Arrays.setAll(sources, n -> new IntList());
      this.fullestFirst =
          new IndexHeap(
              asked.length, (a, b) -> asked[a] > asked[b] || (asked[a] == asked[b] && a < b));
      this.readyFirst =
          new IndexHeap(
              asked.length, (a, b) -> asked[a] < asked[b] || (asked[a] == asked[b] && a < b));
      for (int n = 0; n < leaving.length; n++) {
        if (!leaving[n].isEmpty()) {
          fullestFirst.add(n);
          leaving[n].count(n, arriving, sources);
        }
      }
      for (int n = 0; n < leaving.length; n++) {
        readyOrNot(n);
      }
    }

    private void readyOrNot(int n) {
      if (leaving[n].isEmpty() && arriving[n] > 0) {
        readyFirst.add(n);
      }
    }

    void run() {
      while (!fullestFirst.isEmpty()) {
        if (readyFirst.isEmpty()) {
          int from = fullestFirst.first();
          move(from, leaving[from].next(asked));
        } else {
          int to = readyFirst.first();
          int from = fullestOf(to);
          move(from, leaving[from].nextTo(to));
        }
      }
    }

    private int fullestOf(int to) {
      int best = -1;
      for (int i = 0; i < sources[to].size(); i++) {
        int n = sources[to].get(i);
        if ((best < 0 || asked[n] > asked[best]) && leaving[n].goesTo(to)) {
          best = n;
        }
      }
      return best;
    }

    private void move(int from, int p) {
      int to = plan.target.node(p);
      plan.move(p, to, null);
      arriving[to]--;
      asked[from] -= share(p, caches[from]);
      if (leaving[from].isEmpty()) {
        fullestFirst.remove(from);
        readyOrNot(from);
      } else {
        fullestFirst.changed(from);
      }
      asked[to] += share(p, caches[to]);
      fullestFirst.changed(to);
      if (leaving[to].isEmpty() && arriving[to] == 0) {
        readyFirst.remove(to);
      } else {
        readyFirst.changed(to);
      }
    }
  }

  /** What is to leave a node: by where to, hottest first. */
  private final class Departures {
    private final IntList parts = new IntList();

    /** For each node that something goes to, where its partitions begin and end. */
    private int[] begin;

    private int[] end;
    private int nodes;

    /** All that go to one node are added one after another, by the nodes' order. */
    void add(int p) {
      parts.add(p);
    }

    void seal() {
      begin = new int[parts.size()];
      end = new int[parts.size()];
      for (int i = 0; i < parts.size(); i++) {
        if (i == 0 || to(i) != to(i - 1)) {
          begin[nodes++] = i;
        }
        end[nodes - 1] = i + 1;
      }
    }

    private int to(int i) {
      return plan.target.node(parts.get(i));
    }

    boolean isEmpty() {
      return nodes == 0;
    }

    /** Adds to each node's number of arrivals, and to where they come from. */
    void count(int from, int[] arriving, IntList[] sources) {
      for (int i = 0; i < nodes; i++) {
        int to = to(begin[i]);
        arriving[to] += end[i] - begin[i];
        sources[to].add(from);
      }
    }

    boolean goesTo(int node) {
      return group(node) >= 0;
    }

    /** Groups are in the order of their nodes; negative if there is none for this one. */
    private int group(int node) {
      int low = 0;
      int high = nodes - 1;
      while (low <= high) {
        int middle = (low + high) >>> 1;
        int there = to(begin[middle]);
        if (there == node) {
          return middle;
        }
        if (there < node) {
          low = middle + 1;
        } else {
          high = middle - 1;
        }
      }
      return -1;
    }

    /** The next move to the node with the least cache demand; of equal ones the first. */
    int next(double[] asked) {
      int best = 0;
      for (int i = 1; i < nodes; i++) {
        best = asked[to(begin[i])] < asked[to(begin[best])] ? i : best;
      }
      return take(best);
    }

    int nextTo(int node) {
      return take(group(node));
    }

    private int take(int best) {
      int p = parts.get(begin[best]++);
      if (begin[best] == end[best]) {
        nodes--;
        System.arraycopy(begin, best + 1, begin, best, nodes - best);
        System.arraycopy(end, best + 1, end, best, nodes - best);
      }
      return p;
    }
  }

  /**
   * By node.
   *
   * @param written those that are only written, or all others
   */
  private Departures[] pending(boolean written) {
    Departures[] pending = new Departures[plan.in.nodeCount()];
    Arrays.setAll(pending, n -> new Departures());
    for (int n = 0; n < pending.length; n++) {
      for (int p : plan.due[n]) {
        boolean now = (plan.partitions.accessClass(p) == AccessClass.WRITE) == written;
        if (now && plan.at[p] >= 0 && plan.at[p] != n) {
          pending[plan.at[p]].add(p);
        }
      }
    }
    for (Departures departures : pending) {
      departures.seal();
    }
    return pending;
  }

  /** All that are placed, always in the order in which sums over them have been rounded. */
  private void sumOrder(IntConsumer each) {
    Map<PartitionId, Integer> hashed = new HashMap<>();
    for (int p : plan.partitions.asListed()) {
      if (plan.in.at(p) >= 0) {
        hashed.put(plan.partitions.state(p).id(), p);
      }
    }
    hashed.values().forEach(each::accept);
  }

  /**
   * Of each node's heap, the share that its block cache has or will have, whichever is more; all of
   * it stands for a cache beside the heap, which is the same before and after.
   */
  private double[] caches() {
    double[] caches = new double[plan.in.nodeCount()];
    for (int n = 0; n < caches.length; n++) {
      Profile now = plan.in.node(plan.in.name(n)).flatMap(s -> s.profile()).orElse(null);
      Profile then = plan.profiles[n];
      double cache = now == null ? 0 : now.cacheFraction();
      if (then != null && (now == null || then.cacheFraction() > cache)) {
        cache = then.cacheFraction();
      }
      boolean beside =
          plan.in.node(plan.in.name(n)).map(s -> s.gauges().cacheBesideHeap()).orElse(false);
      caches[n] = beside ? 1 : Math.max(0.01, cache);
    }
    return caches;
  }

  /** Cache demand of a partition; partitions that are only written need little. */
  private double share(int p, double cache) {
    double bytes = plan.partitions.state(p).sizeBytes() + 1.0;
    return (plan.partitions.accessClass(p) == AccessClass.WRITE ? 0.1 : 1) * bytes / cache;
  }
}
