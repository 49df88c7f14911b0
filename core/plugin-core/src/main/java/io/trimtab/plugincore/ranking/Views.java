package io.trimtab.plugincore.ranking;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The newest that is known of each replica, seen or heard. Messages between nodes carry some of it,
 * so that a coordinator need not wait for its own next request to a replica to hear how that is.
 * Thread-safe; nothing allocates. Times are nanoseconds.
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

  private final View[] views;
  private final AtomicLong turn = new AtomicLong();
  private final Average queues = new Average(WEIGHT);
  private final Average services = new Average(WEIGHT);

  /** Of one replica; guarded by itself. */
  private static final class View {
    boolean known;
    long at;
    int queued;
    double service;

    double aged(double value, double average, long now, double memory) {
      return known ? average + Math.exp(-(now - at) / memory) * (value - average) : average;
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
    views = new View[replicas];
    for (int i = 0; i < replicas; i++) {
      views[i] = new View();
    }
  }

  /**
   * What a replica said; ignored if something newer is known.
   *
   * @param at when it said so, by this node's clock
   * @param queued requests that waited or ran there
   * @param service its average service time
   */
  public void learn(int replica, long at, int queued, double service) {
    View its = views[replica];
    synchronized (its) {
      if (its.known && at <= its.at) {
        return;
      }
      its.known = true;
      its.at = at;
      its.queued = queued;
      its.service = service;
    }
    synchronized (queues) {
      queues.add(queued);
      services.add(service);
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
    double average = average(services, 1);
    View its = views[replica];
    synchronized (its) {
      if (its.known && now > its.at) {
        its.service = its.aged(its.service, average, now, memory);
        its.at = now;
        its.queued = queued;
      }
    }
  }

  /**
   * Requests at a replica: what is known counts less with its age, towards the average of all; 0
   * while nothing is known of any.
   *
   * @param memory nanoseconds after which it counts 1/e
   */
  double queue(int replica, long now, double memory) {
    double average = average(queues, 0);
    View its = views[replica];
    synchronized (its) {
      return its.aged(its.queued, average, now, memory);
    }
  }

  /** Service time of a replica, in the same way; 1 while nothing is known of any. */
  double service(int replica, long now, double memory) {
    double average = average(services, 1);
    View its = views[replica];
    synchronized (its) {
      return its.aged(its.service, average, now, memory);
    }
  }

  /** Whether anything is known of any replica. */
  boolean isKnown() {
    synchronized (queues) {
      return services.isKnown();
    }
  }

  /** Service time of all replicas; 1 while nothing is known of any. */
  double service() {
    return average(services, 1);
  }

  /** What a replica said last of its requests; NaN if nothing is known of it. */
  double lastQueue(int replica) {
    View its = views[replica];
    synchronized (its) {
      return its.known ? its.queued : Double.NaN;
    }
  }

  /** What a replica said last of its service time; NaN if nothing is known of it. */
  double lastService(int replica) {
    View its = views[replica];
    synchronized (its) {
      return its.known ? its.service : Double.NaN;
    }
  }

  /** When a replica said what is known of it, by this node's clock; long ago if nothing is. */
  long at(int replica) {
    View its = views[replica];
    synchronized (its) {
      return its.known ? its.at : Long.MIN_VALUE;
    }
  }

  private double average(Average all, double otherwise) {
    synchronized (queues) {
      return all.isKnown() ? all.value() : otherwise;
    }
  }

  /**
   * Fills the entries of a message; each call goes on where the last one has ended.
   *
   * @return how many there are; fewer where little is known
   */
  public int tell(long now, long[] entries) {
    return tell(now, views.length, entries);
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
      View its = views[replica];
      synchronized (its) {
        if (its.known && now - its.at <= TOLD_UNTIL) {
          long age = Math.max(0, Math.min(AGE_MAX, (now - its.at + AGE_UNIT - 1) / AGE_UNIT));
          long service = Math.max(0, Math.min(SERVICE_MAX, Math.round(its.service / 1_000)));
          long queued = Math.max(0, Math.min(QUEUED_MAX, its.queued));
          entries[count++] = (long) replica << 48 | age << 36 | queued << 24 | service;
        }
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
      if (replica < views.length) {
        long age = (entries[i] >>> 36 & AGE_MAX) * AGE_UNIT + travelled;
        int queued = (int) (entries[i] >>> 24 & QUEUED_MAX);
        learn(replica, now - age, queued, (entries[i] & SERVICE_MAX) * 1_000.0);
      }
    }
  }
}
