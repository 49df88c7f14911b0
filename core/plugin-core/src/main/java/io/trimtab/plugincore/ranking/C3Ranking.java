package io.trimtab.plugincore.ranking;

import java.util.stream.Stream;

/**
 * C3 (Suresh 2015, §3.1): the response time without the service time, and the service time for a
 * queue that is punished by its cube. The queue is what the replica said, and this coordinator's
 * own unanswered requests as if all coordinators had as many (concurrency compensation).
 */
final class C3Ranking extends CountingRanking {
  /** Of the newest value, as in the authors' program. */
  private static final double WEIGHT = 0.9;

  /** Below every score in nanoseconds, and small enough to count requests one by one. */
  private static final double UNASKED = -1e15;

  private final int coordinators;
  private final Seen[] seen;

  /** Of one replica; guarded by itself. */
  private static final class Seen {
    final Average response = new Average(WEIGHT);
    final Average service = new Average(WEIGHT);
    final Average queue = new Average(WEIGHT);
  }

  C3Ranking(RankingSettings settings) {
    super(settings);
    coordinators = settings.coordinators();
    seen = Stream.generate(Seen::new).limit(settings.replicas()).toArray(Seen[]::new);
  }

  @Override
  protected double score(int replica, long now) {
    Seen its = seen[replica];
    synchronized (its) {
      if (!its.service.isKnown()) {
        // Whoever was never asked is asked first; else by how many are on their way.
        return UNASKED + outstanding(replica);
      }
      double told = its.queue.isKnown() ? its.queue.value() : 0;
      double queue = 1 + (double) outstanding(replica) * coordinators + told;
      double service = its.service.value();
      return its.response.value() - service + queue * queue * queue * service;
    }
  }

  @Override
  public Explained explain(int replica, long now) {
    Explained its = super.explain(replica, now);
    Seen known = seen[replica];
    synchronized (known) {
      its.queued = known.queue.value();
      its.service = known.service.value();
    }
    return its;
  }

  @Override
  void learn(int replica, long now, long took, Told told) {
    Seen its = seen[replica];
    synchronized (its) {
      its.response.add(took);
      // Of one that says nothing of itself all of the time may have been service.
      its.service.add(told.isKnown() ? told.service : took);
      if (told.isKnown()) {
        its.queue.add(told.queued);
      }
    }
  }
}
