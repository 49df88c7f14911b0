package io.trimtab.hbaseplugin;

import io.trimtab.plugincore.BlockAccesses;
import java.io.IOException;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileStatus;

/**
 * Saves the block access counts of this server's regions beside the regions' files, and reads what
 * was saved of a region that opens. All of it is done by one thread, for which neither requests nor
 * regions wait.
 *
 * <p>A region is looked at 1 s after it opened, then 4, 9, 16 and 25 s after the look before, then
 * every 30 s (Cruz 2016, §6.1), and saved if its counts have changed by a tenth; at most one region
 * is saved in a second. A failure is followed by a pause as long, in which nothing is tried: 1 s
 * after the first in a row, 30 s from the sixth on.
 */
final class CountsSaver {
  /** Setting of a RegionServer: whether counts are saved and read. */
  static final String KEY = "trimtab.histograms.saved";

  static final String THREAD = "trimtab-counts";

  private static final int WAIT_MAX_S = 30;

  /** So often a region's file is tried, for a minute, before the region goes on without it. */
  private static final int READS_MAX = 6;

  /** Fewer requests than this are not worth a file. */
  private static final int CHANGE_MIN = 100;

  /** A region that is open here. */
  private static final class Region {
    private final String name;
    private final RegionFollower follower;
    private boolean read;
    private int looks;
    private long dueNs;

    Region(String name, RegionFollower follower, long nowNs) {
      this.name = name;
      this.follower = follower;
      dueNs = nowNs;
    }

    void later(long nowNs) {
      looks++;
      dueNs = nowNs + waitNs(looks);
    }

    void hasBeenRead(long nowNs) {
      read = true;
      looks = 0;
      later(nowNs);
    }
  }

  /** What is in a region's file. */
  private static final class Saved {
    private final long writtenMs;
    private final long requests;

    Saved(long writtenMs, long requests) {
      this.writtenMs = writtenMs;
      this.requests = requests;
    }
  }

  private final RegionRequests requests;
  private final Function<String, Optional<SavedCounts>> files;
  private final FailureLog failures;
  private final Consumer<String> log;
  private final Map<String, Region> regions = new HashMap<>();

  /** As this server wrote or read it last; of closed regions too, until they are forgotten. */
  private final Map<RegionFollower, Saved> saved = new WeakHashMap<>();

  /** Failures since a file was last read or written. */
  private int failedInARow;

  private long pausedUntilNs;
  private volatile boolean stopped;

  /**
   * @param files where the counts of an open region are saved, by its encoded name; empty where
   *     they are not to be saved now
   * @param log takes one line for each file that is of no use
   */
  CountsSaver(
      RegionRequests requests,
      Function<String, Optional<SavedCounts>> files,
      FailureLog failures,
      Consumer<String> log) {
    this.requests = requests;
    this.files = files;
    this.failures = failures;
    this.log = log;
  }

  private static long waitNs(int turn) {
    return TimeUnit.SECONDS.toNanos(Math.min(WAIT_MAX_S, (long) turn * turn));
  }

  void start() {
    Thread thread = new Thread(this::run, THREAD);
    thread.setDaemon(true);
    thread.start();
  }

  /** The thread ends within a second, or with what it is writing. */
  void stop() {
    stopped = true;
  }

  private void run() {
    while (!stopped) {
      try {
        TimeUnit.SECONDS.sleep(1);
      } catch (InterruptedException e) {
        return;
      }
      pass(System.nanoTime());
    }
  }

  /**
   * Does what is due. Not for several threads.
   *
   * @param nowNs the time, by {@link System#nanoTime()}
   */
  void pass(long nowNs) {
    Map<String, RegionFollower> now = requests.followers();
    regions.values().removeIf(region -> now.get(region.name) != region.follower);
    now.forEach(
        (name, follower) -> regions.computeIfAbsent(name, n -> new Region(name, follower, nowNs)));
    if (failedInARow > 0 && nowNs - pausedUntilNs < 0) {
      return;
    }
    boolean written = false;
    for (Region region : due(nowNs)) {
      if (written) {
        return;
      }
      try {
        Optional<SavedCounts> file = files.apply(region.name);
        if (file.isEmpty()) {
          continue;
        }
        if (region.read) {
          written = save(file.get(), region);
          region.later(nowNs);
        } else {
          read(file.get(), region);
          region.hasBeenRead(nowNs);
        }
      } catch (IOException | RuntimeException | LinkageError e) {
        failed(region, e, nowNs);
        return;
      }
    }
  }

  /** Those to be read come first, then those that wait longest. */
  private List<Region> due(long nowNs) {
    Comparator<Region> order = Comparator.comparing(region -> region.read);
    return regions.values().stream()
        .filter(region -> nowNs - region.dueNs >= 0)
        .sorted(order.thenComparingLong(region -> region.dueNs - nowNs))
        .collect(Collectors.toList());
  }

  private void failed(Region region, Throwable cause, long nowNs) {
    String what = (region.read ? "Saving" : "Reading") + " the counts of region " + region.name;
    region.later(nowNs);
    if (!region.read && region.looks == READS_MAX) {
      region.hasBeenRead(nowNs);
    }
    failedInARow++;
    pausedUntilNs = nowNs + waitNs(failedInARow);
    failures.add(what, cause, nowNs);
  }

  private void read(SavedCounts file, Region region) throws IOException {
    Saved before = saved.get(region.follower);
    if (before == null && region.follower.handedOver()) {
      return;
    }
    Optional<FileStatus> found = file.find();
    if (found.isEmpty()) {
      return;
    }
    long writtenMs = found.get().getModificationTime();
    if (before != null && before.writtenMs == writtenMs) {
      return;
    }
    BlockAccesses counts;
    try {
      counts = file.read(found.get());
    } catch (IllegalArgumentException e) {
      log.accept(found.get().getPath() + " is ignored: " + e.getMessage());
      return;
    }
    failedInARow = 0;
    saved.put(region.follower, new Saved(writtenMs, counts.requests()));
    if (before == null) {
      region.follower.goOnFrom(counts);
    } else {
      // The region was on another server since, which began with what was saved here.
      region.follower.replace(counts);
    }
  }

  /** Whether there was something to write; a region that left meanwhile is the next server's. */
  private boolean save(SavedCounts file, Region region) throws IOException {
    Optional<BlockAccesses> counts = region.follower.accesses();
    if (counts.isEmpty()) {
      return false;
    }
    Saved before = saved.get(region.follower);
    long then = before == null ? 0 : before.requests;
    long now = counts.get().requests();
    if (Math.abs(now - then) < Math.max(CHANGE_MIN, then / 10)) {
      return false;
    }
    OptionalLong writtenMs = file.write(counts.get(), () -> files.apply(region.name).isPresent());
    writtenMs.ifPresent(ms -> saved.put(region.follower, new Saved(ms, now)));
    failedInARow = 0;
    return true;
  }
}
