package io.trimtab.plugincore.ranking;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Since when nothing has come from replicas that owe an answer. One whose answers were waited for
 * in vain stays silent until something comes from it. Thread-safe; nothing allocates.
 */
final class Silences {
  private static final long NONE = Long.MIN_VALUE;

  private final AtomicLongArray since;

  /**
   * @param replicas how many there are, numbered from 0 on
   */
  Silences(int replicas) {
    since = new AtomicLongArray(replicas);
    for (int i = 0; i < replicas; i++) {
      since.set(i, NONE);
    }
  }

  /** A request goes there. */
  void asked(int replica, long now) {
    if (since.get(replica) == NONE) {
      since.compareAndSet(replica, NONE, now);
    }
  }

  /**
   * Something has come from there.
   *
   * @param owes whether requests are still unanswered
   */
  void heard(int replica, long now, boolean owes) {
    since.set(replica, owes ? now : NONE);
  }

  /**
   * How long it has been silent; 0 if it is not.
   *
   * @param seen when it was last heard of from others, or longer ago
   */
  long of(int replica, long now, long seen) {
    long began = since.get(replica);
    return began == NONE ? 0 : Math.max(0, now - Math.max(began, seen));
  }
}
