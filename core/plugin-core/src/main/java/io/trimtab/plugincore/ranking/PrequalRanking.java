package io.trimtab.plugincore.ranking;

import java.util.Arrays;
import java.util.stream.Stream;

/**
 * As Prequal (Wydrowski 2024) without probes of its own: a replica with more requests in flight
 * than most are is hot. Of those that are not, the one with the least latency comes first; the hot
 * ones follow by requests in flight.
 */
final class PrequalRanking extends CountingRanking {
  /** Quantile of requests in flight from which a replica is hot (2⁻⁰·²⁵). */
  private static final double HOT = 0.84;

  private static final double WEIGHT = 0.5;
  private static final int RECENT = 64;

  private final Seen[] seen;
  private final int[] recent = new int[RECENT];
  private final int[] sorted = new int[RECENT];
  private int next;
  private int size;
  private volatile int hotAbove = Integer.MAX_VALUE;

  /** Of one replica; guarded by itself. */
  private static final class Seen {
    final Average latency = new Average(WEIGHT);
    int queued;
  }

  PrequalRanking(RankingSettings settings) {
    super(settings);
    seen = Stream.generate(Seen::new).limit(settings.replicas()).toArray(Seen[]::new);
  }

  @Override
  protected double score(int replica, long now) {
    Seen its = seen[replica];
    synchronized (its) {
      int inFlight = its.queued + outstanding(replica);
      if (!its.latency.isKnown()) {
        return -1;
      }
      return inFlight > hotAbove ? 1e18 * (1 + inFlight) : its.latency.value();
    }
  }

  @Override
  void learn(int replica, long now, long took, Told told) {
    Seen its = seen[replica];
    synchronized (its) {
      its.latency.add(took);
      its.queued = Math.max(0, told.queued);
    }
    if (told.isKnown()) {
      noted(told.queued);
    }
  }

  private synchronized void noted(int queued) {
    recent[next] = queued;
    next = (next + 1) % RECENT;
    size = Math.min(RECENT, size + 1);
    if (next % 8 == 0) {
      System.arraycopy(recent, 0, sorted, 0, size);
      Arrays.sort(sorted, 0, size);
      hotAbove = sorted[(int) (HOT * (size - 1))];
    }
  }

  @Override
  public void lost(int replica, long now, long after) {
    super.lost(replica, now, after);
    Seen its = seen[replica];
    synchronized (its) {
      its.latency.add(after);
    }
  }
}
