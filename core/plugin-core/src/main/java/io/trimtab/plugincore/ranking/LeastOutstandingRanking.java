package io.trimtab.plugincore.ranking;

/** The fewest unanswered requests of this coordinator first. */
final class LeastOutstandingRanking extends ScoredRanking {
  private final Outstanding outstanding;

  LeastOutstandingRanking(RankingSettings settings) {
    super(settings.seed());
    outstanding = new Outstanding(settings.replicas());
  }

  @Override
  double score(int replica, long now) {
    return outstanding.of(replica);
  }

  @Override
  public void sent(int replica, long now) {
    outstanding.sent(replica);
  }

  @Override
  public void received(int replica, long now, long took, Told told) {
    outstanding.ended(replica);
  }

  @Override
  public void lost(int replica, long now, long after) {
    outstanding.ended(replica);
  }
}
