package io.trimtab.controller.choice.layout;

import io.trimtab.controller.place.IndexHeap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * How often each partition moves by a plan, whose nodes restart one after the other, each while it
 * is empty: what stays on such a node leaves and comes back, and what goes to a node that restarts
 * later waits on another. As plans do it, so that a plan can be cut to what the guard allows before
 * it is made: to make one of many partitions takes too long to do so for each that is weighed.
 */
final class RestartMoves {
  /** As plans spread what nobody asks for. */
  private static final double IDLE_LOAD = 1e-6;

  private final Layout then;
  private final int[] target;
  private final int[] at;
  private final int[] times;
  private final double[] load;
  private final boolean[] notReady;
  private final BitSet[] held;
  private final IndexHeap emptiestFirst;

  private RestartMoves(Layout then, int[] at, int[] target, int[] times) {
    this.then = then;
    this.at = at;
    this.target = target;
    this.times = times;
    load = new double[then.nodes()];
    notReady = new boolean[load.length];
    held = new BitSet[load.length];
    Arrays.setAll(held, n -> new BitSet());
    for (int p = 0; p < at.length; p++) {
      if (at[p] >= 0) {
        load[at[p]] += load(p);
        held[at[p]].set(p);
      }
    }
    emptiestFirst =
        new IndexHeap(load.length, (a, b) -> load[a] < load[b] || (load[a] == load[b] && a < b));
    then.present().forEach(emptiestFirst::add);
  }

  /**
   * By partition, its moves.
   *
   * @param target by partition, the node where it is to be; negative for none
   */
  static int[] of(Layout then, int[] target) {
    int[] at = IntStream.range(0, target.length).map(then.load()::at).toArray();
    int[] times = new int[target.length];
    int[] restarting =
        then.present()
            .filter(then::restarts)
            .boxed()
            .sorted(Comparator.comparing(then::name))
            .mapToInt(n -> n)
            .toArray();
    if (restarting.length > 0) {
      new RestartMoves(then, at, target, times).restart(restarting);
    }
    for (int p = 0; p < target.length; p++) {
      times[p] += at[p] >= 0 && target[p] >= 0 && at[p] != target[p] ? 1 : 0;
    }
    return times;
  }

  private double load(int p) {
    return then.load().partitions().load(p) + IDLE_LOAD;
  }

  private void restart(int[] nodes) {
    for (int node : nodes) {
      notReady[node] = true;
    }
    Map<Integer, List<Integer>> due = new HashMap<>();
    for (int p = 0; p < target.length; p++) {
      if (target[p] >= 0 && notReady[target[p]] && at[p] >= 0) {
        due.computeIfAbsent(target[p], n -> new ArrayList<>()).add(p);
      }
    }
    for (int node : nodes) {
      empty(node);
      notReady[node] = false;
      due.getOrDefault(node, List.of()).forEach(p -> move(p, node));
    }
  }

  private void empty(int node) {
    emptiestFirst.remove(node);
    for (int p = held[node].nextSetBit(0); p >= 0; p = held[node].nextSetBit(p + 1)) {
      int to = target[p];
      if (to < 0 || notReady[to]) {
        to = emptiestFirst.isEmpty() ? -1 : emptiestFirst.first();
      }
      if (to >= 0) {
        move(p, to);
      }
    }
    emptiestFirst.add(node);
  }

  private void move(int p, int to) {
    int from = at[p];
    if (from == to) {
      return;
    }
    held[from].clear(p);
    held[to].set(p);
    fill(from, -load(p));
    fill(to, load(p));
    at[p] = to;
    times[p]++;
  }

  private void fill(int node, double more) {
    load[node] += more;
    emptiestFirst.changed(node);
  }
}
