package io.trimtab.plugincore.ranking;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The newest that is known of each replica, seen or heard: its queue, and its service time, which
 * is news only with an answer. Messages between nodes carry some of it ({@link Entry}), so that a
 * coordinator need not wait for its own next request to a replica to hear how that is. Thread-safe,
 * without locks; nothing allocates. Times are nanoseconds.
 *
 * <p>A value lies beside its time: whoever reads while another thread writes may take one for the
 * other's. So may two that write at once, and what is wrong then stays until the replica's next
 * news.
 */
public final class Views {
  /** The oldest queue that is passed on: older than any fluctuation that could be followed. */
  private static final long TOLD_UNTIL = 200_000_000;

  /** Replicas that an entry can name. */
  public static final int REPLICAS_MAX = 1 << 16;

  /** Of the newest value in the averages of all replicas. */
  private static final double WEIGHT = 0.01;

  /** As many times the average as a service time counts at most. */
  private static final double SERVICE_MOST = 16;

  /** Of a time: nothing is known. */
  private static final long NEVER = Long.MIN_VALUE;

  private static final int NONE = -1;

  private final AtomicLongArray queuedAt;
  private final AtomicIntegerArray queued;
  private final AtomicLongArray servedAt;
  private final AtomicLongArray services;
  private final AtomicLong turn = new AtomicLong();
  private final Average queue = new Average(WEIGHT);
  private final Average service = new Average(WEIGHT);
  private volatile int own = NONE;

  /**
   * @param replicas how many there are, numbered from 0 on
   */
  public Views(int replicas) {
    if (replicas < 1 || replicas > REPLICAS_MAX) {
      throw new IllegalArgumentException(
          "the number of replicas must be 1 to " + REPLICAS_MAX + ", not " + replicas);
    }
    queuedAt = new AtomicLongArray(replicas);
    queued = new AtomicIntegerArray(replicas);
    servedAt = new AtomicLongArray(replicas);
    services = new AtomicLongArray(replicas);
    for (int i = 0; i < replicas; i++) {
      queuedAt.set(i, NEVER);
      servedAt.set(i, NEVER);
    }
  }

  /** Whether this is newer than what was known, and now is what is known. */
  private static boolean isNews(AtomicLongArray times, int replica, long at) {
    long before = times.get(replica);
    while (before < at) {
      if (times.compareAndSet(replica, before, at)) {
        return true;
      }
      before = times.get(replica);
    }
    return false;
  }

  /**
   * What a replica said with an answer; ignored if something newer is known.
   *
   * @param at when it said so, by this node's clock
   * @param itsQueue requests that waited or ran there
   * @param itsService its average service time
   */
  public void learn(int replica, long at, int itsQueue, double itsService) {
    learnQueue(replica, at, itsQueue);
    learnService(replica, at, itsQueue, itsService);
  }

  private void learnQueue(int replica, long at, int its) {
    if (isNews(queuedAt, replica, at)) {
      queued.set(replica, Math.max(0, its));
    }
  }

  /** Only answers count in averages: one that stands still tells of its queue without any. */
  private void learnService(int replica, long at, int itsQueue, double itsService) {
    if (isNews(servedAt, replica, at)) {
      long known = Math.max(1, Math.round(itsService));
      services.set(replica, known);
      service.add(known);
      queue.add(Math.max(0, itsQueue));
    }
  }

  /**
   * How long this node's own queue is, whether it has answered anything or not: one that stands
   * still would say nothing else.
   *
   * @param replica this node's number
   * @param itsQueue requests that wait or run here
   */
  public void refresh(int replica, long now, int itsQueue) {
    own = replica;
    learnQueue(replica, now, itsQueue);
  }

  /** Whether a replica is this node itself, as far as it has said so. */
  boolean isOwn(int replica) {
    return replica == own;
  }

  private static double aged(double value, double average, long age, double memory) {
    return average + Math.exp(-Math.max(0, age) / Math.max(1, memory)) * (value - average);
  }

  /**
   * Requests at a replica: what is known counts less with its age, towards the average of all; 0
   * while nothing is known of any.
   *
   * @param memory nanoseconds after which it counts 1/e
   */
  double queue(int replica, long now, double memory) {
    double average = queue.or(0);
    long at = queuedAt.get(replica);
    return at == NEVER ? average : aged(queued.get(replica), average, now - at, memory);
  }

  /**
   * Service time of a replica, in the same way, and 16 times the average and the messages' time at
   * most: one read that took a thousand times as long must not be remembered for longer than a slow
   * disk. 1 while nothing is known of any.
   */
  double service(int replica, long now, double memory, double messages) {
    double average = service.or(1);
    long at = servedAt.get(replica);
    double known = Math.min(services.get(replica), SERVICE_MOST * (average + messages));
    return at == NEVER ? average : aged(known, average, now - at, memory);
  }

  /** Whether any replica's service time is known. */
  boolean isKnown() {
    return service.isKnown();
  }

  /** Requests at all replicas; 0 while nothing is known of any. */
  double queue() {
    return queue.or(0);
  }

  /** Service time of all replicas; 1 while nothing is known of any. */
  double service() {
    return service.or(1);
  }

  /** What a replica said last of its requests; NaN if nothing is known of it. */
  double lastQueue(int replica) {
    return queuedAt.get(replica) == NEVER ? Double.NaN : queued.get(replica);
  }

  /** What a replica said last of its service time; NaN if nothing is known of it. */
  double lastService(int replica) {
    return servedAt.get(replica) == NEVER ? Double.NaN : services.get(replica);
  }

  /** When a replica said what is known of its queue, by this node's clock; or long ago. */
  long queuedAt(int replica) {
    return queuedAt.get(replica);
  }

  /** When a replica answered anybody, as far as is known; long ago if nothing is. */
  long servedAt(int replica) {
    return servedAt.get(replica);
  }

  /**
   * Fills the entries of a message: what this node knows of itself first, then the others in turn,
   * where each call goes on where the last one has ended.
   *
   * @return how many there are; fewer where little is known
   */
  public int tell(long now, long[] entries) {
    return tell(now, queuedAt.length(), entries);
  }

  /**
   * The same where only the first replicas have numbers by now.
   *
   * @param replicas how many, ≥ 0
   */
  public int tell(long now, int replicas, long[] entries) {
    int self = own;
    boolean first = self != NONE && self < replicas && entries.length > 0;
    int count = first ? told(self, now, entries, 0) : 0;
    int others = Math.min(entries.length - count, first ? replicas - 1 : replicas);
    for (int i = 0; i < others; i++) {
      int replica = (int) (turn.getAndIncrement() % replicas);
      if (first && replica == self) {
        replica = (int) (turn.getAndIncrement() % replicas);
      }
      count = told(replica, now, entries, count);
    }
    return count;
  }

  private int told(int replica, long now, long[] entries, int count) {
    long at = queuedAt.get(replica);
    if (at == NEVER || now - at > TOLD_UNTIL) {
      return count;
    }
    long served = servedAt.get(replica);
    entries[count] =
        served == NEVER
            ? Entry.of(replica, now - at, queued.get(replica))
            : Entry.of(replica, now - at, queued.get(replica), now - served, services.get(replica));
    return count + 1;
  }

  /**
   * Takes over what is newer in a message.
   *
   * @param travelled that the message was on its way, rather too long than too short
   */
  public void hear(long now, long travelled, long[] entries, int count) {
    long sent = now - travelled;
    for (int i = 0; i < count; i++) {
      int replica = Entry.replica(entries[i]);
      if (replica < queuedAt.length()) {
        int its = Entry.queued(entries[i]);
        learnQueue(replica, sent - Entry.queueAge(entries[i]), its);
        if (Entry.hasService(entries[i])) {
          long at = sent - Entry.serviceAge(entries[i]);
          learnService(replica, at, its, Entry.service(entries[i]));
        }
      }
    }
  }
}
