package io.trimtab.plugincore.ranking;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The newest that is known of each replica, seen or heard. Messages between nodes carry some of it,
 * so that a coordinator need not wait for its own next request to a replica to hear how that is.
 * Thread-safe, without locks; nothing allocates. Times are nanoseconds.
 *
 * <p>An entry of a message is one number: 16 bits of the replica, 12 of the age in 100 µs, 12 of
 * the requests that waited or ran, 24 of the service time in µs. What is larger is told as the
 * largest. Ages are rounded up: what nodes tell each other again and again must not become younger.
 */
public final class Views {
  /** The oldest that is passed on: older than any fluctuation that could be followed. */
  private static final long TOLD_UNTIL = 200_000_000;

  private static final long AGE_UNIT = 100_000;
  private static final int AGE_MAX = (1 << 12) - 1;
  private static final int QUEUED_MAX = (1 << 12) - 1;
  private static final int SERVICE_MAX = (1 << 24) - 1;

  /** Replicas that an entry can name. */
  public static final int REPLICAS_MAX = 1 << 16;

  /** Of the newest value in the averages of all replicas. */
  private static final double WEIGHT = 0.01;

  private static final long NEVER = Long.MIN_VALUE;
  private static final int QUEUED_AT = 40;
  private static final long SERVICE_MOST = (1L << QUEUED_AT) - 1;
  private static final int QUEUED_MOST = (1 << 23) - 1;

  /** When each replica said what is known of it; {@link #NEVER} if nothing is. */
  private final AtomicLongArray times;

  /** What it said: requests, and below them the service time in 40 bits. */
  private final AtomicLongArray said;

  private final AtomicLong turn = new AtomicLong();
  private final Mean queues = new Mean();
  private final Mean services = new Mean();

  /** An average of all replicas. Of two values that come at once one may be missed: no harm. */
  private static final class Mean {
    private volatile double value = Double.NaN;

    void add(double newest) {
      double before = value;
      value = Double.isNaN(before) ? newest : before + WEIGHT * (newest - before);
    }

    double or(double otherwise) {
      double now = value;
      return Double.isNaN(now) ? otherwise : now;
    }
  }

  /**
   * @param replicas how many there are, numbered from 0 on
   */
  public Views(int replicas) {
    if (replicas < 1 || replicas > REPLICAS_MAX) {
      throw new IllegalArgumentException(
          "the number of replicas must be 1 to " + REPLICAS_MAX + ", not " + replicas);
    }
    times = new AtomicLongArray(replicas);
    said = new AtomicLongArray(replicas);
    for (int i = 0; i < replicas; i++) {
      times.set(i, NEVER);
    }
  }

  private static long packed(int queued, double service) {
    long its = Math.max(0, Math.min(SERVICE_MOST, Math.round(service)));
    return (long) Math.max(0, Math.min(QUEUED_MOST, queued)) << QUEUED_AT | its;
  }

  private static int queued(long packed) {
    return (int) (packed >>> QUEUED_AT);
  }

  private static double service(long packed) {
    return packed & SERVICE_MOST;
  }

  /** Whoever reads in between takes what was said before for as new as this: no harm. */
  private boolean set(int replica, long before, long at, long packed) {
    if (times.compareAndSet(replica, before, at)) {
      said.set(replica, packed);
      return true;
    }
    return false;
  }

  /**
   * What a replica said; ignored if something newer is known.
   *
   * @param at when it said so, by this node's clock
   * @param queued requests that waited or ran there
   * @param service its average service time
   */
  public void learn(int replica, long at, int queued, double service) {
    long before = times.get(replica);
    while (before < at) {
      if (set(replica, before, at, packed(queued, service))) {
        queues.add(queued);
        services.add(service);
        return;
      }
      before = times.get(replica);
    }
  }

  /**
   * What a replica knows of itself without having answered anything: one that stands still would
   * say nothing else. Its service time becomes no younger by that: it counts less, as it would
   * elsewhere. Ignored before the first answer.
   *
   * @param queued requests that wait or run here
   * @param memory nanoseconds after which a service time counts 1/e
   */
  public void refresh(int replica, long now, int queued, double memory) {
    long before = times.get(replica);
    if (before != NEVER && before < now) {
      set(replica, before, now, packed(queued, service(replica, now, memory)));
    }
  }

  private static double aged(double value, double average, long age, double memory) {
    return average + Math.exp(-age / memory) * (value - average);
  }

  /**
   * Requests at a replica: what is known counts less with its age, towards the average of all; 0
   * while nothing is known of any.
   *
   * @param memory nanoseconds after which it counts 1/e
   */
  double queue(int replica, long now, double memory) {
    double average = queues.or(0);
    long at = times.get(replica);
    return at == NEVER ? average : aged(queued(said.get(replica)), average, now - at, memory);
  }

  /** Service time of a replica, in the same way; 1 while nothing is known of any. */
  double service(int replica, long now, double memory) {
    double average = services.or(1);
    long at = times.get(replica);
    return at == NEVER ? average : aged(service(said.get(replica)), average, now - at, memory);
  }

  /** Whether anything is known of any replica. */
  boolean isKnown() {
    return !Double.isNaN(services.or(Double.NaN));
  }

  /** Service time of all replicas; 1 while nothing is known of any. */
  double service() {
    return services.or(1);
  }

  /** What a replica said last of its requests; NaN if nothing is known of it. */
  double lastQueue(int replica) {
    return times.get(replica) == NEVER ? Double.NaN : queued(said.get(replica));
  }

  /** What a replica said last of its service time; NaN if nothing is known of it. */
  double lastService(int replica) {
    return times.get(replica) == NEVER ? Double.NaN : service(said.get(replica));
  }

  /** When a replica said what is known of it, by this node's clock; long ago if nothing is. */
  long at(int replica) {
    return times.get(replica);
  }

  /**
   * Fills the entries of a message; each call goes on where the last one has ended.
   *
   * @return how many there are; fewer where little is known
   */
  public int tell(long now, long[] entries) {
    return tell(now, times.length(), entries);
  }

  /**
   * The same where only the first replicas have numbers by now.
   *
   * @param replicas how many, ≥ 0
   */
  public int tell(long now, int replicas, long[] entries) {
    int count = 0;
    int most = Math.min(entries.length, replicas);
    for (int i = 0; i < most; i++) {
      int replica = (int) (turn.getAndIncrement() % replicas);
      long at = times.get(replica);
      if (at != NEVER && now - at <= TOLD_UNTIL) {
        long its = said.get(replica);
        long age = Math.max(0, Math.min(AGE_MAX, (now - at + AGE_UNIT - 1) / AGE_UNIT));
        long service = Math.min(SERVICE_MAX, Math.round(service(its) / 1_000));
        long queued = Math.min(QUEUED_MAX, queued(its));
        entries[count++] = (long) replica << 48 | age << 36 | queued << 24 | service;
      }
    }
    return count;
  }

  /**
   * Takes over what is newer in a message.
   *
   * @param travelled that the message was on its way, rather too long than too short
   */
  public void hear(long now, long travelled, long[] entries, int count) {
    for (int i = 0; i < count; i++) {
      int replica = (int) (entries[i] >>> 48);
      if (replica < times.length()) {
        long age = (entries[i] >>> 36 & AGE_MAX) * AGE_UNIT + travelled;
        int queued = (int) (entries[i] >>> 24 & QUEUED_MAX);
        learn(replica, now - age, queued, (entries[i] & SERVICE_MAX) * 1_000.0);
      }
    }
  }
}
