package io.trimtab.plugincore.ranking;

/** The fewest unanswered requests of this coordinator first. */
final class LeastOutstandingRanking extends CountingRanking {
  LeastOutstandingRanking(RankingSettings settings) {
    super(settings);
  }

  @Override
  protected double score(int replica, long now) {
    return outstanding(replica);
  }

  /** As if each took the same time, the one that is to be sent too. */
  @Override
  double penalized(double score, double factor) {
    return (score + 1) * factor - 1;
  }
}
