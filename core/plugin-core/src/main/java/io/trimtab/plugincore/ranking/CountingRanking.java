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

  /** What an answer tells, besides that there is one. */
  void learn(int replica, long now, long took, Told told) {}

  @Override
  public final void sent(int replica, long now) {
    outstanding.incrementAndGet(replica);
  }

  @Override
  public final void received(int replica, long now, long took, Told told) {
    ended(replica);
    learn(replica, now, took, told);
  }

  @Override
  public void lost(int replica, long now, long after) {
    ended(replica);
  }

  @Override
  public final void failed(int replica, long now) {
    ended(replica);
  }

  private void ended(int replica) {
    // An answer after a timeout would be counted twice.
    outstanding.accumulateAndGet(replica, 1, (number, one) -> Math.max(0, number - one));
  }
}
