package io.trimtab.runtime.service;

import io.trimtab.runtime.ports.MonotonicTime;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The last report of each group of clients, of a bounded number of groups. Thread-safe. */
final class Senders {
  static final int MAX = 1_000;

  /** Clients report every 30 s; after two missing reports they count as disconnected. */
  static final Duration REPORT_AGE_MAX = Duration.ofSeconds(75);

  private record LastReport(ClientReport report, long atNs) {}

  private final MonotonicTime time;

  /** The longest silent first. */
  private final Map<String, LastReport> lastReports = new LinkedHashMap<>();

  /**
   * @param time measures how old a report is; the wall clock may jump
   */
  Senders(MonotonicTime time) {
    this.time = time;
  }

  /**
   * Replaces the sender's last report. In a full table a new sender takes the place of the longest
   * silent one, if that counts as disconnected.
   *
   * @return false if the table is full of others
   */
  synchronized boolean put(ClientReport report) {
    boolean known = lastReports.remove(report.client()) != null;
    if (!known && lastReports.size() >= MAX && !dropSilent()) {
      return false;
    }
    lastReports.put(report.client(), new LastReport(report, time.nanos()));
    return true;
  }

  private boolean dropSilent() {
    Iterator<LastReport> longest = lastReports.values().iterator();
    if (old(longest.next())) {
      longest.remove();
      return true;
    }
    return false;
  }

  private boolean old(LastReport last) {
    return time.nanos() - last.atNs() > REPORT_AGE_MAX.toNanos();
  }

  /** Reports of the connected clients; forgets the others. */
  synchronized List<ClientReport> connected() {
    lastReports.values().removeIf(this::old);
    return lastReports.values().stream().map(LastReport::report).toList();
  }

  synchronized void clear() {
    lastReports.clear();
  }
}
