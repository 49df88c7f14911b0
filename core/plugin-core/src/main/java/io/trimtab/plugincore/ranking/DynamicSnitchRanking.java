package io.trimtab.plugincore.ranking;

import java.util.Arrays;
import java.util.stream.Stream;

/**
 * Cassandra 5.0's dynamic snitch: medians of latencies of the last seconds (a reservoir of 100 that
 * decays with 0.75 a second), scores every 100 ms, all forgotten every 10 minutes. The engine's own
 * order stays unless a replica in it is worse than the best of its place by the threshold.
 */
final class DynamicSnitchRanking extends ScoredRanking {
  private static final long PERIOD = 100_000_000;
  private static final long RESET = 600_000_000_000L;
  private static final int SIZE = 100;
  private static final double DECAY = 0.75e-9;

  private final double threshold;
  private final Draws draws;
  private final Reservoir[] latencies;
  private final double[] medians;
  private final double[] sorted;
  private long madeAt = Long.MIN_VALUE / 2;
  private long resetAt = Long.MAX_VALUE;

  /** Latencies of one replica, those of the last seconds more probably; guarded by itself. */
  private static final class Reservoir {
    final double[] values = new double[SIZE];
    final double[] priorities = new double[SIZE];
    final double[] logWeights = new double[SIZE];
    int size;
    boolean changed;
    private final int[] order = new int[SIZE];

    void add(double value, double logWeight, double fraction) {
      double priority = logWeight - Math.log(fraction);
      int at = size;
      if (size == SIZE) {
        at = 0;
        for (int i = 1; i < SIZE; i++) {
          at = priorities[i] < priorities[at] ? i : at;
        }
        if (priorities[at] > priority) {
          return;
        }
      } else {
        size++;
      }
      values[at] = value;
      priorities[at] = priority;
      logWeights[at] = logWeight;
      changed = true;
    }

    double median() {
      for (int i = 0; i < size; i++) {
        int at = i;
        while (at > 0 && values[order[at - 1]] > values[i]) {
          order[at] = order[at - 1];
          at--;
        }
        order[at] = i;
      }
      double most = Double.NEGATIVE_INFINITY;
      for (int i = 0; i < size; i++) {
        most = Math.max(most, logWeights[i]);
      }
      double all = 0;
      for (int i = 0; i < size; i++) {
        all += Math.exp(logWeights[i] - most);
      }
      double sum = 0;
      for (int i = 0; i < size; i++) {
        sum += Math.exp(logWeights[order[i]] - most);
        if (sum >= all / 2) {
          return values[order[i]];
        }
      }
      return 0;
    }
  }

  /**
   * @param threshold how much worse than the best, as a share of it; 1.0 in Cassandra 5.0, 0.1
   *     before
   */
  DynamicSnitchRanking(RankingSettings settings, double threshold) {
    super(settings.seed());
    this.threshold = threshold;
    draws = new Draws(settings.seed());
    latencies =
        Stream.generate(Reservoir::new).limit(settings.replicas()).toArray(Reservoir[]::new);
    medians = new double[settings.replicas()];
    sorted = new double[settings.replicas()];
  }

  private void refresh(long now) {
    resetAt = Math.min(resetAt, now);
    if (now - resetAt >= RESET) {
      for (Reservoir its : latencies) {
        synchronized (its) {
          its.size = 0;
        }
      }
      Arrays.fill(medians, 0);
      resetAt = now;
    }
    if (now - madeAt < PERIOD) {
      return;
    }
    madeAt = now;
    for (int i = 0; i < medians.length; i++) {
      Reservoir its = latencies[i];
      synchronized (its) {
        if (its.changed) {
          medians[i] = its.median();
          its.changed = false;
        }
      }
    }
  }

  @Override
  public synchronized void order(int[] replicas, int count, long now) {
    refresh(now);
    for (int i = 0; i < count; i++) {
      sorted[i] = medians[replicas[i]];
    }
    Arrays.sort(sorted, 0, count);
    for (int i = 0; i < count; i++) {
      if (medians[replicas[i]] > sorted[i] * (1 + threshold)) {
        sort(replicas, count, now);
        return;
      }
    }
  }

  @Override
  protected double score(int replica, long now) {
    return medians[replica];
  }

  /** As in Cassandra: the threshold is what it has for racks. */
  @Override
  public void penalize(double[] factors) {}

  @Override
  public void received(int replica, long now, long took, Told told) {
    add(replica, now, took);
  }

  @Override
  public void lost(int replica, long now, long after) {
    add(replica, now, after);
  }

  private void add(int replica, long now, long took) {
    Reservoir its = latencies[replica];
    double fraction = Draws.fraction(draws.next());
    synchronized (its) {
      its.add(took, now * DECAY, fraction);
    }
  }
}
