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

  /**
   * Requests a second of the first bin. Blocks that are asked for less often, as those of which a
   * count has aged for days, are not asked for: no cache keeps them, and how long it would take
   * until they are is beyond numbers.
   */
  private static final double LEAST_RATE = Math.pow(2, -20);

  private static final double BINS_PER_LOG = PER_DOUBLING / Math.log(2);
  private static final double FILL = LruBlockCacheModel.FILL;

  /** Relative, of a step of Newton's; what is left after it is the square of that. */
  private static final double PRECISION = 1e-5;

  private static final int STEPS_MAX = 100;

  /** Of a cache whose contents are not known: the share that is always asked for. */
  private static final double HOT = 1e-3;

  /** Below half of this nothing can be said of what a cache hits. */
  private static final double LEAST_HITS = 1e-3;

  private static final double BLOCK_BYTES = 65_536;

  public static final CacheLoad NONE = new CacheLoad(new int[0], new double[0], new double[0]);

  /** Bins that have blocks, ascending; most partitions have few. */
  private final int[] bins;

  /** Bytes of the blocks in each bin. */
  private final double[] bytes;

  /** Bytes times requests a second of each. */
  private final double[] byteRates;

  private final double requests;
  private final double allBytes;

  private CacheLoad(int[] bins, double[] bytes, double[] byteRates) {
    this.bins = bins;
    this.bytes = bytes;
    this.byteRates = byteRates;
    requests = sum(byteRates);
    allBytes = sum(bytes);
  }

  private static double sum(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum;
  }

  /** Of arrays of which the first so many are used. */
  private static CacheLoad of(int size, int[] bins, double[] bytes, double[] byteRates) {
    return size == 0
        ? NONE
        : new CacheLoad(
            Arrays.copyOf(bins, size), Arrays.copyOf(bytes, size), Arrays.copyOf(byteRates, size));
  }

  /**
   * @param histogram with sizes
   * @param requestsPerSecond for all its blocks together, ≥ 0
   */
  public static CacheLoad of(AccessHistogram histogram, double requestsPerSecond) {
    double all = histogram.requests();
    double scale = all > 0 ? requestsPerSecond / all : 0;
    int[] used = new int[histogram.pairs()];
    double[] b = new double[used.length];
    double[] r = new double[used.length];
    int size = 0;
    for (int i = used.length - 1; i >= 0; i--) {
      double rate = histogram.count(i) * scale;
      if (rate >= LEAST_RATE) {
        int bin = bin(rate);
        // Counts rise from here on, and so do bins.
        size += size > 0 && used[size - 1] == bin ? 0 : 1;
        double weight = histogram.blocks(i) * histogram.size(i);
        used[size - 1] = bin;
        b[size - 1] += weight;
        r[size - 1] += weight * rate;
      }
    }
    return of(size, used, b, r);
  }

  /**
   * Of a cache of which only the hit ratio is known: half of what it hits is asked of a few blocks,
   * which any cache holds, and all other blocks are asked for alike (ours: real loads lie between
   * the two). With as large a cache it has that hit ratio; with half of it three quarters of that.
   *
   * @param hitRatio in [0, 1]
   * @param cacheBytes the most that the cache may hold, &gt; 0
   * @param requestsPerSecond ≥ 0
   */
  public static CacheLoad hitting(double hitRatio, double cacheBytes, double requestsPerSecond) {
    double any = Math.max(LEAST_HITS, hitRatio / 2);
    double held = FILL * cacheBytes;
    double few = HOT * held;
    // A byte less, so that rounding leaves none outside a cache that hits all.
    double others = Math.max(1, (held - few - 1) * (1 - any) / any);
    Sum sum = new Sum();
    if (requestsPerSecond > 0) {
      double bytesPerSecond = requestsPerSecond * BLOCK_BYTES;
      sum.add(few, any * bytesPerSecond);
      sum.add(others, (1 - any) * bytesPerSecond);
    }
    return sum.total();
  }

  private static int bin(double rate) {
    double bin = Math.floor(BINS_PER_LOG * Math.log(rate) + PER_DOUBLING * 20);
    return (int) Math.max(0, Math.min(BINS - 1, bin));
  }

  /** Adds many up in less time than one by one. Not for several threads. */
  public static final class Sum {
    private final double[] bytes = new double[BINS];
    private final double[] byteRates = new double[BINS];

    /** Adds blocks that are asked for alike. */
    private void add(double itsBytes, double itsByteRates) {
      if (itsByteRates >= LEAST_RATE * itsBytes) {
        add(bin(itsByteRates / itsBytes), itsBytes, itsByteRates);
      }
    }

    private void add(int bin, double itsBytes, double itsByteRates) {
      bytes[bin] += itsBytes;
      byteRates[bin] += itsByteRates;
    }

    /** Adds one. */
    public void add(CacheLoad load) {
      for (int i = 0; i < load.bins.length; i++) {
        add(load.bins[i], load.bytes[i], load.byteRates[i]);
      }
    }

    /** All that were added. */
    public CacheLoad total() {
      int[] used = new int[BINS];
      double[] b = new double[BINS];
      double[] r = new double[BINS];
      int size = 0;
      for (int bin = 0; bin < BINS; bin++) {
        if (bytes[bin] > 0) {
          used[size] = bin;
          b[size] = bytes[bin];
          r[size++] = byteRates[bin];
        }
      }
      return of(size, used, b, r);
    }
  }

  /** The same blocks with their request rates multiplied by a factor. */
  public CacheLoad times(double factor) {
    Sum sum = new Sum();
    for (int i = 0; i < bins.length; i++) {
      sum.add(bytes[i], factor * byteRates[i]);
    }
    return sum.total();
  }

  /**
   * A share of the blocks, with the requests for them.
   *
   * @param share in [0, 1]
   */
  public CacheLoad part(double share) {
    return share > 0 ? new CacheLoad(bins, scaled(bytes, share), scaled(byteRates, share)) : NONE;
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
    if (bins.length == 0 || other.bins.length == 0) {
      return bins.length == 0 ? other : this;
    }
    int most = bins.length + other.bins.length;
    int[] used = new int[most];
    double[] b = new double[most];
    double[] r = new double[most];
    int size = 0;
    int i = 0;
    int j = 0;
    while (i < bins.length || j < other.bins.length) {
      int here = i < bins.length ? bins[i] : BINS;
      int there = j < other.bins.length ? other.bins[j] : BINS;
      used[size] = Math.min(here, there);
      if (here <= there) {
        b[size] = bytes[i];
        r[size] = byteRates[i++];
      }
      if (there <= here) {
        b[size] += other.bytes[j];
        r[size] += other.byteRates[j++];
      }
      size++;
    }
    return of(size, used, b, r);
  }

  /** What is left when a part is taken away again. */
  public CacheLoad minus(CacheLoad part) {
    int[] used = new int[bins.length];
    double[] b = new double[bins.length];
    double[] r = new double[bins.length];
    int size = 0;
    int j = 0;
    for (int i = 0; i < bins.length; i++) {
      while (j < part.bins.length && part.bins[j] < bins[i]) {
        j++;
      }
      boolean taken = j < part.bins.length && part.bins[j] == bins[i];
      double left = taken ? bytes[i] - part.bytes[j] : bytes[i];
      double rates = taken ? byteRates[i] - part.byteRates[j] : byteRates[i];
      // What rounding leaves of a bin that is empty again is nothing.
      if (!taken || (left >= 1 && rates >= LEAST_RATE * left)) {
        used[size] = bins[i];
        b[size] = left;
        r[size++] = rates;
      }
    }
    return of(size, used, b, r);
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
    double time = firstGuess(targetLog);
    double misses = requests;
    for (int step = 0; step < STEPS_MAX; step++) {
      double left = 0;
      double slope = 0;
      double bend = 0;
      for (int i = 0; i < bins.length; i++) {
        double rate = byteRates[i] / bytes[i];
        double stays = Math.exp(-rate * time);
        left += bytes[i] * stays;
        slope += byteRates[i] * stays;
        bend += rate * byteRates[i] * stays;
      }
      double next = Math.max(0, time + (Math.log(left) - targetLog) * left / slope);
      // What is missed changes as the slope does.
      misses = slope - bend * (next - time);
      if (!(Math.abs(next - time) > PRECISION * next)) {
        break;
      }
      time = next;
    }
    return Math.max(0, Math.min(1, 1 - misses / requests));
  }

  /**
   * Share of the requests that a cache in two parts hits, as HBase's own ({@link
   * LruBlockCacheModel}); 1 where nothing is requested. It takes some twenty times as long as
   * {@link #hitRatio}.
   *
   * @param cacheBytes the most that the cache may hold, of which 97 % are used
   */
  public double hitRatioOfTwoParts(double cacheBytes) {
    return allBytes <= FILL * cacheBytes || requests == 0 || !(cacheBytes > 0)
        ? hitRatio(cacheBytes)
        : new TwoPartCache(bins, bytes, byteRates, cacheBytes).hitRatio();
  }

  /** By bin plus time on the same scale, the share of a bin's blocks that is not yet asked for. */
  private static final class NotAsked {
    /** Where next to nothing is left: e⁻⁶⁴. */
    private static final int LAST = (20 + 6) * PER_DOUBLING;

    private static final double[] SHARE = new double[BINS + LAST + 1];

    static {
      for (int i = 0; i < SHARE.length; i++) {
        SHARE[i] = Math.exp(-Math.pow(2, (i - BINS + 0.5) / PER_DOUBLING - 20));
      }
    }
  }

  /**
   * The time after which so much is left, to some parts in a hundred: as if a bin's blocks were
   * asked for as often as is the middle of its bin.
   */
  private double firstGuess(double targetLog) {
    int low = -bins[bins.length - 1];
    int high = NotAsked.LAST - bins[0];
    double lowLog = Math.log(allBytes);
    double highLog = lowLog - 64;
    while (high - low > 1) {
      int middle = (low + high) >> 1;
      double left = 0;
      for (int i = 0; i < bins.length; i++) {
        left += bytes[i] * NotAsked.SHARE[Math.min(bins[i] + middle, NotAsked.LAST) + BINS];
      }
      double leftLog = Math.log(left);
      if (leftLog > targetLog) {
        low = middle;
        lowLog = leftLog;
      } else {
        high = middle;
        highLog = leftLog;
      }
    }
    double within = (lowLog - targetLog) / Math.max(1e-9, lowLog - highLog);
    return Math.pow(2, (low + Math.max(0, Math.min(1, within))) / PER_DOUBLING);
  }
}
