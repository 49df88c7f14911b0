package io.trimtab.bench;

import io.trimtab.hbaseplugin.SplitCollector;
import io.trimtab.plugincore.SplitAdvice;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/** What following the requests of one region costs a request; all threads on the same region. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class CollectorBenchmark {
  private static final int KEYS = 1 << 14;

  /** The region. */
  @State(Scope.Benchmark)
  public static class Region {
    SplitCollector collector = new SplitCollector(new byte[0], new byte[0]);
  }

  /** Row keys of one thread: half of the requests for the lowest quarter of 100,000 keys. */
  @State(Scope.Thread)
  public static class Requests {
    private final byte[][] keys = new byte[KEYS][];
    private int next;

    @Setup
    public void draw() {
      Random random = new Random(Thread.currentThread().getId());
      for (int i = 0; i < KEYS; i++) {
        double u = random.nextDouble();
        keys[i] =
            String.format(Locale.ROOT, "user%012d", (int) (u * u * 100_000))
                .getBytes(StandardCharsets.US_ASCII);
      }
    }

    byte[] next() {
      next = (next + 1) & (KEYS - 1);
      return keys[next];
    }
  }

  private static void add(Region region, Requests requests) {
    byte[] key = requests.next();
    region.collector.add(key, 0, key.length);
  }

  @Benchmark
  @Threads(1)
  public void oneThread(Region region, Requests requests) {
    add(region, requests);
  }

  @Benchmark
  @Threads(2)
  public void twoThreads(Region region, Requests requests) {
    add(region, requests);
  }

  @Benchmark
  @Threads(4)
  public void fourThreads(Region region, Requests requests) {
    add(region, requests);
  }

  @Benchmark
  @Threads(32)
  public void thirtyTwoThreads(Region region, Requests requests) {
    add(region, requests);
  }

  /** What a look at the advice costs, with requests in between. */
  @Benchmark
  @Threads(1)
  public SplitAdvice advice(Region region, Requests requests) {
    add(region, requests);
    return region.collector.advice();
  }
}
