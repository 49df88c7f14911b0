package io.trimtab.hbaseplugin;

import com.google.protobuf.Descriptors.MethodDescriptor;
import com.google.protobuf.Message;
import io.trimtab.hbasewire.HistogramList;
import io.trimtab.plugincore.BlockAccesses;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;

/** How often the blocks of this server's regions are requested. */
final class RegionHistograms {
  private final RegionRequests requests;
  private final Optional<RegionServerServices> server;
  private final FailureLog failures;

  RegionHistograms(
      RegionRequests requests, Optional<RegionServerServices> server, FailureLog failures) {
    this.requests = requests;
    this.server = server;
    this.failures = failures;
  }

  /** From row keys; begins to count where that has not begun, and ages what was counted. */
  Message counted(MethodDescriptor method) {
    return all(method, RegionHistograms::writeCounted);
  }

  /** As a server counted them that does so exactly. */
  Message exact(MethodDescriptor method) {
    return all(method, RegionHistograms::writeExact);
  }

  /** Adds the counts of a region, which may not be on this server, to a list. */
  @FunctionalInterface
  private interface HistogramWriter {
    void into(
        HistogramList.Builder list, Optional<HRegion> region, String name, RegionFollower follower);
  }

  private Message all(MethodDescriptor method, HistogramWriter writer) {
    HistogramList.Builder list = new HistogramList.Builder();
    requests
        .followers()
        .forEach(
            (name, follower) -> {
              try {
                Optional<HRegion> region =
                    server
                        .map(services -> services.getRegion(name))
                        .filter(HRegion.class::isInstance)
                        .map(HRegion.class::cast);
                if (region.isPresent()) {
                  follower.look(region.get());
                }
                writer.into(list, region, name, follower);
              } catch (IOException | RuntimeException | LinkageError e) {
                failures.add(method.getName(), e, System.nanoTime());
                list.add(name, "the plug-in failed: " + e);
              }
            });
    return list.message();
  }

  private static void writeCounted(
      HistogramList.Builder list, Optional<HRegion> region, String name, RegionFollower follower) {
    Optional<BlockAccesses> accesses = follower.accesses();
    if (accesses.isEmpty()) {
      // Only where this is sure: who believes it takes every read for one from memory.
      if (region.isPresent()
          && region.get().getStores().stream().allMatch(s -> s.getStorefilesCount() == 0)) {
        list.addWithoutFiles(name);
      } else {
        list.add(name, "its block index has not been read");
      }
      return;
    }
    accesses.get().age(TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
    list.add(name, accesses.get(), follower.scale(), follower.blockBytes());
  }

  private static void writeExact(
      HistogramList.Builder list, Optional<HRegion> region, String name, RegionFollower follower) {
    Optional<String> missing = ExactCounts.missing();
    if (missing.isPresent() || region.isEmpty()) {
      list.add(name, missing.orElse("it is not on this server"));
      return;
    }
    List<String> files = new ArrayList<>();
    for (HStore store : region.get().getStores()) {
      for (HStoreFile file : store.getStorefiles()) {
        files.add(file.getPath().getName());
      }
    }
    list.add(name, ExactCounts.histogram(files), follower.blockBytes());
  }
}
