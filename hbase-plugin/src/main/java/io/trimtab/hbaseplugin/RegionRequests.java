package io.trimtab.hbaseplugin;

import io.trimtab.plugincore.SplitAdvice;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The requests of all regions of this RegionServer. What is known of a region that closes is kept
 * for a while: a region that opens again goes on with it, and so do the daughters of a split, which
 * open where their parent was.
 */
final class RegionRequests {
  /** Of closed regions; at 16 KiB each. */
  private static final int CLOSED_MAX = 64;

  static final RegionRequests OF_SERVER = new RegionRequests();

  /** A region's place in its table. */
  static final class Range {
    private final String table;
    private final byte[] start;
    private final byte[] end;

    /**
     * @param start inclusive; empty where it is open
     * @param end exclusive; empty where it is open
     */
    Range(String table, byte[] start, byte[] end) {
      this.table = table;
      this.start = start.clone();
      this.end = end.clone();
    }

    private boolean covers(Range other) {
      return table.equals(other.table)
          && Arrays.compareUnsigned(start, other.start) <= 0
          && (end.length == 0
              || other.end.length > 0 && Arrays.compareUnsigned(other.end, end) <= 0);
    }
  }

  private static final class Entry {
    private final Range range;
    private final SplitCollector collector;

    private Entry(Range range, SplitCollector collector) {
      this.range = range;
      this.collector = collector;
    }
  }

  private final Map<String, Entry> open = new ConcurrentHashMap<>();
  private final Map<String, Entry> closed = new LinkedHashMap<>();

  /** Begins, or goes on, to follow a region. */
  synchronized SplitCollector open(String region, Range range) {
    Entry before = closed.remove(region);
    if (before != null) {
      open.put(region, before);
      return before.collector;
    }
    SplitCollector collector = new SplitCollector(range.start, range.end);
    for (Entry parent : closed.values()) {
      if (parent.range.covers(range)) {
        collector = parent.collector.part(range.start, range.end);
      }
    }
    open.put(region, new Entry(range, collector));
    return collector;
  }

  /** The region is no longer here. */
  synchronized void close(String region) {
    Entry entry = open.remove(region);
    if (entry == null) {
      return;
    }
    closed.put(region, entry);
    if (closed.size() > CLOSED_MAX) {
      closed.remove(closed.keySet().iterator().next());
    }
  }

  int size() {
    return open.size();
  }

  Optional<SplitAdvice> advice(String region) {
    return Optional.ofNullable(open.get(region)).map(entry -> entry.collector.advice());
  }

  /** Of every open region, by encoded name. */
  Map<String, SplitAdvice> all() {
    Map<String, SplitAdvice> all = new TreeMap<>();
    open.forEach((region, entry) -> all.put(region, entry.collector.advice()));
    return all;
  }
}
