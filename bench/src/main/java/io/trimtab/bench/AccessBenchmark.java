package io.trimtab.bench;

import io.trimtab.plugincore.BlockAccesses;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
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
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/** What counting a read for its block costs; all threads on the same region. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class AccessBenchmark {
  private static final int KEYS = 1 << 14;
  private static final int ROWS_PER_BLOCK = 30;

  private static byte[] key(int row) {
    return String.format(Locale.ROOT, "user%012d", row).getBytes(StandardCharsets.US_ASCII);
  }

  /** The region. */
  @State(Scope.Benchmark)
  public static class Region {
    /** More than ten thousand, and not each block is followed. */
    @Param({"1500", "10000", "100000"})
    int blocks;

    BlockAccesses accesses;

    @Setup
    public void divide() {
      List<byte[]> first = new ArrayList<>();
      for (int i = 0; i < blocks; i++) {
        first.add(key(ROWS_PER_BLOCK * i));
      }
      accesses = new BlockAccesses(first, new byte[0], new byte[0]);
    }
  }

  /** Row keys of one thread: half of the requests for the lowest quarter of the rows. */
  @State(Scope.Thread)
  public static class Requests {
    private final byte[][] keys = new byte[KEYS][];
    private int next;

    @Setup
    public void draw(Region region) {
      Random random = new Random(Thread.currentThread().getId());
      for (int i = 0; i < KEYS; i++) {
        double u = random.nextDouble();
        keys[i] = key((int) (u * u * region.blocks * ROWS_PER_BLOCK));
      }
    }

    byte[] next() {
      next = (next + 1) & (KEYS - 1);
      return keys[next];
    }
  }

  @Benchmark
  @Threads(1)
  public void oneThread(Region region, Requests requests) {
    region.accesses.add(requests.next());
  }

  @Benchmark
  @Threads(2)
  public void twoThreads(Region region, Requests requests) {
    region.accesses.add(requests.next());
  }

  @Benchmark
  @Threads(1)
  public BlockAccesses.Histogram histogram(Region region) {
    return region.accesses.histogram();
  }
}
