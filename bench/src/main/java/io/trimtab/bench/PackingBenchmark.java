package io.trimtab.bench;

import io.trimtab.controller.place.UsagePacking;
import io.trimtab.models.cache.AccessHistogram;
import io.trimtab.models.cache.CacheLoad;
import io.trimtab.models.usage.UsageModel;
import io.trimtab.models.usage.UsagePredictor;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
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

/** A thousand partitions with histograms of a thousand blocks each, packed by predicted usage. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3)
@Measurement(iterations = 5)
@Fork(3)
public class PackingBenchmark {
  private static final int PARTITIONS = 1_000;
  private static final int BLOCKS = 1_000;
  private static final double BLOCK_BYTES = 33_000;

  @Param({"50", "100"})
  private int nodes;

  /** That improving may take: none is longest processing time first alone. */
  @Param({"0", "100000"})
  private int predictions;

  private final List<UsagePacking.Item> items = new ArrayList<>();
  private UsagePredictor model;

  @Setup
  public void draw() {
    List<UsageModel.ReadPoint> reads = new ArrayList<>();
    List<UsageModel.UpdatePoint> updates = new ArrayList<>();
    for (double level : new double[] {0.2, 0.4, 0.6, 0.8}) {
      for (double hits : new double[] {1, 0.9, 0.7, 0.5, 0.3}) {
        reads.add(
            new UsageModel.ReadPoint(
                hits, level, (level - 0.02) / (2e-5 + (1 - hits) * 1e-3), List.of()));
      }
      updates.add(new UsageModel.UpdatePoint(level, (level - 0.02) / 5e-5, List.of()));
    }
    model =
        new UsagePredictor(
            new UsageModel(
                UsageModel.SCHEMA, "hbase", new TreeMap<>(), 0.02, reads, updates, null, null));
    Random random = new Random(7);
    for (int p = 0; p < PARTITIONS; p++) {
      double skew = 1.2 * random.nextDouble();
      AccessHistogram.Builder counts = new AccessHistogram.Builder();
      for (int i = 0; i < BLOCKS; i++) {
        counts.add(Math.rint(1e5 * Math.pow(i + 1.0, -skew)), 1, BLOCK_BYTES);
      }
      double perSecond = 100 * random.nextDouble();
      items.add(
          new UsagePacking.Item(
              CacheLoad.of(counts.build(), perSecond),
              UsageModel.Load.withoutScans(1, perSecond, 100 * random.nextDouble(), 1_000)));
    }
  }

  @Benchmark
  public UsagePacking.Packed pack() {
    // A fifth of what there is fits the caches.
    double cache = 0.2 * PARTITIONS * BLOCKS * BLOCK_BYTES / nodes;
    return UsagePacking.pack(model, items, nodes, cache, predictions);
  }
}
