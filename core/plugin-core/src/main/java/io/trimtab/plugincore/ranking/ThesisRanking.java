package io.trimtab.plugincore.ranking;

import java.util.stream.Stream;

/**
 * The replica ranking of the thesis (Wu 2018, §4.3.1, formula 4.1): network time, service time for
 * the cube of the queue, and the time that requests waited, ten times. Scores are made anew every
 * 100 ms.
 */
public final class ThesisRanking extends ScoredRanking {
  /** Nanoseconds for which a score stays. */
  public static final long PERIOD = 100_000_000;

  /**
   * Of the newest value in an average; the thesis does not say of which value 0.9 is the weight.
   */
  public static final double WEIGHT = 0.9;

  /** Values whose percentiles adjust the newest one; the thesis does not say how many. */
  public static final int WINDOW = 100;

  private static final double WAITED_WEIGHT = 10;
  private static final double TAIL_FACTOR = 2;

  private final Seen[] seen;
  private final long period;

  /** Of one replica; guarded by itself. */
  private static final class Seen {
    final TailAdjusted network;
    final TailAdjusted service;
    final Average queue;
    final Average waited;
    long madeAt;
    boolean made;
    double score;

    Seen(int window, double weight) {
      network = new TailAdjusted(window, TAIL_FACTOR);
      service = new TailAdjusted(window, TAIL_FACTOR);
      queue = new Average(weight);
      waited = new Average(weight);
    }

    double made(long now, long period) {
      if (network.isKnown() && (!made || now - madeAt >= period)) {
        score = network.value();
        if (queue.isKnown()) {
          double queued = queue.value();
          score += queued * queued * queued * service.value() + WAITED_WEIGHT * waited.value();
        }
        made = true;
        madeAt = now - now % period;
      }
      // Whoever was never asked is asked first.
      return made ? score : -1;
    }
  }

  ThesisRanking(RankingSettings settings) {
    this(settings, PERIOD, WINDOW, WEIGHT);
  }

  /**
   * With other values where the thesis leaves something open, or to see what one brings.
   *
   * @param period for which a score stays, ns, ≥ 1
   * @param window values whose percentiles adjust the newest one, ≥ 1
   * @param weight of the newest value in an average, 0 to 1
   */
  public ThesisRanking(RankingSettings settings, long period, int window, double weight) {
    super(settings.seed());
    this.period = period;
    seen =
        Stream.generate(() -> new Seen(window, weight))
            .limit(settings.replicas())
            .toArray(Seen[]::new);
  }

  @Override
  protected double score(int replica, long now) {
    Seen its = seen[replica];
    synchronized (its) {
      return its.made(now, period);
    }
  }

  @Override
  public Explained explain(int replica, long now) {
    Explained its = super.explain(replica, now);
    Seen known = seen[replica];
    synchronized (known) {
      its.queued = known.queue.value();
      its.service = known.service.isKnown() ? known.service.value() : Double.NaN;
      its.waited = known.waited.value();
      its.messages = known.network.isKnown() ? known.network.value() : Double.NaN;
    }
    return its;
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
