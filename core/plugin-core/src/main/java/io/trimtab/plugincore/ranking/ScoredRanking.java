package io.trimtab.plugincore.ranking;

/** A ranking by a number for each replica, lowest first; equals are in random order. */
public abstract class ScoredRanking implements ReplicaRanking {
  private final Draws draws;

  /**
   * @param seed of the order of equals
   */
  protected ScoredRanking(long seed) {
    draws = new Draws(seed);
  }

  /** Lower is better; never NaN. */
  protected abstract double score(int replica, long now);

  @Override
  public void order(int[] replicas, int count, long now) {
    draws.shuffle(replicas, count);
    sort(replicas, count, now);
  }

  /** Sorts; equals stay in the order in which they are given. */
  protected final void sort(int[] replicas, int count, long now) {
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
