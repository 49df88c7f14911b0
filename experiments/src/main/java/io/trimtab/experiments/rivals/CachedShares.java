package io.trimtab.experiments.rivals;

import io.trimtab.lab.testbed.HBaseTestbed;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;

/**
 * What of each of the tenants' regions is cached on its server, as the servers tell the master and
 * its balancer. Not what is true: HBase 2.6.4 adds each block that comes, and takes away only files
 * that were wholly cached until one of their blocks went, so that a region may have more than 1.
 */
final class CachedShares {
  private CachedShares() {}

  /** In ascending order. */
  static List<Double> told(HBaseTestbed bed) throws IOException {
    List<String> tables = bed.tables();
    try (Admin admin = bed.connection().getAdmin()) {
      return admin
          .getClusterMetrics(EnumSet.of(ClusterMetrics.Option.LIVE_SERVERS))
          .getLiveServerMetrics()
          .values()
          .stream()
          .flatMap(server -> server.getRegionMetrics().values().stream())
          .filter(r -> tables.contains(RegionInfo.getTable(r.getRegionName()).getNameAsString()))
          .map(region -> (double) region.getCurrentRegionCachedRatio())
          .sorted()
          .toList();
    }
  }
}
