package io.trimtab.hbaseplugin;

import java.util.concurrent.atomic.AtomicLong;

/** Counts the plug-in's own failures, and logs at most one of them per minute. */
final class FailureLog {
  private static final long LOG_PERIOD_NS = 60_000_000_000L;

  /** Receives failures. */
  @FunctionalInterface
  interface Sink {
    void warn(String what, long total, Throwable cause);
  }

  private final Sink log;
  private final AtomicLong count = new AtomicLong();
  private long loggedAtNs;

  FailureLog(Sink log) {
    this.log = log;
  }

  long count() {
    return count.get();
  }

  /**
   * @param nowNs the time, by {@link System#nanoTime()}
   */
  synchronized void add(String what, Throwable cause, long nowNs) {
    long total = count.incrementAndGet();
    if (total == 1 || nowNs - loggedAtNs >= LOG_PERIOD_NS) {
      loggedAtNs = nowNs;
      log.warn(what, total, cause);
    }
  }
}
