package io.trimtab.controller.choice.layout;

import io.trimtab.controller.plan.RestartOrder;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * How often each partition moves by a plan, restarts of nodes included: so that a plan can be cut
 * to what the guard allows before it is made. To make one of many partitions takes too long to do
 * so for each that is weighed.
 */
final class RestartMoves implements RestartOrder.Steps {
  private final int[] times;

  private RestartMoves(int[] times) {
    this.times = times;
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
      RestartOrder order =
          new RestartOrder(
              then.load().partitions(),
              at,
              target,
              then.nodes(),
              then.present().toArray(),
              new RestartMoves(times));
      int[][] due = due(target, then.nodes());
      order.restart(restarting, n -> due[n]);
    }
    for (int p = 0; p < target.length; p++) {
      times[p] += at[p] >= 0 && target[p] >= 0 && at[p] != target[p] ? 1 : 0;
    }
    return times;
  }

  /** By node, what belongs to it; how often that moves does not depend on its order. */
  private static int[][] due(int[] target, int nodes) {
    IntStream.Builder[] due = new IntStream.Builder[nodes];
    for (int n = 0; n < nodes; n++) {
      due[n] = IntStream.builder();
    }
    for (int p = 0; p < target.length; p++) {
      if (target[p] >= 0) {
        due[target[p]].add(p);
      }
    }
    int[][] lists = new int[nodes][];
    for (int n = 0; n < nodes; n++) {
      lists[n] = due[n].build().toArray();
    }
    return lists;
  }

  @Override
  public void move(int partition, int to, int restarts) {
    times[partition]++;
  }

  @Override
  public void restart(int node) {
    // Only moves are counted.
  }
}
