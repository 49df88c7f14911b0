package io.trimtab.plugincore.ranking;

/**
 * The time that an answer is expected to take: the replica's service time, and its share of what is
 * before it. What is known of a replica, seen or heard, counts less with its age; each request of
 * this coordinator that has not been answered counts as one of every coordinator, because the
 * others have seen the same and choose the same. Where nothing comes from a replica that owes
 * answers, the time is at least as long as that lasts: it may have died.
 */
public final class TrimtabRanking extends CountingRanking {
  /** Nanoseconds after which what was seen counts 1/e. */
  public static final double MEMORY = 50e6;

  /** More than what waits: a long queue is also one that others are about to make longer. */
  public static final double EXPONENT = 2;

  private final Views views;
  private final Silences silences;
  private final int concurrency;
  private final double compensation;
  private final double memory;
  private final double silence;
  private final double exponent;

  /**
   * @param views what this node knows, which it tells others and hears from them
   */
  public TrimtabRanking(RankingSettings settings, Views views) {
    this(settings, views, settings.coordinators(), MEMORY, 1, EXPONENT);
  }

  /**
   * For an ablation, with other weights.
   *
   * @param silence by which the time without a sign of life is multiplied; 0 where it is ignored
   * @param exponent of the requests before one, for each worker, in its expected time
   */
  public TrimtabRanking(
      RankingSettings settings,
      Views views,
      double compensation,
      double memory,
      double silence,
      double exponent) {
    super(settings);
    silences = new Silences(settings.replicas());
    this.silence = silence;
    this.exponent = exponent;
    this.views = views;
    concurrency = settings.concurrency();
    this.compensation = compensation;
    this.memory = memory;
  }

  @Override
  protected double score(int replica, long now) {
    double before = views.queue(replica, now, memory) + outstanding(replica) * compensation;
    double each = before / concurrency;
    double longer = exponent == EXPONENT ? each * each : Math.pow(each, exponent);
    double expected = views.service(replica, now, memory) * (1 + longer);
    return Math.max(expected, silence * silent(replica, now));
  }

  private long silent(int replica, long now) {
    return silences.of(replica, now, views.at(replica));
  }

  @Override
  public Explained explain(int replica, long now) {
    Explained its = super.explain(replica, now);
    its.queued = views.queue(replica, now, memory);
    its.service = views.service(replica, now, memory);
    its.silent = silent(replica, now);
    return its;
  }

  @Override
  public void sent(int replica, long now) {
    super.sent(replica, now);
    silences.asked(replica, now);
  }

  @Override
  void answered(int replica, long now) {
    boolean owes = outstanding(replica) > 0;
    silences.heard(replica, now, owes);
    // Another thread may have asked, or got the last answer, in between.
    if (owes != outstanding(replica) > 0) {
      silences.heard(replica, now, !owes);
    }
  }

  /** One that runs need not read: it is tried again when all that it owed was given up. */
  @Override
  public void alive(int replica, long now) {
    if (outstanding(replica) == 0) {
      silences.heard(replica, now, false);
    }
  }

  @Override
  void learn(int replica, long now, long took, Told told) {
    if (told.isKnown()) {
      long back = Math.max(0, took - told.service - told.waited) / 2;
      views.learn(replica, now - back, told.queued, told.recentService);
    }
  }
}
