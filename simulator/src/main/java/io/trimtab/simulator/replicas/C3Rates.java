package io.trimtab.simulator.replicas;

/**
 * The rate control of C3 (Suresh 2015, §3.2) in one client: as many requests to a server as it has
 * answered lately, raised along a cubic curve. Only in the simulation: nothing in a database lets a
 * plug-in hold back a read. Rates are requests per {@value #INTERVAL_MS} ms.
 */
final class C3Rates {
  static final double INTERVAL_MS = 20;
  private static final double NS = 1e6;
  private static final long INTERVAL_NS = (long) (INTERVAL_MS * NS);

  /** β: what a rate is multiplied by where more is sent than answered. */
  private static final double DECREASE = 0.2;

  /** γ, for times in ms: from a rate of 10 on it stays nearly the same for about 100 ms. */
  private static final double GROWTH = 4e-6;

  /** The most by which an answer raises a rate. */
  private static final double STEP = 10;

  /** After a rise, this long nothing falls. */
  private static final double HOLD_MS = 2 * INTERVAL_MS;

  private static final double FIRST_RATE = 10;
  private static final double TOKENS_MAX = 10;

  /** So that a server which was given up is asked again at all: once in two seconds. */
  private static final double RATE_MIN = 0.01;

  private static final double WEIGHT = 0.9;

  private final Limit[] limits;

  /** Of one server. */
  private static final class Limit {
    double rate = FIRST_RATE;
    double tokens = TOKENS_MAX;
    long filledAt;
    double before = FIRST_RATE;
    long raisedAt;
    long loweredAt;
    double answered = FIRST_RATE;
    long intervalAt;
    int count;

    void fill(long now) {
      tokens = Math.min(TOKENS_MAX, tokens + rate * (now - filledAt) / NS / INTERVAL_MS);
      filledAt = now;
    }

    /**
     * An interval ends with the first answer after it, however late that is, as in the simulator of
     * C3's authors: where less than one answer is due in an interval, the empty ones would make
     * every rate fall to nothing.
     */
    void count(long now) {
      count++;
      if (now - intervalAt >= INTERVAL_NS) {
        answered = WEIGHT * count + (1 - WEIGHT) * answered;
        count = 0;
        intervalAt = now - now % INTERVAL_NS;
      }
    }
  }

  C3Rates(int servers) {
    limits = new Limit[servers];
    for (int i = 0; i < servers; i++) {
      limits[i] = new Limit();
    }
  }

  boolean admits(int server, long now) {
    limits[server].fill(now);
    return limits[server].tokens >= 1;
  }

  /** When it will admit a request, nanoseconds, later than now. */
  long admitsAt(int server, long now) {
    Limit its = limits[server];
    its.fill(now);
    double missing = Math.max(0, 1 - its.tokens);
    return now + 1 + (long) Math.ceil(missing / its.rate * INTERVAL_MS * NS);
  }

  /** A request goes there, whether it is admitted or not: shadow reads are not asked. */
  void sent(int server, long now) {
    Limit its = limits[server];
    its.fill(now);
    its.tokens -= 1;
  }

  void received(int server, long now) {
    Limit its = limits[server];
    its.fill(now);
    its.count(now);
    if (its.rate < its.answered) {
      double ms = (now - its.loweredAt) / NS;
      double curve = ms - Math.cbrt(DECREASE * its.before / GROWTH);
      double raised = GROWTH * curve * curve * curve + its.before;
      its.rate = Math.max(its.rate, Math.min(its.rate + STEP, raised));
      its.raisedAt = now;
    } else if (its.rate > its.answered && (now - its.raisedAt) / NS > HOLD_MS) {
      its.before = its.rate;
      its.rate = Math.max(RATE_MIN, its.rate * DECREASE);
      its.loweredAt = now;
    }
  }
}
