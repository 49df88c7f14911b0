package io.trimtab.hbaseplugin;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import io.trimtab.hbasewire.HistogramList;
import io.trimtab.plugincore.BlockAccesses;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;

/** How often the blocks of this server's regions are requested. */
final class RegionHistograms {
  private static final String UNREAD = "its block index has not been read";

  /** What counts of all regions may take of the heap together. */
  private static final double HEAP_SHARE = 0.01;

  private static final long BYTES_MIN = 64L << 20;

  /** Of each part of a region's keys: where it begins, its blocks, and its count. */
  private static final int STRETCH_BYTES = Long.BYTES + 1 + 2 * Integer.BYTES;

  /** With fewer parts a region's histogram would tell little, however many regions there are. */
  private static final int STRETCHES_MIN = 1_000;

  /** So long block indexes are read for one call, whose caller waits some 15 s. */
  private static final Duration LOOKS_MAX = Duration.ofSeconds(5);

  /** The store files of a region that is open on this server. */
  interface StoreFiles {
    /**
     * Has a follower look at them.
     *
     * @param stretchesMax parts of the region's keys that may be counted individually
     */
    void show(RegionFollower follower, int stretchesMax) throws IOException;

    List<String> names();
  }

  private static final class OpenRegion implements StoreFiles {
    private final HRegion region;

    OpenRegion(HRegion region) {
      this.region = region;
    }

    @Override
    public void show(RegionFollower follower, int stretchesMax) throws IOException {
      follower.look(region, stretchesMax);
    }

    @Override
    public List<String> names() {
      List<String> names = new ArrayList<>();
      for (HStore store : region.getStores()) {
        for (HStoreFile file : store.getStorefiles()) {
          names.add(file.getPath().getName());
        }
      }
      return names;
    }
  }

  private final RegionRequests requests;
  private final Function<String, Optional<StoreFiles>> files;
  private final FailureLog failures;
  private final LongSupplier nowNs;

  /**
   * @param files of a region, by its encoded name; empty where it is not open on this server
   * @param nowNs a clock that is never set
   */
  RegionHistograms(
      RegionRequests requests,
      Function<String, Optional<StoreFiles>> files,
      FailureLog failures,
      LongSupplier nowNs) {
    this.requests = requests;
    this.files = files;
    this.failures = failures;
    this.nowNs = nowNs;
  }

  /** Those of a server; without regions where it is not known yet. */
  static RegionHistograms of(
      RegionRequests requests, Optional<RegionServerServices> server, FailureLog failures) {
    return new RegionHistograms(
        requests,
        name ->
            server
                .map(services -> services.getRegion(name))
                .filter(HRegion.class::isInstance)
                .map(region -> new OpenRegion((HRegion) region)),
        failures,
        System::nanoTime);
  }

  /**
   * Into how many parts the keys of each region may be divided.
   *
   * @param heapBytes of the server at most
   */
  static int stretchesMax(long heapBytes, int regions) {
    double bytes = Math.max(BYTES_MIN, HEAP_SHARE * heapBytes) / Math.max(1, regions);
    return (int)
        Math.max(STRETCHES_MIN, Math.min(BlockAccesses.STRETCHES_MAX, bytes / STRETCH_BYTES));
  }

  /** From row keys; begins to count where that has not begun, and ages what was counted. */
  Message counted(MethodDescriptor method) {
    return all(method, this::writeCounted);
  }

  /** As a server counted them that does so exactly. */
  Message exact(MethodDescriptor method) {
    return all(method, RegionHistograms::writeExact);
  }

  /** Adds the counts of a region, which may not be on this server, to a list. */
  @FunctionalInterface
  private interface HistogramWriter {
    void into(
        HistogramList.Builder list,
        Optional<StoreFiles> files,
        String name,
        RegionFollower follower);
  }

  private Message all(MethodDescriptor method, HistogramWriter writer) {
    HistogramList.Builder list = new HistogramList.Builder();
    long begunNs = nowNs.getAsLong();
    int stretchesMax = stretchesMax(Runtime.getRuntime().maxMemory(), requests.size());
    requests
        .followers()
        .forEach(
            (name, follower) -> {
              try {
                Optional<StoreFiles> stored = files.apply(name);
                // The next call goes on: by then those before have been read.
                boolean late = nowNs.getAsLong() - begunNs > LOOKS_MAX.toNanos();
                if (stored.isPresent() && !late) {
                  stored.get().show(follower, stretchesMax);
                }
                if (stored.isPresent() && late && !follower.isDivided()) {
                  list.add(name, UNREAD);
                } else {
                  writer.into(list, stored, name, follower);
                }
              } catch (IOException | RuntimeException | LinkageError e) {
                failures.add(method.getName(), e, System.nanoTime());
                list.add(name, "the plug-in failed: " + e);
              }
            });
    return list.message();
  }

  private void writeCounted(
      HistogramList.Builder list,
      Optional<StoreFiles> stored,
      String name,
      RegionFollower follower) {
    Optional<BlockAccesses> accesses = follower.accesses();
    if (accesses.isEmpty()) {
      // Only where this is sure: who believes it takes every read for one from memory.
      if (stored.isPresent() && stored.get().names().isEmpty()) {
        list.addWithoutFiles(name);
      } else {
        list.add(name, UNREAD);
      }
      return;
    }
    accesses.get().age(TimeUnit.NANOSECONDS.toMillis(nowNs.getAsLong()));
    list.add(name, accesses.get(), follower.scale(), follower.blockBytes());
  }

  private static void writeExact(
      HistogramList.Builder list,
      Optional<StoreFiles> stored,
      String name,
      RegionFollower follower) {
    Optional<String> missing = ExactCounts.missing();
    if (missing.isPresent() || stored.isEmpty()) {
      list.add(name, missing.orElse("it is not on this server"));
      return;
    }
    list.add(name, ExactCounts.histogram(stored.get().names()), follower.blockBytes());
  }
}
