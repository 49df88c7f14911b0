package io.trimtab.models.cache;

import java.util.Arrays;

/**
 * The demand of partitions on a cache, in a form that allows fast merging and hit ratios: blocks
 * are sorted into bins by their rates, twelve to a doubling. Against the whole histogram the hit
 * ratio differs by less than a tenth of a point. Immutable.
 */
public final class CacheLoad {
  private static final int PER_DOUBLING = 12;

  /** From one request in 2²⁰ seconds to 2²⁰ requests a second. */
  private static final int BINS = 40 * PER_DOUBLING;

  private static final double FILL = 0.97;
  private static final double PRECISION = 1e-7;
  private static final int STEPS_MAX = 100;

  public static final CacheLoad NONE = new CacheLoad(0, new double[0], new double[0]);

  /** The bin that comes first in the arrays; most partitions have few bins. */
  private final int first;

  /** Bytes of the blocks in each bin. */
  private final double[] bytes;

  /** Bytes times requests a second of each. */
  private final double[] byteRates;

  private final double requests;
  private final double allBytes;

  private CacheLoad(int first, double[] bytes, double[] byteRates) {
    this.first = first;
    this.bytes = bytes;
    this.byteRates = byteRates;
    requests = Arrays.stream(byteRates).sum();
    allBytes = Arrays.stream(bytes).sum();
  }

  /** Without the empty bins at both ends. */
  private static CacheLoad trimmed(int first, double[] bytes, double[] byteRates) {
    int from = 0;
    while (from < bytes.length && bytes[from] == 0) {
      from++;
    }
    int to = bytes.length;
    while (to > from && bytes[to - 1] == 0) {
      to--;
    }
    return from == to
        ? NONE
        : new CacheLoad(
            first + from,
            Arrays.copyOfRange(bytes, from, to),
            Arrays.copyOfRange(byteRates, from, to));
  }

  /**
   * @param histogram with sizes
   * @param requestsPerSecond for all its blocks together, ≥ 0
   */
  public static CacheLoad of(AccessHistogram histogram, double requestsPerSecond) {
    double[] bytes = new double[BINS];
    double[] byteRates = new double[BINS];
    double scale = histogram.requests() > 0 ? requestsPerSecond / histogram.requests() : 0;
    for (int i = 0; i < histogram.pairs(); i++) {
      double rate = histogram.count(i) * scale;
      if (rate > 0) {
        int bin = bin(rate);
        double weight = histogram.blocks(i) * histogram.size(i);
        bytes[bin] += weight;
        byteRates[bin] += weight * rate;
      }
    }
    return trimmed(0, bytes, byteRates);
  }

  private static int bin(double rate) {
    double log = Math.log(rate) / Math.log(2);
    return (int) Math.max(0, Math.min(BINS - 1, Math.floor(PER_DOUBLING * (log + 20))));
  }

  /** The same blocks with their request rates multiplied by a factor. */
  public CacheLoad times(double factor) {
    double[] b = new double[BINS];
    double[] r = new double[BINS];
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] > 0 && factor > 0) {
        int bin = bin(factor * byteRates[i] / bytes[i]);
        b[bin] += bytes[i];
        r[bin] += factor * byteRates[i];
      }
    }
    return trimmed(0, b, r);
  }

  /**
   * A share of the blocks, with the requests for them.
   *
   * @param share in [0, 1]
   */
  public CacheLoad part(double share) {
    return share > 0 ? new CacheLoad(first, scaled(bytes, share), scaled(byteRates, share)) : NONE;
  }

  private static double[] scaled(double[] values, double factor) {
    double[] scaled = values.clone();
    for (int i = 0; i < scaled.length; i++) {
      scaled[i] *= factor;
    }
    return scaled;
  }

  /** Both together. */
  public CacheLoad plus(CacheLoad other) {
    if (bytes.length == 0 || other.bytes.length == 0) {
      return bytes.length == 0 ? other : this;
    }
    int from = Math.min(first, other.first);
    int to = Math.max(first + bytes.length, other.first + other.bytes.length);
    double[] b = new double[to - from];
    double[] r = new double[to - from];
    System.arraycopy(bytes, 0, b, first - from, bytes.length);
    System.arraycopy(byteRates, 0, r, first - from, bytes.length);
    for (int i = 0; i < other.bytes.length; i++) {
      b[other.first - from + i] += other.bytes[i];
      r[other.first - from + i] += other.byteRates[i];
    }
    return new CacheLoad(from, b, r);
  }

  /** What is left when a part is taken away again. */
  public CacheLoad minus(CacheLoad part) {
    double[] b = bytes.clone();
    double[] r = byteRates.clone();
    for (int i = 0; i < part.bytes.length; i++) {
      int at = part.first - first + i;
      if (at >= 0 && at < b.length) {
        // What rounding leaves of a bin that is empty again is nothing.
        double left = b[at] - part.bytes[i];
        boolean empty = left < 1;
        b[at] = empty ? 0 : left;
        r[at] = empty ? 0 : Math.max(0, r[at] - part.byteRates[i]);
      }
    }
    return trimmed(first, b, r);
  }

  /** Bytes of all requested blocks. */
  public double bytes() {
    return allBytes;
  }

  /**
   * Share of the requests that a cache which evicts what was used longest ago hits, by Che's
   * approximation; 1 where nothing is requested. Blocks of one size are assumed to be asked for
   * alike where sizes differ.
   *
   * @param cacheBytes the most that the cache may hold, of which 97 % are used
   */
  public double hitRatio(double cacheBytes) {
    double capacity = FILL * cacheBytes;
    if (allBytes <= capacity || requests == 0) {
      return 1;
    }
    double targetLog = Math.log(allBytes - capacity);
    double time = 0;
    for (int step = 0; step < STEPS_MAX; step++) {
      double left = 0;
      double slope = 0;
      for (int i = 0; i < bytes.length; i++) {
        if (bytes[i] > 0) {
          double rate = byteRates[i] / bytes[i];
          double out = bytes[i] * Math.exp(-rate * time);
          left += out;
          slope += rate * out;
        }
      }
      double next = time + (Math.log(left) - targetLog) * left / slope;
      boolean done = !(Math.abs(next - time) > PRECISION * next);
      time = Math.max(0, next);
      if (done) {
        break;
      }
    }
    double misses = 0;
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] > 0) {
        misses += byteRates[i] * Math.exp(-byteRates[i] / bytes[i] * time);
      }
    }
    return Math.max(0, Math.min(1, 1 - misses / requests));
  }
}
