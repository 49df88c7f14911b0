package io.trimtab.plugincore.ranking;

import java.util.Arrays;

/**
 * The time that an answer is expected to take: the replica's service time, and its share of what is
 * before it. What is known of a replica, seen or heard, counts less with its age; each request of
 * this coordinator that has not been answered counts as one of every coordinator, because the
 * others have seen the same and choose the same. The less what was expected has come true, the less
 * it counts, and the more chance does ({@link Foresight}). Where nothing comes from a replica that
 * owes answers, the time is at least as long as that lasts: it may have died.
 */
public final class TrimtabRanking extends CountingRanking {
  /** Nanoseconds after which what was seen counts 1/e. */
  public static final double MEMORY = 50e6;

  /** More than what waits: a long queue is also one that others are about to make longer. */
  public static final double EXPONENT = 2;

  /** By how much a score may grow at random where nothing that was expected comes true. */
  private static final double SPREAD = 2;

  private static final double MEMORY_MIN = 1e6;

  private final Views views;
  private final Silences silences;
  private final int concurrency;
  private final double compensation;
  private final double memory;
  private final double silence;
  private final double exponent;
  private final double doubt;
  private final Foresight foresight = new Foresight();

  /** Service times that were expected when a replica was asked last, without doubt; or NaN. */
  private final double[] expected;

  /**
   * @param views what this node knows, which it tells others and hears from them
   */
  public TrimtabRanking(RankingSettings settings, Views views) {
    this(settings, views, settings.coordinators(), MEMORY, 1, EXPONENT, 1);
  }

  /**
   * For an ablation, with other weights.
   *
   * @param silence by which the time without a sign of life is multiplied; 0 where it is ignored
   * @param exponent of the requests before one, for each worker, in its expected time
   * @param doubt 0 where what was seen is believed though it does not come true, else 1
   */
  public TrimtabRanking(
      RankingSettings settings,
      Views views,
      double compensation,
      double memory,
      double silence,
      double exponent,
      double doubt) {
    super(settings);
    silences = new Silences(settings.replicas());
    this.silence = silence;
    this.exponent = exponent;
    this.doubt = doubt;
    expected = new double[settings.replicas()];
    Arrays.fill(expected, Double.NaN);
    this.views = views;
    concurrency = settings.concurrency();
    this.compensation = compensation;
    this.memory = memory;
  }

  @Override
  protected double score(int replica, long now) {
    double trust = trust();
    double before = queued(replica, now, trust) + outstanding(replica) * compensation;
    double each = before / concurrency;
    double longer = exponent == EXPONENT ? each * each : Math.pow(each, exponent);
    double expected = views.service(replica, now, memory, trust) * (1 + longer);
    return Math.max(expected, silence * silent(replica, now));
  }

  /** The less can be foreseen, the sooner a queue is another one. */
  private double queued(int replica, long now, double trust) {
    return views.queue(replica, now, Math.max(MEMORY_MIN, memory * trust));
  }

  private double trust() {
    return 1 - (1 - foresight.trust()) * doubt;
  }

  /** What has not come true does not decide: else all coordinators would choose the same one. */
  @Override
  double drawn(double place) {
    double distrust = 1 - trust();
    return distrust > 0 ? place * (1 + SPREAD * distrust * random()) : place;
  }

  private long silent(int replica, long now) {
    return silences.of(replica, now, views.at(replica));
  }

  @Override
  public Explained explain(int replica, long now) {
    Explained its = super.explain(replica, now);
    its.queued = views.lastQueue(replica);
    its.service = views.lastService(replica);
    its.silent = silent(replica, now);
    return its;
  }

  @Override
  public void sent(int replica, long now) {
    // Another thread's is as good.
    expected[replica] = views.isKnown() ? views.service(replica, now, memory, 1) : Double.NaN;
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
      if (!Double.isNaN(expected[replica])) {
        foresight.learn(expected[replica], told.service, views.service());
      }
      long back = Math.max(0, took - told.service - told.waited) / 2;
      views.learn(replica, now - back, told.queued, told.recentService);
    }
  }
}
