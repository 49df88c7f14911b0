package io.trimtab.bench;

import io.trimtab.plugincore.ranking.RankingKind;
import io.trimtab.plugincore.ranking.RankingSettings;
import io.trimtab.plugincore.ranking.ReplicaRanking;
import io.trimtab.plugincore.ranking.Told;
import io.trimtab.plugincore.ranking.Views;
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

/**
 * What ranking costs a read with three replicas; {@code -prof gc} counts what it allocates. All
 * threads use the ranking of one coordinator.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(3)
public class RankingBenchmark {
  private static final int NODES = 50;
  private static final int REPLICAS = 3;
  private static final int ENTRIES = 25;
  private static final int SERVICE = 4_000_000;

  /** A coordinator that has heard of every replica. */
  @State(Scope.Benchmark)
  public static class Coordinator {
    @Param({"random", "least-outstanding", "dynamic-snitch", "c3", "thesis", "prequal", "trimtab"})
    String name;

    Views views;
    ReplicaRanking ranking;

    @Setup
    public void make() {
      views = new Views(NODES);
      ranking =
          RankingKind.named(name).orElseThrow().make(new RankingSettings(NODES, NODES, 1), views);
      Told told = new Told();
      for (int i = 0; i < 100 * NODES; i++) {
        answered(ranking, i % NODES, System.nanoTime(), told, i);
      }
    }

    static void answered(ReplicaRanking ranking, int replica, long now, Told told, int number) {
      told.queued = Math.floorMod(number, 7);
      told.service = SERVICE + number % 1_000;
      told.recentService = SERVICE;
      told.waited = 100 * told.queued;
      ranking.sent(replica, now - SERVICE);
      ranking.received(replica, now, 2 * SERVICE, told);
    }
  }

  /** Reads of one thread. */
  @State(Scope.Thread)
  public static class Reads {
    final int[] replicas = new int[REPLICAS];
    final Told told = new Told();
    final long[] entries = new long[ENTRIES];
    int next;

    int[] next() {
      next++;
      for (int i = 0; i < REPLICAS; i++) {
        replicas[i] = Math.floorMod(next + i, NODES);
      }
      return replicas;
    }
  }

  private static int read(Coordinator coordinator, Reads reads) {
    int[] replicas = reads.next();
    long now = System.nanoTime();
    coordinator.ranking.order(replicas, REPLICAS, now);
    Coordinator.answered(coordinator.ranking, replicas[0], now, reads.told, reads.next);
    return replicas[0];
  }

  /** Order, request and answer. */
  @Benchmark
  @Threads(1)
  public int oneThread(Coordinator coordinator, Reads reads) {
    return read(coordinator, reads);
  }

  @Benchmark
  @Threads(2)
  public int twoThreads(Coordinator coordinator, Reads reads) {
    return read(coordinator, reads);
  }

  /** What a message says of replicas is filled in and read, as once for each request and answer. */
  @Benchmark
  @Threads(1)
  public int whatMessagesTell(Coordinator coordinator, Reads reads) {
    long now = System.nanoTime();
    int count = coordinator.views.tell(now, reads.entries);
    coordinator.views.hear(now, 1, reads.entries, count);
    return count;
  }
}
