package io.trimtab.plugincore.ranking;

/**
 * Orders the replicas of a read, best first, by what a coordinator has seen of them.
 *
 * <p>Replicas are numbers from 0 on that the caller gives to them. All times are nanoseconds of one
 * clock that never goes back. Methods may be called by many threads; none of those that a read
 * needs allocates.
 */
public interface ReplicaRanking {
  /** A request goes to a replica. */
  default void sent(int replica, long now) {}

  /**
   * An answer has come.
   *
   * @param took from sending to receiving, &gt; 0
   * @param told what the replica said with it
   */
  void received(int replica, long now, long took, Told told);

  /**
   * No answer will come, or nobody waits for it.
   *
   * @param after since it was sent
   */
  default void lost(int replica, long now, long after) {}

  /** The replica answers that it can't: that is no answer, however fast it came. */
  default void failed(int replica, long now) {}

  /** Something else than an answer has come from it: it runs, however busy it is. */
  default void alive(int replica, long now) {}

  /**
   * From now on expected times count so many times as much: where replicas are farther away.
   * Rankings that expect no time ignore it.
   *
   * @param factors by replica, ≥ 1; replicas beyond the last one count once
   */
  default void penalize(double[] factors) {}

  /** What is known of a replica; this may allocate. */
  default Explained explain(int replica, long now) {
    return new Explained();
  }

  /**
   * Sorts replicas, best first.
   *
   * @param replicas in the order that the engine would use without a ranking
   * @param count how many of them, from the first on; the others stay where they are
   */
  void order(int[] replicas, int count, long now);
}
