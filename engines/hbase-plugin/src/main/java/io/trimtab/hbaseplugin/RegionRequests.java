package io.trimtab.hbaseplugin;

import io.trimtab.plugincore.BlockAccesses;
import io.trimtab.plugincore.SplitAdvice;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The requests of all regions of this RegionServer. What is known of a region that closes is kept
 * for a while: a region that opens again goes on with it, and so do the daughters of a split, which
 * open where their parent was.
 */
final class RegionRequests {
  /** Of closed regions; half a megabyte each at the very most. */
  private static final int CLOSED_MAX = 64;

  /** A region that comes here moves within this, warming included, or does not come. */
  static final Duration EXPECTED_MAX = Duration.ofMinutes(2);

  /** Daughters open as soon as their parent has closed; what comes later is another table. */
  static final Duration PARENT_MAX = Duration.ofMinutes(1);

  static final RegionRequests OF_SERVER = new RegionRequests(System::nanoTime);

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

    /** Whether another range may be a half of this one. */
    private boolean hasPart(Range other) {
      return covers(other) && !other.covers(this);
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
    private final long closedNs;

    /**
     * @param closedNs when the region was closed; of an open one of no meaning
     */
    private Counted(Range range, RegionFollower follower, long closedNs) {
      this.range = range;
      this.follower = follower;
      this.closedNs = closedNs;
    }
  }

  /** Counts that another server has handed over. */
  private static final class Expected {
    private final BlockAccesses accesses;
    private final long sinceNs;

    private Expected(BlockAccesses accesses, long sinceNs) {
      this.accesses = accesses;
      this.sinceNs = sinceNs;
    }
  }

  private final LongSupplier nowNs;
  private final Map<String, Counted> open = new ConcurrentHashMap<>();
  private final Map<String, Counted> closed = new LinkedHashMap<>();
  private final Map<String, Expected> expected = new LinkedHashMap<>();
  private boolean claimed;

  /**
   * @param nowNs a clock that is never set
   */
  RegionRequests(LongSupplier nowNs) {
    this.nowNs = nowNs;
  }

  /** What another server knows of a region that is about to open here. */
  synchronized void expect(String region, BlockAccesses accesses) {
    expected.values().removeIf(counts -> !within(EXPECTED_MAX, counts.sinceNs));
    expected.put(region, new Expected(accesses, nowNs.getAsLong()));
    if (expected.size() > CLOSED_MAX) {
      expected.remove(expected.keySet().iterator().next());
    }
  }

  private boolean within(Duration time, long sinceNs) {
    return nowNs.getAsLong() - sinceNs <= time.toNanos();
  }

  /** Starts or continues to follow a region. */
  synchronized RegionFollower open(String region, Range range) {
    Counted before = closed.remove(region);
    Expected counts = expected.remove(region);
    RegionFollower follower;
    if (counts != null && within(EXPECTED_MAX, counts.sinceNs)) {
      // Newer than what was known when the region was here last. Of a move that never happened
      // they would be older, once the region comes by another.
      follower = new RegionFollower(range, counts.accesses);
    } else {
      follower = before != null ? before.follower : begun(range);
    }
    open.put(region, new Counted(range, follower, 0));
    return follower;
  }

  /** For a region that was not here: a daughter, or one of which nothing is known. */
  private RegionFollower begun(Range range) {
    RegionFollower follower = new RegionFollower(range);
    for (Counted parent : closed.values()) {
      // A table that is truncated, or made anew, has the ranges of before and none of the requests.
      if (parent.range.hasPart(range) && within(PARENT_MAX, parent.closedNs)) {
        follower = parent.follower.part(range);
      }
    }
    return follower;
  }

  /** The region is no longer here. */
  synchronized void close(String region) {
    Counted entry = open.remove(region);
    if (entry == null) {
      return;
    }
    closed.put(region, new Counted(entry.range, entry.follower, nowNs.getAsLong()));
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
