package io.trimtab.hbaseplugin;

import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;

/** Counts the plug-in's own failures, and writes at most one of them per minute to the log. */
final class Failures {
  private static final long LOG_PERIOD_NS = 60_000_000_000L;

  private final Logger log;
  private final AtomicLong count = new AtomicLong();
  private long loggedAtNs;

  Failures(Logger log) {
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
      log.warn("{} failed; {} failures since the start. HBase goes on", what, total, cause);
    }
  }
}
