package io.trimtab.plugincore.ranking;

/** Any order. */
final class RandomRanking extends ScoredRanking {
  RandomRanking(RankingSettings settings) {
    super(settings.seed());
  }

  @Override
  protected double score(int replica, long now) {
    return 0;
  }

  @Override
  public void received(int replica, long now, long took, Told told) {}
}
