package io.trimtab.hbase;

import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.hbase.pages.RegionBeans;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** The regions of a snapshot, and what forbids changing them. */
final class RegionStates {
  /** Where HBase 2 keeps its groups of RegionServers; there only if they are or were in use. */
  static final TableName GROUPS = TableName.valueOf("hbase", "rsgroup");

  private RegionStates() {}

  /**
   * Why regions must not be moved at all, one sentence each.
   *
   * @param groups whether RegionServers are in groups, which restrict where regions may be
   */
  static List<String> blockers(boolean groups) {
    return groups
        ? List.of(
            "the RegionServers are in groups (RSGroups, table "
                + GROUPS
                + "), which Trimtab does not support")
        : List.of();
  }

  /**
   * Tables that stay as they are, by name, with the reason: two replicas of a region must not be on
   * one node, which plans know nothing of.
   */
  static Map<String, String> fixed(List<TableDescriptor> tables) {
    Map<String, String> fixed = new TreeMap<>();
    for (TableDescriptor table : tables) {
      if (table.getRegionReplication() > 1) {
        fixed.put(
            table.getTableName().getNameAsString(),
            "it has %d replicas of each region (REGION_REPLICATION), which must not meet on a node"
                .formatted(table.getRegionReplication()));
      }
    }
    return fixed;
  }

  /**
   * Nodes that must stay: on fewer, replicas of a region would meet, or copies of HDFS. HBase keeps
   * replicas apart as it places them, as far as there are nodes.
   *
   * @param copies that HDFS keeps
   */
  static int fewestNodes(List<TableDescriptor> tables, int copies) {
    return tables.stream()
        .mapToInt(TableDescriptor::getRegionReplication)
        .reduce(copies, Math::max);
  }

  /**
   * What a server does beside serving. Minor compactions belong to serving; of major ones, HBase
   * tells no more than which regions they are of.
   */
  static List<String> maintenance(ServerMetrics server) {
    long major =
        server.getRegionMetrics().values().stream()
            .map(RegionMetrics::getCompactionState)
            .filter(
                state -> state == CompactionState.MAJOR || state == CompactionState.MAJOR_AND_MINOR)
            .count();
    return major == 0 ? List.of() : List.of("major compaction of " + Counted.of(major, "region"));
  }

  /**
   * The regions with what is known of each. Counters that were not read are absent.
   *
   * @param regions as hbase:meta lists them, without the replicas of others
   * @param samples of the servers that could be read
   * @param gaps to which regions are added whose server was read and does not list them
   */
  static List<PartitionState> of(
      ClusterMetrics cluster,
      List<TableDescriptor> tables,
      List<HRegionLocation> regions,
      Map<ServerName, RegionServerReader.MetricsSample> samples,
      List<String> gaps) {
    Map<String, RegionMetrics> metrics = regionMetrics(cluster);
    Set<String> moving = new HashSet<>();
    cluster.getRegionStatesInTransition().stream()
        .map(state -> state.getRegion().getEncodedName())
        .forEach(moving::add);
    Map<String, Integer> blockSizes = new HashMap<>();
    tables.forEach(t -> blockSizes.put(t.getTableName().getNameAsString(), blockSize(t)));
    Map<ServerName, ServerMetrics> live = cluster.getLiveServerMetrics();
    List<PartitionState> partitions = new ArrayList<>();
    for (HRegionLocation location : regions) {
      RegionInfo region = location.getRegion();
      String name = region.getEncodedName();
      Optional<ServerName> server =
          Optional.ofNullable(location.getServerName())
              .filter(s -> live.containsKey(s) && !moving.contains(name));
      Optional<RegionBeans> beans =
          server.map(samples::get).map(RegionServerReader.MetricsSample::regions);
      Optional<PartitionCounters> counters = beans.flatMap(b -> b.counters(name));
      // A node that can't be read is a gap already.
      if (beans.isPresent() && counters.isEmpty()) {
        gaps.add(Cluster.partition(region) + " is not yet among the counters of " + server.get());
      }
      Optional<RegionMetrics> reported = Optional.ofNullable(metrics.get(name));
      long size = size(name, beans, reported);
      partitions.add(
          new PartitionState(
              Cluster.partition(region),
              server.map(Cluster::node),
              counters,
              size,
              // Nothing is not far away.
              size == 0 ? 1 : reported.map(m -> (double) m.getDataLocality()).orElse(1.0),
              blockSizes.get(region.getTable().getNameAsString()),
              new KeyRange(RowKey.of(region.getStartKey()), RowKey.of(region.getEndKey()))));
    }
    partitions.sort(Comparator.comparing(PartitionState::id));
    return partitions;
  }

  /** What most of a node's partitions ask for, the smallest of equals; 0 for an empty node. */
  static int blockSizeOf(NodeId node, List<PartitionState> partitions) {
    Map<Integer, Integer> counts = new TreeMap<>();
    for (PartitionState partition : partitions) {
      if (partition.node().filter(node::equals).isPresent()) {
        counts.merge(partition.blockSizeBytes(), 1, Integer::sum);
      }
    }
    int most = counts.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    return counts.entrySet().stream()
        .filter(e -> e.getValue() == most)
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(0);
  }

  /** The bean is exact but old, the master's figure is new but in whole megabytes. */
  private static long size(
      String name, Optional<RegionBeans> beans, Optional<RegionMetrics> reported) {
    long exact = beans.map(b -> b.sizeBytes(name)).orElse(0L);
    long recent = reported.map(m -> (long) m.getStoreFileSize().get(Size.Unit.BYTE)).orElse(0L);
    return Math.max(exact, recent);
  }

  private static Map<String, RegionMetrics> regionMetrics(ClusterMetrics metrics) {
    Map<String, RegionMetrics> byRegion = new HashMap<>();
    for (ServerMetrics server : metrics.getLiveServerMetrics().values()) {
      for (RegionMetrics region : server.getRegionMetrics().values()) {
        byRegion.put(RegionInfo.encodeRegionName(region.getRegionName()), region);
      }
    }
    return byRegion;
  }

  /** The smallest of the families', as HBase itself counts blocks of a table. */
  private static int blockSize(TableDescriptor table) {
    return Arrays.stream(table.getColumnFamilies())
        .mapToInt(ColumnFamilyDescriptor::getBlocksize)
        .min()
        .orElse(HConstants.DEFAULT_BLOCKSIZE);
  }
}
