package io.trimtab.plugincore.ranking;

import java.util.concurrent.atomic.AtomicIntegerArray;

/** A ranking that knows how many of this coordinator's requests have not been answered. */
abstract class CountingRanking extends ScoredRanking {
  private final AtomicIntegerArray outstanding;

  CountingRanking(RankingSettings settings) {
    super(settings.seed());
    outstanding = new AtomicIntegerArray(settings.replicas());
  }

  /** Requests to a replica that have not been answered. */
  final int outstanding(int replica) {
    return outstanding.get(replica);
  }

  @Override
  public Explained explain(int replica, long now) {
    Explained its = super.explain(replica, now);
    its.outstanding = outstanding(replica);
    return its;
  }

  /** What an answer tells, besides that there is one. */
  void learn(int replica, long now, long took, Told told) {}

  /** An answer has come, be it that it failed. */
  void answered(int replica, long now) {}

  @Override
  public void sent(int replica, long now) {
    outstanding.incrementAndGet(replica);
  }

  @Override
  public final void received(int replica, long now, long took, Told told) {
    ended(replica);
    answered(replica, now);
    learn(replica, now, took, told);
  }

  @Override
  public void lost(int replica, long now, long after) {
    ended(replica);
  }

  @Override
  public final void failed(int replica, long now) {
    ended(replica);
    answered(replica, now);
  }

  private void ended(int replica) {
    // An answer after a timeout would be counted twice.
    outstanding.accumulateAndGet(replica, 1, (number, one) -> Math.max(0, number - one));
  }
}
