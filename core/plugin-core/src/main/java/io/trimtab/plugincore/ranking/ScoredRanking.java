package io.trimtab.plugincore.ranking;

/** A ranking by a number for each replica, lowest first; equals are in random order. */
public abstract class ScoredRanking implements ReplicaRanking {
  /** More replicas than any keyspace has. */
  private static final int USUAL = 16;

  /** Scores of one order, while it is sorted. */
  private static final ThreadLocal<double[]> SCORES =
      ThreadLocal.withInitial(() -> new double[USUAL]);

  private static final double[] NONE = {};

  private final Draws draws;
  private volatile double[] factors = NONE;

  /**
   * @param seed of the order of equals
   */
  protected ScoredRanking(long seed) {
    draws = new Draws(seed);
  }

  /** Lower is better; never NaN. Negative: nothing is known of it, and that is found out first. */
  protected abstract double score(int replica, long now);

  @Override
  public void penalize(double[] factorsNow) {
    factors = factorsNow.clone();
  }

  /** The score of a replica whose expected time counts so many times as much. */
  double penalized(double score, double factor) {
    return score > 0 ? score * factor : score;
  }

  /**
   * The score for one order, where chance has a part in it.
   *
   * @param random any number
   */
  double drawn(int replica, long now, long random) {
    return score(replica, now);
  }

  private double place(int replica, double score) {
    double[] its = factors;
    return replica < its.length ? penalized(score, its[replica]) : score;
  }

  @Override
  public Explained explain(int replica, long now) {
    Explained its = new Explained();
    its.score = place(replica, score(replica, now));
    return its;
  }

  @Override
  public void order(int[] replicas, int count, long now) {
    sort(replicas, count, now, Draws.shuffle(replicas, count, draws.next()));
  }

  /** Sorts; equals stay in the order in which they are given. */
  protected final void sort(int[] replicas, int count, long now) {
    sort(replicas, count, now, 0);
  }

  /**
   * @param drawn a random number
   */
  private void sort(int[] replicas, int count, long now, long drawn) {
    long random = drawn;
    double[] its = SCORES.get();
    if (its.length < count) {
      its = new double[count];
      SCORES.set(its);
    }
    for (int i = 0; i < count; i++) {
      int replica = replicas[i];
      double score = place(replica, drawn(replica, now, random));
      random = Draws.after(random);
      int at = i;
      while (at > 0 && its[at - 1] > score) {
        replicas[at] = replicas[at - 1];
        its[at] = its[at - 1];
        at--;
      }
      replicas[at] = replica;
      its[at] = score;
    }
  }
}
