package io.trimtab.controller.plan;

import io.trimtab.controller.observe.Partitions;
import io.trimtab.controller.place.IndexHeap;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.IntFunction;

/**
 * Where partitions go while nodes restart one after the other, each while it is empty: what stays
 * on such a node leaves and comes back, and what belongs to one that restarts later waits on the
 * least loaded of the others. All nodes and partitions by index.
 */
public final class RestartOrder {
  /** Partitions without requests count a little, so that they are spread too. */
  private static final double IDLE_LOAD = 1e-6;

  /** What is done, in its order. */
  public interface Steps {
    /**
     * A partition goes to another node.
     *
     * @param restarts the node that is emptied for it; −1 where it comes to where it belongs
     */
    void move(int partition, int to, int restarts);

    /** A node that is empty restarts. */
    void restart(int node);
  }

  private final Partitions partitions;
  private final int[] at;
  private final int[] target;
  private final Steps steps;
  private final boolean[] notReady;
  private final double[] load;

  /** By node, the partitions that it holds. */
  private final BitSet[] held;

  private final IndexHeap emptiestFirst;

  /**
   * @param at by partition, its node before, and afterwards that to which it was moved; negative
   *     for none
   * @param target by partition, the node where it belongs; negative for none
   * @param nodes how many indexes of nodes there are
   * @param present nodes that can take partitions. Those that the plan adds, too: they have joined
   *     by then, and may be all that there are
   */
  public RestartOrder(
      Partitions partitions, int[] at, int[] target, int nodes, int[] present, Steps steps) {
    this.partitions = partitions;
    this.at = at;
    this.target = target;
    this.steps = steps;
    notReady = new boolean[nodes];
    load = new double[nodes];
    held = new BitSet[nodes];
    Arrays.setAll(held, n -> new BitSet());
    // In the snapshot's order, which decides how a sum is rounded.
    for (int p : partitions.asListed()) {
      if (at[p] >= 0) {
        load[at[p]] += load(p);
        held[at[p]].set(p);
      }
    }
    emptiestFirst =
        new IndexHeap(nodes, (a, b) -> load[a] < load[b] || (load[a] == load[b] && a < b));
    Arrays.stream(present).forEach(emptiestFirst::add);
  }

  private double load(int p) {
    return partitions.load(p) + IDLE_LOAD;
  }

  /**
   * Restarts nodes, in their order.
   *
   * @param due by node, what belongs to it, in the order in which it comes
   */
  public void restart(int[] nodes, IntFunction<int[]> due) {
    for (int node : nodes) {
      notReady[node] = true;
    }
    for (int node : nodes) {
      empty(node);
      steps.restart(node);
      notReady[node] = false;
      for (int p : due.apply(node)) {
        if (at[p] >= 0) {
          move(p, node, -1);
        }
      }
    }
  }

  /** Its partitions leave for where they belong, or for the least loaded of other nodes. */
  private void empty(int node) {
    emptiestFirst.remove(node);
    for (int p = held[node].nextSetBit(0); p >= 0; p = held[node].nextSetBit(p + 1)) {
      int to = target[p];
      if (to < 0 || notReady[to]) {
        to = emptiestFirst.isEmpty() ? -1 : emptiestFirst.first();
      }
      if (to >= 0) {
        move(p, to, node);
      }
    }
    emptiestFirst.add(node);
  }

  private void move(int p, int to, int restarts) {
    int from = at[p];
    if (from != to) {
      steps.move(p, to, restarts);
      at[p] = to;
      held[from].clear(p);
      held[to].set(p);
      fill(from, -load(p));
      fill(to, load(p));
    }
  }

  private void fill(int node, double more) {
    load[node] += more;
    emptiestFirst.changed(node);
  }
}
