package io.trimtab.simulator.days;

import io.trimtab.testkit.Seeds;
import io.trimtab.testkit.law.RequestCosts;
import java.util.Random;

/**
 * What requests take of a node in the cluster of a seed. With the same costs everywhere, and near
 * those with which policies begin, nothing would tell how well these learn.
 *
 * @param costs CPU times are about three times as much or a third of what they are by default, at
 *     most eight times; each by itself, so that reads may be dear where scans are cheap. A disk is
 *     the same everywhere
 */
record DrawnLaw(RequestCosts costs) {
  /** So that all else of a seed's cluster is as if there were no law to draw. */
  private static final long STREAM = 0x6C6177L;

  /** Standard deviation of the logarithm of a cost's factor. */
  private static final double UNUSUAL = Math.log(3);

  private static final double FACTOR_MAX = 8;

  /** Share of the blocks that miss the cache, about. */
  private static final double MISSED = 1 / 3.0;

  private static final double BLOCK_BYTES = 32 << 10;
  private static final double ROWS = DayClusters.ROWS_PER_SCAN;

  /** What a request takes of a node in seconds, about, with costs as they are by default. */
  private static final double READ_SECONDS = 300e-6;

  private static final double WRITE_SECONDS = 150e-6;
  private static final double SCAN_SECONDS = 2e-3;

  static DrawnLaw of(long seed) {
    Random random = Seeds.random(seed ^ STREAM);
    RequestCosts usual = RequestCosts.DEFAULTS;
    return new DrawnLaw(
        new RequestCosts(
            usual.readSeconds() * factor(random),
            usual.missSeconds() * factor(random),
            usual.writeSeconds() * factor(random),
            usual.scanSeconds() * factor(random),
            usual.rowSeconds() * factor(random),
            usual.seekSeconds(),
            usual.diskBytesPerSecond(),
            between(random, 0.4, 1),
            between(random, 0.4, 1),
            between(random, 0, 0.6),
            between(random, 1.2, 3),
            between(random, 0.3, 0.8)));
  }

  private static double factor(Random random) {
    double factor = Math.exp(UNUSUAL * random.nextGaussian());
    return Math.max(1 / FACTOR_MAX, Math.min(FACTOR_MAX, factor));
  }

  private static double between(Random random, double from, double to) {
    return from + (to - from) * random.nextDouble();
  }

  /**
   * What a read takes of a node in seconds, about. A cluster's tenants ask for as much as fills a
   * drawn part of it at these costs, so that one with dear requests is asked for fewer of them and
   * not used more. With more cores instead, a request would take the same share of a node by any
   * law.
   */
  double readSeconds() {
    return READ_SECONDS * reading(costs) / reading(RequestCosts.DEFAULTS);
  }

  double writeSeconds() {
    return WRITE_SECONDS * costs.writeSeconds() / RequestCosts.DEFAULTS.writeSeconds();
  }

  double scanSeconds() {
    return SCAN_SECONDS * scanning(costs) / scanning(RequestCosts.DEFAULTS);
  }

  /** For how long a read has the busier one of the CPU and the disk work. */
  private static double reading(RequestCosts law) {
    return busier(law, law.readSeconds());
  }

  private static double scanning(RequestCosts law) {
    return busier(law, law.scanSeconds() + ROWS * law.rowSeconds());
  }

  /** With one block, as most requests need. */
  private static double busier(RequestCosts law, double seconds) {
    double disk = law.seekSeconds() + BLOCK_BYTES / law.diskBytesPerSecond();
    return Math.max(seconds + MISSED * law.missSeconds(), MISSED * disk);
  }
}
