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
}
