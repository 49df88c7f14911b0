package io.trimtab.models.cache;

/** What each of several loads hits of a cache that they share. */
public final class SharedCache {
  private static final double PRECISION = 1e-3;
  private static final int STEPS_MAX = 100;

  private SharedCache() {}

  /**
   * By load, the share of its requests that a cache which evicts what was used longest ago hits, by
   * Che's approximation: a block that nobody asks for again stays as long, whosever it is.
   *
   * @param cacheBytes the most that the cache may hold, of which 97 % are used
   * @return in [0, 1]; 1 for a load of which nothing is requested
   */
  public static double[] hitRatios(CacheLoad[] loads, double cacheBytes) {
    double seconds = keptSeconds(loads, LruBlockCacheModel.FILL * cacheBytes);
    double[] hits = new double[loads.length];
    for (int l = 0; l < hits.length; l++) {
      hits[l] = hitRatio(loads[l], seconds);
    }
    return hits;
  }

  /** For how long a block stays; infinite where all fit. */
  private static double keptSeconds(CacheLoad[] loads, double capacity) {
    double all = 0;
    for (CacheLoad load : loads) {
      all += load.bytes();
    }
    if (all <= capacity) {
      return Double.POSITIVE_INFINITY;
    }
    double targetLog = Math.log(all - capacity);
    double time = 0;
    for (int step = 0; step < STEPS_MAX; step++) {
      double left = 0;
      double slope = 0;
      for (CacheLoad load : loads) {
        for (int i = 0; i < load.bins.length; i++) {
          double stays = load.bytes[i] * Math.exp(-load.byteRates[i] / load.bytes[i] * time);
          left += stays;
          slope += load.byteRates[i] / load.bytes[i] * stays;
        }
      }
      if (!(slope > 0)) {
        // What is left is never asked for.
        return time;
      }
      // The logarithm of what is left is convex: from too short a time no step goes too far.
      double next = Math.max(0, time + (Math.log(left) - targetLog) * left / slope);
      boolean found = !(Math.abs(next - time) > PRECISION * next);
      time = next;
      if (found) {
        break;
      }
    }
    return time;
  }

  private static double hitRatio(CacheLoad load, double seconds) {
    double requests = 0;
    double missed = 0;
    for (int i = 0; i < load.bins.length; i++) {
      requests += load.byteRates[i];
      missed += load.byteRates[i] * Math.exp(-load.byteRates[i] / load.bytes[i] * seconds);
    }
    return requests > 0 ? Math.max(0, Math.min(1, 1 - missed / requests)) : 1;
  }
}
