package io.trimtab.plugincore.ranking;

/**
 * The time that an answer is expected to take: the replica's service time, and its share of what is
 * before it. What is known of a replica, seen or heard, counts less with its age; each request of
 * this coordinator that has not been answered counts as one of every coordinator, because the
 * others have seen the same and choose the same.
 */
public final class TrimtabRanking extends CountingRanking {
  /** Nanoseconds after which what was seen counts 1/e. */
  public static final double MEMORY = 50e6;

  private final Views views;
  private final int concurrency;
  private final double compensation;
  private final double memory;

  /**
   * @param views what this node knows, which it tells others and hears from them
   */
  public TrimtabRanking(RankingSettings settings, Views views) {
    this(settings, views, settings.coordinators(), MEMORY);
  }

  /** For an ablation, with other weights. */
  public TrimtabRanking(RankingSettings settings, Views views, double compensation, double memory) {
    super(settings);
    this.views = views;
    concurrency = settings.concurrency();
    this.compensation = compensation;
    this.memory = memory;
  }

  @Override
  protected double score(int replica, long now) {
    double before = views.queue(replica, now, memory) + outstanding(replica) * compensation;
    double each = before / concurrency;
    return views.service(replica, now, memory) * (1 + each * each);
  }

  @Override
  void learn(int replica, long now, long took, Told told) {
    if (told.isKnown()) {
      long back = Math.max(0, took - told.service - told.waited) / 2;
      views.learn(replica, now - back, told.queued, told.recentService);
    }
  }
}
