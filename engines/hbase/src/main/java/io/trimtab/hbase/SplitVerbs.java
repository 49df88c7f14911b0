package io.trimtab.hbase;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.RowKey;
import io.trimtab.hbase.tables.TableChanges;
import io.trimtab.host.InCharge;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.exceptions.MergeRegionException;

/** Splitting regions where their requests halve, and merging them again. */
final class SplitVerbs {
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final Duration MERGE_PAUSE = Duration.ofSeconds(2);
  private static final Duration APART_LIMIT = Duration.ofMinutes(1);

  /** HBase's normalizer takes it from the table before its own configuration. */
  private static final String NORMALIZER_MERGES = "hbase.normalizer.merge.enabled";

  private final Cluster cluster;
  private final RegionVerbs regions;
  private final Supplier<ClusterFacts> facts;

  /**
   * @param facts as they are known when a region is to be split
   */
  SplitVerbs(Cluster cluster, RegionVerbs regions, Supplier<ClusterFacts> facts) {
    this.cluster = cluster;
    this.regions = regions;
    this.facts = facts;
  }

  void split(PartitionId partition, RowKey key, NodeId rightTo, Duration limit, InCharge control)
      throws EngineException {
    long begunNs = cluster.clocks().nowNs();
    String what = "splitting " + partition + " at " + key;
    if (key.isEmpty()) {
      throw new EngineException(what + ": the key is not strictly inside the partition");
    }
    TableName table = Cluster.table(partition);
    RegionInfo[] right = new RegionInfo[1];
    boolean[] asked = new boolean[1];
    HBaseErrors.RETRY
        .under(control)
        .until(
            what,
            limit,
            PAUSE,
            () -> {
              for (HRegionLocation location : cluster.locations(table)) {
                RegionInfo region = location.getRegion();
                if (Arrays.equals(region.getStartKey(), key.bytes())) {
                  right[0] = region;
                  return location.getServerName() != null;
                }
              }
              if (!asked[0]) {
                allow(what, table);
                keepApart(table, control);
                RegionInfo region = cluster.region(partition);
                if (!range(region).splitsAt(key)) {
                  throw new EngineException(
                      what + ": the key is not strictly inside the partition");
                }
                control.require();
                Future<Void> split =
                    cluster.changes().splitRegionAsync(region.getRegionName(), key.bytes());
                // Not before: a request that has failed is sent again.
                asked[0] = true;
                HBaseErrors.ended(what, split, limit);
              }
              return false;
            });
    regions.move(
        Cluster.partition(right[0]), rightTo, cluster.clocks().left(begunNs, limit), control);
  }

  private void allow(String what, TableName table) throws IOException, EngineException {
    Admin admin = cluster.admin();
    if (!admin.isSplitEnabled()) {
      throw new EngineException(
          what + ": splits are switched off (in HBase's shell: splitormerge)");
    }
    Optional<String> refusal = facts.get().splits().refusal(admin.getDescriptor(table));
    if (refusal.isPresent()) {
      throw new EngineException(what + ": " + refusal.get());
    }
  }

  /** HBase's normalizer would merge two small regions again, however busy they are. */
  private void keepApart(TableName table, InCharge control) throws IOException, EngineException {
    TableDescriptor now = cluster.admin().getDescriptor(table);
    if (now.isNormalizationEnabled() && !"false".equals(now.getValue(NORMALIZER_MERGES))) {
      TableDescriptor apart =
          TableDescriptorBuilder.newBuilder(now).setValue(NORMALIZER_MERGES, "false").build();
      control.require();
      new TableChanges(cluster.admin(), cluster.changes())
          .make(
              "keeping the normalizer from merging " + table,
              apart,
              false,
              changed -> "false".equals(changed.getValue(NORMALIZER_MERGES)),
              APART_LIMIT,
              control);
    }
  }

  void merge(PartitionId left, PartitionId right, KeyRange merged, Duration limit, InCharge control)
      throws EngineException {
    String what = "merging " + left + " and " + right;
    boolean[] asked = new boolean[1];
    HBaseErrors.RETRY
        .under(control)
        .until(
            what,
            limit,
            MERGE_PAUSE,
            () -> {
              for (HRegionLocation location : cluster.locations(Cluster.table(left))) {
                if (range(location.getRegion()).equals(merged)) {
                  return location.getServerName() != null;
                }
              }
              if (!asked[0]) {
                if (!cluster.admin().isMergeEnabled()) {
                  throw new EngineException(
                      what + ": merges are switched off (in HBase's shell: splitormerge)");
                }
                RegionInfo first = cluster.region(left);
                RegionInfo second = cluster.region(right);
                control.require();
                byte[][] both = {first.getEncodedNameAsBytes(), second.getEncodedNameAsBytes()};
                Future<Void> merge = cluster.changes().mergeRegionsAsync(both, false);
                asked[0] = true;
                try {
                  HBaseErrors.ended(what, merge, limit);
                } catch (EngineException e) {
                  if (readsItsParent(e)) {
                    asked[0] = false;
                    throw new IOException(e.getCause().getCause());
                  }
                  throw e;
                }
              }
              return false;
            });
  }

  /** HBase archives the files that a compaction replaced every two minutes. */
  private static boolean readsItsParent(EngineException e) {
    return e.getCause() instanceof ExecutionException failed
        && failed.getCause() instanceof MergeRegionException
        && String.valueOf(failed.getCause().getMessage()).contains("not mergeable");
  }

  private static KeyRange range(RegionInfo region) {
    return new KeyRange(RowKey.of(region.getStartKey()), RowKey.of(region.getEndKey()));
  }
}
