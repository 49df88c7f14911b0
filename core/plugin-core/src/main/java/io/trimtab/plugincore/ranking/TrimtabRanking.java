package io.trimtab.plugincore.ranking;

import java.util.Arrays;

/**
 * The time that an answer is expected to take: that of the messages, unless the copy is this
 * node's, and the replica's service time, for as many requests as the square of those before it.
 * What is known of a replica, seen or heard, counts less with its age; each request of this
 * coordinator that has not been answered counts as one of every coordinator, because the others
 * have seen the same and choose the same. For the same reason chance decides among replicas whose
 * times are less than twice as long. The less what was expected has come true, the less it counts
 * ({@link Foresight}), and the more chance does where the news are old. Where nothing comes from a
 * replica that owes answers, the time is at least as long as that lasts: it may have died.
 */
public final class TrimtabRanking extends CountingRanking {
  /** Nanoseconds after which a service time that was seen counts 1/e: a slow disk stays slow. */
  public static final double MEMORY = 1e9;

  private static final long NEVER = Long.MIN_VALUE;
  private static final double CHANCE_MOST = 8;

  /** Of the newest value in the average time of messages. */
  private static final double WEIGHT = 0.01;

  private final Views views;
  private final Silences silences;
  private final Weights weights;
  private final Foresight foresight = new Foresight();

  /**
   * Of the time of another node's read that is neither waiting nor service. A replica's pause is in
   * it, too, as long as it has not read the request, and so is this node's own.
   */
  private final Average way = Average.ofRoots(WEIGHT, 1);

  /** Which have ever been ranked: what replicas of other data centres take says nothing here. */
  private final boolean[] ranked;

  /** Of service times as they are; replicas tell another mean of theirs. */
  private final Average measured = new Average(WEIGHT);

  /** Service times that were expected when a replica was asked last, without doubt; or NaN. */
  private final double[] expected;

  /** What an ablation changes. */
  public static final class Weights {
    /** As how many requests each unanswered one of this coordinator counts. */
    public double compensation;

    /** See {@link TrimtabRanking#MEMORY}. */
    public double memory = MEMORY;

    /** The same of a queue, in service times: soon it has been worked off, later on a slow disk. */
    public double queueMemory = 6;

    /** How many times the messages' time counts. */
    public double way = 1;

    /** By which the time without a sign of life is multiplied; 0 where it is ignored. */
    public double silence = 1;

    /**
     * Of the requests before one, in its expected time. More than what waits: a long queue is also
     * one that others are about to make longer.
     */
    public double exponent = 2;

    /** 0 where what was seen is believed though it does not come true, else 1. */
    public double doubt = 1;

    /**
     * By how much a score always may grow at random. All coordinators know the same: without this
     * all would read the one of three idle replicas that is better by a hair, until it is worse.
     */
    public double even = 1;

    /**
     * By how much a score may grow at random for each request that a replica has got since it was
     * heard of, where nothing comes true.
     */
    public double chance = 0.5;

    /**
     * @param coordinators how many rank the same replicas
     */
    public Weights(int coordinators) {
      compensation = coordinators;
    }
  }

  /**
   * @param views what this node knows, which it tells others and hears from them
   */
  public TrimtabRanking(RankingSettings settings, Views views) {
    this(settings, views, new Weights(settings.coordinators()));
  }

  /** For an ablation, with other weights. */
  public TrimtabRanking(RankingSettings settings, Views views, Weights weights) {
    super(settings);
    silences = new Silences(settings.replicas());
    expected = new double[settings.replicas()];
    ranked = new boolean[settings.replicas()];
    Arrays.fill(expected, Double.NaN);
    this.views = views;
    this.weights = weights;
  }

  @Override
  protected double score(int replica, long now) {
    ranked[replica] = true;
    double average = views.service();
    double seen = seen(replica, now);
    double service = average + (1 - distrust(seen, average)) * (seen - average);
    double before =
        views.queue(replica, now, weights.queueMemory * Math.max(seen, average))
            + outstanding(replica) * weights.compensation;
    double longer = weights.exponent == 2 ? before * before : Math.pow(before, weights.exponent);
    double time = (views.isOwn(replica) ? 0 : messages()) + service * (1 + longer);
    return Math.max(time, weights.silence * silent(replica, now));
  }

  private double messages() {
    return weights.way * way.or(0);
  }

  /** Its service time. One beside which the messages' time is nothing counts as such. */
  private double seen(int replica, long now) {
    return views.service(replica, now, weights.memory, messages());
  }

  private double distrust(double seen, double average) {
    return weights.doubt * (1 - foresight.trust(seen, average));
  }

  /** The more requests all have sent since, the less what is known says: they chose by the same. */
  @Override
  double chance(int[] replicas, int count, long now) {
    double average = views.service();
    double distrust = distrust(average, average);
    if (distrust == 0) {
      return weights.even;
    }
    double since = 0;
    for (int i = 0; i < count; i++) {
      long at = views.queuedAt(replicas[i]);
      since += at == NEVER ? 0 : Math.max(0, now - at);
    }
    // Little's law: a replica gets as many requests in its service time as are there.
    double requests = since / count * views.queue() / measured.or(average);
    double old = distrust * Math.min(CHANCE_MOST, weights.chance * Math.max(0, requests - 1));
    return Math.max(weights.even, old);
  }

  private long silent(int replica, long now) {
    return silences.of(replica, now, views.servedAt(replica));
  }

  @Override
  public Explained explain(int replica, long now) {
    Explained its = super.explain(replica, now);
    its.queued = views.lastQueue(replica);
    its.service = views.lastService(replica);
    its.silent = silent(replica, now);
    its.messages = views.isOwn(replica) ? 0 : messages();
    its.trust = views.isKnown() ? 1 - distrust(seen(replica, now), views.service()) : Double.NaN;
    return its;
  }

  @Override
  public void sent(int replica, long now) {
    // Another thread's is as good.
    expected[replica] = views.isKnown() ? seen(replica, now) : Double.NaN;
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
        double usual = measured.or(told.service);
        foresight.learn(expected[replica], views.service(), told.service, usual);
      }
      measured.add(told.service);
      long rest = Math.max(0, took - told.service - told.waited);
      if (ranked[replica] && !views.isOwn(replica)) {
        way.add(Math.max(1, rest), now);
      }
      long back = rest / 2;
      views.learn(replica, now - back, told.queued, told.recentService);
    } else {
      // Of one that says nothing of itself all but the messages may have been service.
      views.learn(replica, now, 0, Math.max(1, took - messages()));
    }
  }
}
