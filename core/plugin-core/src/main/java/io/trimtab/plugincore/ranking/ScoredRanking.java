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
   * By how much scores grow at random in an order of these, at most; 0 where chance has no part.
   *
   * @param count how many of the replicas are ordered
   */
  double chance(int[] replicas, int count, long now) {
    return 0;
  }

  private double place(int replica, double score) {
    return penalized(score, factor(factors, replica));
  }

  @Override
  public Explained explain(int replica, long now) {
    Explained its = new Explained();
    its.score = place(replica, score(replica, now));
    return its;
  }

  @Override
  public void order(int[] replicas, int count, long now) {
    long random = Draws.shuffle(replicas, count, draws.next());
    double chance = chance(replicas, count, now);
    if (chance <= 0 || areAlike(replicas, count)) {
      sort(replicas, count, now, chance, random);
    } else {
      sort(replicas, count, now, 0, 0);
      swap(replicas, count, now, chance, random);
    }
  }

  /** Sorts; equals stay in the order in which they are given. */
  protected final void sort(int[] replicas, int count, long now) {
    sort(replicas, count, now, 0, 0);
  }

  /** Whether all count as often: which is farther away is not left to chance. */
  private boolean areAlike(int[] replicas, int count) {
    double[] its = factors;
    for (int i = 1; i < count; i++) {
      if (factor(its, replicas[i]) != factor(its, replicas[0])) {
        return false;
      }
    }
    return true;
  }

  /**
   * Neighbours in an order that are as far away; where their scores are equal, every other time.
   */
  private void swap(int[] replicas, int count, long now, double chance, long drawn) {
    double[] its = factors;
    long random = drawn;
    for (int i = 0; i + 1 < count; i++) {
      int better = replicas[i];
      int worse = replicas[i + 1];
      double longer = 1 + chance * (1 - 2 * Draws.fraction(random));
      random = Draws.after(random);
      if (factor(its, better) == factor(its, worse)
          && score(worse, now) <= score(better, now) * longer) {
        replicas[i] = worse;
        replicas[i + 1] = better;
      }
    }
  }

  private static double factor(double[] factors, int replica) {
    return replica < factors.length ? factors[replica] : 1;
  }

  /**
   * @param chance by how much a score may grow
   * @param drawn a random number
   */
  private void sort(int[] replicas, int count, long now, double chance, long drawn) {
    long random = drawn;
    double[] its = SCORES.get();
    if (its.length < count) {
      its = new double[count];
      SCORES.set(its);
    }
    for (int i = 0; i < count; i++) {
      int replica = replicas[i];
      double score = place(replica, score(replica, now));
      if (chance > 0) {
        score *= 1 + chance * Draws.fraction(random);
        random = Draws.after(random);
      }
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
