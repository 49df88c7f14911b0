package io.trimtab.hbaseplugin;

import io.trimtab.plugincore.BlockAccesses;
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
  /** Of closed regions; half a megabyte each at the very most. */
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

    String table() {
      return table;
    }

    byte[] start() {
      return start.clone();
    }

    byte[] end() {
      return end.clone();
    }

    private boolean covers(Range other) {
      return table.equals(other.table)
          && Arrays.compareUnsigned(start, other.start) <= 0
          && (end.length == 0
              || other.end.length > 0 && Arrays.compareUnsigned(other.end, end) <= 0);
    }
  }

  private static final class Counted {
    private final Range range;
    private final RegionFollower follower;

    private Counted(Range range, RegionFollower follower) {
      this.range = range;
      this.follower = follower;
    }
  }

  private final Map<String, Counted> open = new ConcurrentHashMap<>();
  private final Map<String, Counted> closed = new LinkedHashMap<>();
  private final Map<String, BlockAccesses> expected = new LinkedHashMap<>();
  private boolean claimed;

  /** What another server knows of a region that is about to open here. */
  synchronized void expect(String region, BlockAccesses accesses) {
    expected.put(region, accesses);
    if (expected.size() > CLOSED_MAX) {
      expected.remove(expected.keySet().iterator().next());
    }
  }

  /** Starts or continues to follow a region. */
  synchronized RegionFollower open(String region, Range range) {
    Counted before = closed.remove(region);
    BlockAccesses counts = expected.remove(region);
    if (counts != null) {
      // Newer than what was known when the region was here last.
      RegionFollower follower = new RegionFollower(range, counts);
      open.put(region, new Counted(range, follower));
      return follower;
    }
    if (before != null) {
      open.put(region, before);
      return before.follower;
    }
    RegionFollower follower = new RegionFollower(range);
    for (Counted parent : closed.values()) {
      if (parent.range.covers(range)) {
        follower = parent.follower.part(range);
      }
    }
    open.put(region, new Counted(range, follower));
    return follower;
  }

  /** The region is no longer here. */
  synchronized void close(String region) {
    Counted entry = open.remove(region);
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

  /** Of an open region. */
  Optional<RegionFollower> follower(String region) {
    return Optional.ofNullable(open.get(region)).map(entry -> entry.follower);
  }

  Optional<SplitAdvice> advice(String region) {
    return follower(region).map(RegionFollower::advice);
  }

  /** Every open region, by encoded name. */
  Map<String, RegionFollower> followers() {
    Map<String, RegionFollower> all = new TreeMap<>();
    open.forEach((region, entry) -> all.put(region, entry.follower));
    return all;
  }

  /**
   * Whether the caller is to save what is known: only the first one is. HBase makes coprocessors
   * anew when a running server is told of others, and does not stop those of before: the second
   * would add what the first has saved to the counts that it was saved of.
   */
  synchronized boolean claimSaving() {
    boolean first = !claimed;
    claimed = true;
    return first;
  }
}
