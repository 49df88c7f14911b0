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

  /**
   * A sender's last report.
   *
   * @param changes of the cluster before it
   */
  private record LastReport(ClientReport report, long atNs, int changes) {}

  private final MonotonicTime time;

  /** The longest silent first. */
  private final Map<String, LastReport> lastReports = new LinkedHashMap<>();

  /** Of the cluster, so far. */
  private int changes;

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
    lastReports.put(report.client(), new LastReport(report, time.nanos(), changes));
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

  /** The cluster was changed: what was reported before does not tell how it serves now. */
  synchronized void changed() {
    changes++;
  }

  /**
   * Reports of the connected clients, once all of them have reported since the last change; before,
   * none: without the others, demand would look as if it had fallen.
   */
  synchronized List<ClientReport> sinceChange() {
    List<ClientReport> all = connected();
    return lastReports.values().stream().allMatch(last -> last.changes() == changes)
        ? all
        : List.of();
  }
}
