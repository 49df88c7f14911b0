package io.trimtab.plugincore.ranking;

/** A ranking by a number for each replica, lowest first; equals are in random order. */
abstract class ScoredRanking implements ReplicaRanking {
  private final Draws draws;

  ScoredRanking(long seed) {
    draws = new Draws(seed);
  }

  /** Lower is better; never NaN. */
  abstract double score(int replica, long now);

  /** What has to be brought up to date before scores are asked for. */
  void refresh(long now) {}

  @Override
  public void order(int[] replicas, int count, long now) {
    refresh(now);
    draws.shuffle(replicas, count);
    for (int i = 1; i < count; i++) {
      int replica = replicas[i];
      double score = score(replica, now);
      int at = i;
      while (at > 0 && score(replicas[at - 1], now) > score) {
        replicas[at] = replicas[at - 1];
        at--;
      }
      replicas[at] = replica;
    }
  }
}
