package io.trimtab.experiments.cost;

import io.trimtab.workload.LatencyListener;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.PackedHistogram;

/** The latencies of a load's seconds, so that some of them can be taken together. Thread-safe. */
final class SecondLatencies implements LatencyListener {
  private static final int DIGITS = 3;

  private final List<Histogram> seconds = new ArrayList<>();

  /** Of a load with one tenant. */
  @Override
  public synchronized void latencies(String tenant, Histogram ofSecond) {
    // Nearly all counts of a second are zero, and there are hundreds of seconds.
    Histogram kept = new PackedHistogram(DIGITS);
    kept.add(ofSecond);
    seconds.add(kept);
  }

  /** Of all operations that ended from one second on until before another, in ms; NaN of none. */
  synchronized double p99Ms(int from, int to) {
    Histogram all = new Histogram(DIGITS);
    for (int second = from; second < Math.min(to, seconds.size()); second++) {
      all.add(seconds.get(second));
    }
    return all.getTotalCount() == 0 ? Double.NaN : all.getValueAtPercentile(99) / 1e3;
  }
}
