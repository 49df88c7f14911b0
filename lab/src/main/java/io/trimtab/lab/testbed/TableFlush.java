package io.trimtab.lab.testbed;

import io.trimtab.lab.process.Processes;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;

/**
 * Writes what a table has in memory to files, region by region. A flush of the whole table can hang
 * for good in the master of HBase 2.6: where a node flushes a region by itself at that moment, it
 * may refuse sooner than the master waits for its answer ("procedure event for 121 is null").
 */
public final class TableFlush {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final long PAUSE_MS = 200;

  private TableFlush() {}

  /**
   * @throws IOException also where a region has not written everything after two minutes
   */
  public static void of(Connection connection, String table) throws IOException {
    TableName name = TableName.valueOf(table);
    try (Admin admin = connection.getAdmin();
        RegionLocator locator = connection.getRegionLocator(name)) {
      for (RegionInfo region : admin.getRegions(name)) {
        admin.flushRegion(region.getRegionName());
        await(admin, locator, region);
        // What came after its node had begun by itself.
        admin.flushRegion(region.getRegionName());
      }
    }
  }

  private static void await(Admin admin, RegionLocator locator, RegionInfo region)
      throws IOException {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (inMemory(admin, locator, region)) {
      if (System.nanoTime() - end > 0) {
        throw new IOException(
            "region %s of %s is not flushed after %d s: it has data in memory, or no node serves it"
                .formatted(region.getEncodedName(), region.getTable(), LIMIT.toSeconds()));
      }
      Processes.sleep(PAUSE_MS);
    }
  }

  /** At least a MiB, as nodes tell no less; or where no node tells. */
  private static boolean inMemory(Admin admin, RegionLocator locator, RegionInfo region)
      throws IOException {
    ServerName node = locator.getRegionLocation(region.getStartKey(), true).getServerName();
    if (node == null) {
      return true;
    }
    for (RegionMetrics metrics : admin.getRegionMetrics(node, region.getTable())) {
      if (Arrays.equals(metrics.getRegionName(), region.getRegionName())) {
        return metrics.getMemStoreSize().get(Size.Unit.MEGABYTE) >= 1;
      }
    }
    return true;
  }
}
