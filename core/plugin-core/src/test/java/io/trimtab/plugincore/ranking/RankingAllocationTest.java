package io.trimtab.plugincore.ranking;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rankings are asked for every read: they leave nothing to the garbage collector. */
class RankingAllocationTest {
  private static final int REPLICAS = 9;
  private static final int READS = 20_000;
  private final int[] replicas = new int[3];
  private final Told told = new Told();

  private void read(ReplicaRanking ranking, int number) {
    long now = number * 1_000_000L;
    for (int i = 0; i < replicas.length; i++) {
      replicas[i] = (number + i) % REPLICAS;
    }
    ranking.order(replicas, replicas.length, now);
    told.queued = number % 5;
    told.service = 4_000_000;
    told.recentService = 4_000_000;
    ranking.sent(replicas[0], now);
    if (number % 10 == 0) {
      ranking.lost(replicas[0], now, 5_000_000_000L);
    } else if (number % 10 == 1) {
      ranking.failed(replicas[0], now);
    } else {
      ranking.received(replicas[0], now, 5_000_000, told);
    }
    ranking.alive(replicas[1], now);
  }

  @ParameterizedTest
  @EnumSource(RankingKind.class)
  void aReadAllocatesNothing(RankingKind kind) {
    ReplicaRanking ranking = kind.make(new RankingSettings(REPLICAS, 3, 7), new Views(REPLICAS));
    double[] factors = new double[REPLICAS];
    Arrays.setAll(factors, i -> 1 + i % 2);
    ranking.penalize(factors);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long self = Thread.currentThread().getId();
    for (int i = 0; i < READS; i++) {
      read(ranking, i);
    }

    long before = threads.getThreadAllocatedBytes(self);
    for (int i = 0; i < READS; i++) {
      read(ranking, READS + i);
    }
    long allocated = threads.getThreadAllocatedBytes(self) - before;

    // What the JVM itself allocates once, be it for its own counters.
    assertThat((double) allocated / READS).isLessThan(1);
  }
}
