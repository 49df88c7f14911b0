package io.trimtab.controller.choice;

import io.trimtab.models.cache.CacheLoad;
import io.trimtab.models.usage.UsageModel.Load;
import java.util.Arrays;
import java.util.function.IntFunction;

/**
 * What a partition, or everything on a node, asks of the node.
 *
 * @param cache its blocks, with their requests per second
 * @param load its requests; the hit ratio is not used
 * @param alone usage that it would cause alone on an average node, by which corrections are
 *     weighted
 * @param corrected the same times how much more it costs than predicted, as its node shows now
 * @param bytes in store files
 */
record Demand(CacheLoad cache, Load load, double alone, double corrected, double bytes) {
  static final Demand NONE = new Demand(CacheLoad.NONE, Load.NONE, 0, 0, 0);

  /**
   * What each node is asked for by the items on it.
   *
   * @param nodeOf by item, its node; negative for none
   */
  static Demand[] byNode(int nodes, int[] nodeOf, IntFunction<Demand> demand) {
    Sum[] sums = new Sum[nodes];
    Arrays.setAll(sums, n -> new Sum());
    for (int item = 0; item < nodeOf.length; item++) {
      if (nodeOf[item] >= 0) {
        sums[nodeOf[item]].add(demand.apply(item));
      }
    }
    return Arrays.stream(sums).map(Sum::total).toArray(Demand[]::new);
  }

  /** Adds many up. */
  private static final class Sum {
    private final CacheLoad.Sum cache = new CacheLoad.Sum();
    private final Load.Sum load = new Load.Sum();
    private double alone;
    private double corrected;
    private double bytes;

    void add(Demand one) {
      cache.add(one.cache);
      load.add(one.load);
      alone += one.alone;
      corrected += one.corrected;
      bytes += one.bytes;
    }

    Demand total() {
      return new Demand(cache.total(), load.total(), alone, corrected, bytes);
    }
  }

  Demand plus(Demand other) {
    return new Demand(
        cache.plus(other.cache),
        load.plus(other.load),
        alone + other.alone,
        corrected + other.corrected,
        bytes + other.bytes);
  }

  Demand minus(Demand part) {
    return new Demand(
        cache.minus(part.cache),
        load.minus(part.load),
        Math.max(0, alone - part.alone),
        Math.max(0, corrected - part.corrected),
        Math.max(0, bytes - part.bytes));
  }

  /**
   * The same with what it costs.
   *
   * @param factor how much more it costs than predicted
   */
  Demand costing(double usage, double factor) {
    return new Demand(cache, load, usage, factor * usage, bytes);
  }

  /** The same blocks, asked for more or less often. */
  Demand times(double factor) {
    return new Demand(
        cache.times(factor), load.times(factor), factor * alone, factor * corrected, bytes);
  }

  /** The same where some of the usage that it causes is no more needed. */
  Demand cheaper(double saved) {
    return new Demand(cache, load, alone, Math.max(0, corrected - saved), bytes);
  }

  /** A share of it: as many of its blocks and requests. */
  Demand part(double share) {
    return new Demand(
        cache.part(share), load.times(share), share * alone, share * corrected, share * bytes);
  }

  /** How much more it costs than predicted, as a factor. */
  double correction() {
    return alone > 0 ? corrected / alone : 1;
  }
}
