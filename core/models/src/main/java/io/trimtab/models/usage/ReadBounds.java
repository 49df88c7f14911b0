package io.trimtab.models.usage;

import java.util.ArrayList;
import java.util.List;

/**
 * Upper bounds for throughput searches: at the same usage, a lower hit ratio can't serve more than
 * a higher one (Cruz 2016, §5.3.1). Shared by concurrent searches. Thread-safe.
 */
public final class ReadBounds {
  /** Tolerance for errors of the measured throughput. */
  private static final double SLACK = 1.1;

  private record Found(double hitRatio, double level, double opsPerSecond) {}

  private final List<Found> all = new ArrayList<>();

  /**
   * @param level of usage, in (0, 1)
   * @param opsPerSecond that cause it at this hit ratio
   */
  public synchronized void found(double hitRatio, double level, double opsPerSecond) {
    all.add(new Found(hitRatio, level, opsPerSecond));
  }

  /**
   * Upper bound of the throughput, in operations per second, at this usage; infinite while no
   * higher hit ratio has been measured at this level.
   */
  public synchronized double of(double hitRatio, double level) {
    return all.stream()
        .filter(f -> f.hitRatio() > hitRatio && f.level() == level)
        .mapToDouble(f -> SLACK * f.opsPerSecond())
        .min()
        .orElse(Double.POSITIVE_INFINITY);
  }
}
