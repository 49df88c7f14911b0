package io.trimtab.models.usage;

import io.trimtab.models.usage.UsageModel.Measurement;
import java.util.List;

/**
 * Usage that reads cause on a node, in addition to its idle usage:
 *
 * <pre>awake · (1 − exp(−requests / awakeAt)) + reads · (perRead + perMiss · (1 − hit ratio))</pre>
 *
 * The first part is what it costs that a node has work now and then: processors that wake from
 * sleep, and threads that look for more work before they rest, as Cassandra's do. It grows with the
 * first requests a second, of whatever kind, and then no more. The other is the thesis's
 * observation that at a given throughput usage is a function of the hit ratio alone (Cruz 2016,
 * §5.2), and that each miss costs the same.
 *
 * @param awake share of the node, in [0, 1)
 * @param awakeAt requests a second by which 63 % of it is there, &gt; 0
 * @param perRead usage of one read a second
 * @param perMiss usage beyond that of one miss a second
 */
record RequestCosts(double awake, double awakeAt, double perRead, double perMiss) {
  private static final double STEP = 1.1;

  /**
   * By least squares for the three costs, none below nothing, over {@link #awakeAt}.
   *
   * @param reads measurements of reads alone, each of more than none a second; without any every
   *     cost is 0
   * @param idle usage without load
   */
  static RequestCosts fit(List<Measurement> reads, double idle) {
    double least = reads.stream().mapToDouble(Measurement::opsPerSecond).min().orElse(1);
    double most = reads.stream().mapToDouble(Measurement::opsPerSecond).max().orElse(1);
    double[] y = reads.stream().mapToDouble(m -> m.usage() - idle).toArray();
    RequestCosts best = new RequestCosts(0, 1, 0, 0);
    double fewest = Double.POSITIVE_INFINITY;
    // Above the measured range it is indistinguishable from a cost per read.
    for (double at = least / 2; !reads.isEmpty() && at <= most; at *= STEP) {
      double[][] x = new double[y.length][];
      for (int i = 0; i < y.length; i++) {
        Measurement m = reads.get(i);
        x[i] =
            new double[] {
              share(m.opsPerSecond(), at), m.opsPerSecond(), m.opsPerSecond() * (1 - m.hitRatio())
            };
      }
      double[] costs = NonNegativeLeastSquares.solve(x, y);
      double squares = NonNegativeLeastSquares.squares(x, y, costs);
      if (squares < fewest) {
        fewest = squares;
        best = new RequestCosts(costs[0], at, costs[1], costs[2]);
      }
    }
    return best;
  }

  private static double share(double requests, double at) {
    return -Math.expm1(-requests / at);
  }

  /** For being asked at all, by requests of any kind. */
  double waking(double requests) {
    return awake * share(requests, awakeAt);
  }

  /** For reads themselves. */
  double reading(double hitRatio, double reads) {
    return reads * (perRead + perMiss * (1 - hitRatio));
  }
}
