package io.trimtab.controller.choice.predict;

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
 * @param waits of that, what the disk is asked for; 0 where it is not told apart
 * @param bytes in store files
 */
public record Demand(
    CacheLoad cache, Load load, double alone, double corrected, double waits, double bytes) {
  public static final Demand NONE = new Demand(CacheLoad.NONE, Load.NONE, 0, 0, 0, 0);

  /** Of which is not known yet what it costs. */
  public static Demand of(CacheLoad cache, Load load, double bytes) {
    return new Demand(cache, load, 0, 0, 0, bytes);
  }

  /**
   * What each node is asked for by the items on it.
   *
   * @param nodeOf by item, its node; negative for none
   */
  public static Demand[] byNode(int nodes, int[] nodeOf, IntFunction<Demand> demand) {
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
    private double waits;
    private double bytes;

    void add(Demand one) {
      cache.add(one.cache);
      load.add(one.load);
      alone += one.alone;
      corrected += one.corrected;
      waits += one.waits;
      bytes += one.bytes;
    }

    Demand total() {
      return new Demand(cache.total(), load.total(), alone, corrected, waits, bytes);
    }
  }

  public Demand plus(Demand other) {
    return new Demand(
        cache.plus(other.cache),
        load.plus(other.load),
        alone + other.alone,
        corrected + other.corrected,
        waits + other.waits,
        bytes + other.bytes);
  }

  public Demand minus(Demand part) {
    return new Demand(
        cache.minus(part.cache),
        load.minus(part.load),
        Math.max(0, alone - part.alone),
        Math.max(0, corrected - part.corrected),
        Math.max(0, waits - part.waits),
        Math.max(0, bytes - part.bytes));
  }

  /**
   * The same with what it costs.
   *
   * @param usage that it would cause alone
   * @param ofDisk of that, the disk's
   * @param factor how much more it costs than predicted
   */
  public Demand costing(double usage, double ofDisk, double factor) {
    return new Demand(cache, load, usage, factor * usage, factor * ofDisk, bytes);
  }

  /** The same, costing so many times as much as predicted. */
  public Demand corrected(double factor) {
    double before = correction();
    return costing(alone, before > 0 ? waits / before : 0, factor);
  }

  /** The same blocks, asked for more or less often. */
  public Demand times(double factor) {
    return new Demand(
        cache.times(factor),
        load.times(factor),
        factor * alone,
        factor * corrected,
        factor * waits,
        bytes);
  }

  /** The same where some of the usage that it causes is no more needed. */
  public Demand cheaper(double saved) {
    return new Demand(
        cache, load, alone, Math.max(0, corrected - saved), Math.max(0, waits - saved), bytes);
  }

  /** A share of it: as many of its blocks and requests. */
  public Demand part(double share) {
    return new Demand(
        cache.part(share),
        load.times(share),
        share * alone,
        share * corrected,
        share * waits,
        share * bytes);
  }

  /** What it asks of the disk, or of the CPU; all of it where they are not told apart. */
  public double asks(boolean disk) {
    return disk ? waits : corrected - waits;
  }

  /** How much more it costs than predicted, as a factor. */
  public double correction() {
    return alone > 0 ? corrected / alone : 1;
  }
}
