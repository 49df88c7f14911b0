package io.trimtab.models.capacity;

/**
 * Response times of some operations, or limits of them, in milliseconds.
 *
 * @param meanMs NaN where it is not known, or has no limit
 * @param p95Ms 95th percentile, likewise
 * @param p99Ms 99th percentile, likewise
 */
public record Latency(double meanMs, double p95Ms, double p99Ms) {
  public static final Latency UNKNOWN = new Latency(Double.NaN, Double.NaN, Double.NaN);

  /** Of no operation at all: nobody waited. */
  public static final Latency NONE = new Latency(0, 0, 0);

  /** Whether there is any value. */
  public boolean known() {
    return !Double.isNaN(meanMs) || !Double.isNaN(p95Ms) || !Double.isNaN(p99Ms);
  }

  Latency times(double factor) {
    return new Latency(meanMs * factor, p95Ms * factor, p99Ms * factor);
  }
}
