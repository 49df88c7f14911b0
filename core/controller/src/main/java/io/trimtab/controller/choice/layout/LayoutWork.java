package io.trimtab.controller.choice.layout;

import io.trimtab.engineapi.Profile;
import java.util.Arrays;

/**
 * How much a plan does that leads to a layout: its moves, those off nodes that restart and back
 * included, its splits, and the compactions of what has moved to a node that does not cache all
 * that it serves.
 *
 * @param most as the guard counts it, if all that moves is rewritten afterwards; of the compactions
 *     only those that the plan has
 * @param counted bytes that the guard counts
 * @param moved bytes that go to another node, as often as they do
 * @param rewritten bytes of the compactions, and of both halves of what is split
 */
public record LayoutWork(PlanWork most, double counted, double moved, double rewritten) {
  /** Of a layout. */
  public static LayoutWork of(Layout then) {
    ClusterLoad load = then.load();
    int[] target = new int[load.partitions().size()];
    Arrays.setAll(target, then::nodeOf);
    // The split itself takes a half away; as a whole it stays.
    then.halves().forEach(half -> target[half.of()] = load.at(half.of()));
    int[] times = RestartMoves.of(then, target);
    boolean[] cached = cached(then, target);
    int moves = 0;
    int compactions = 0;
    double moved = 0;
    double once = 0;
    double rewritten = 0;
    for (int p = 0; p < target.length; p++) {
      if (times[p] > 0) {
        double bytes = load.demand(p).bytes();
        boolean whole = target[p] >= 0 && cached[target[p]];
        moves += times[p];
        moved += times[p] * bytes;
        once += bytes;
        compactions += whole ? 0 : 1;
        rewritten += whole ? 0 : bytes;
      }
    }
    double files = 0;
    for (int p : then.rewrites().partitions()) {
      compactions++;
      files += load.demand(p).bytes();
    }
    int splits = then.halves().size() / 2;
    double halves = 0;
    double away = 0;
    for (int item = target.length; item < then.items(); item++) {
      double bytes = then.demand(item).bytes();
      halves += bytes;
      away += then.nodeOf(item) == load.at(then.partition(item)) ? 0 : bytes;
    }
    double others = files + halves;
    return new LayoutWork(
        new PlanWork(moves + splits, splits, compactions, moved + once + others),
        moved + rewritten + others,
        moved + away,
        rewritten + others);
  }

  /** Nodes whose block cache will hold all that they serve: nothing is compacted there. */
  private static boolean[] cached(Layout then, int[] target) {
    double[] bytes = new double[then.nodes()];
    for (int p = 0; p < target.length; p++) {
      if (target[p] >= 0) {
        bytes[target[p]] += then.load().demand(p).bytes();
      }
    }
    boolean[] cached = new boolean[bytes.length];
    for (int n = 0; n < cached.length; n++) {
      cached[n] = isCached(then, n, then.profile(n), bytes[n]);
    }
    return cached;
  }

  /** Whether a node's block cache would hold so many bytes; of a new node nothing is known. */
  static boolean isCached(Layout layout, int node, Profile profile, double bytes) {
    double cache =
        profile == null || layout.isNew(node)
            ? 0
            : layout.load().nodes().get(node).gauges().cacheBytes(profile);
    return profile != null && bytes <= cache;
  }
}
