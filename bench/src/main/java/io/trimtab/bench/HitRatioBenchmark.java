package io.trimtab.bench;

import io.trimtab.models.cache.AccessHistogram;
import io.trimtab.models.cache.LruModel;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The hit ratio of one cache size, the histogram being there. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class HitRatioBenchmark {
  private static final int BLOCKS = 1_000_000;

  /** Whether counts are all different, or as often the same as in a real histogram. */
  @Param({"distinct", "realistic"})
  private String counts;

  /** Blocks of the cache, of a million. */
  @Param({"10000", "300000", "900000"})
  private int cache;

  private AccessHistogram histogram;

  @Setup
  public void draw() {
    double[] of = new double[BLOCKS];
    Random random = new Random(7);
    for (int i = 0; i < BLOCKS; i++) {
      double mean = 1e6 / Math.pow(i + 1, 0.8);
      // A whole number with about the deviation of a count.
      double count = Math.max(0, Math.rint(mean + Math.sqrt(mean) * random.nextGaussian()));
      of[i] = counts.equals("distinct") ? mean + 1e-3 * random.nextDouble() : count;
    }
    histogram = AccessHistogram.ofCounts(of);
  }

  @Benchmark
  public LruModel.Estimate hitRatio() {
    return LruModel.ofBlocks(histogram, cache);
  }
}
