package io.trimtab.plugincore.ranking;

import java.util.stream.Stream;

/**
 * The replica ranking of the thesis (Wu 2018, §4.3.1, formula 4.1): network time, service time for
 * the cube of the queue, and the time that requests waited, ten times. Scores are made anew every
 * 100 ms.
 */
final class ThesisRanking extends ScoredRanking {
  private static final long PERIOD = 100_000_000;
  private static final double WEIGHT = 0.9;
  private static final double WAITED_WEIGHT = 10;
  private static final double TAIL_FACTOR = 2;
  private static final int WINDOW = 100;

  private final Seen[] seen;

  /** Of one replica; guarded by itself. */
  private static final class Seen {
    final TailAdjusted network = new TailAdjusted(WINDOW, TAIL_FACTOR);
    final TailAdjusted service = new TailAdjusted(WINDOW, TAIL_FACTOR);
    final Average queue = new Average(WEIGHT);
    final Average waited = new Average(WEIGHT);
    long madeAt;
    boolean made;
    double score;

    double made(long now) {
      if (network.isKnown() && (!made || now - madeAt >= PERIOD)) {
        score = network.value();
        if (queue.isKnown()) {
          double queued = queue.value();
          score += queued * queued * queued * service.value() + WAITED_WEIGHT * waited.value();
        }
        made = true;
        madeAt = now - now % PERIOD;
      }
      // Whoever was never asked is asked first.
      return made ? score : -1;
    }
  }

  ThesisRanking(RankingSettings settings) {
    super(settings.seed());
    seen = Stream.generate(Seen::new).limit(settings.replicas()).toArray(Seen[]::new);
  }

  @Override
  protected double score(int replica, long now) {
    Seen its = seen[replica];
    synchronized (its) {
      return its.made(now);
    }
  }

  @Override
  public void received(int replica, long now, long took, Told told) {
    Seen its = seen[replica];
    synchronized (its) {
      if (!told.isKnown()) {
        // All of the time may have been on the way, so far as this coordinator can tell.
        its.network.add(took);
        return;
      }
      // The time on the way: what waited counts by itself.
      its.network.add(Math.max(0, took - told.service - told.waited));
      its.service.add(told.service);
      its.queue.add(told.queued);
      its.waited.add(told.waited);
    }
  }
}
