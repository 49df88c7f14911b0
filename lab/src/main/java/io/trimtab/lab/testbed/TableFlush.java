package io.trimtab.lab.testbed;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
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
  private static final Duration PAUSE = Duration.ofMillis(200);

  private TableFlush() {}

  /**
   * @throws IOException also where a region has not written everything after two minutes
   */
  public static void of(Connection connection, String table) throws IOException {
    TableName name = TableName.valueOf(table);
    try (Admin admin = connection.getAdmin();
        RegionLocator locator = connection.getRegionLocator(name)) {
      for (RegionInfo region : admin.getRegions(name)) {
        ServerName node = locator.getRegionLocation(region.getStartKey(), true).getServerName();
        admin.flushRegion(region.getRegionName());
        await(admin, node, region);
        // What came after its node had begun by itself.
        admin.flushRegion(region.getRegionName());
      }
    }
  }

  private static void await(Admin admin, ServerName node, RegionInfo region) throws IOException {
    long end = System.nanoTime() + LIMIT.toNanos();
    while (inMemory(admin, node, region)) {
      if (System.nanoTime() - end > 0) {
        throw new IOException(
            "region %s of %s still has data in memory after %d s"
                .formatted(region.getEncodedName(), region.getTable(), LIMIT.toSeconds()));
      }
      try {
        TimeUnit.MILLISECONDS.sleep(PAUSE.toMillis());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("interrupted while " + region.getTable() + " is flushed");
      }
    }
  }

  /** At least a MiB: nodes tell no less. */
  private static boolean inMemory(Admin admin, ServerName node, RegionInfo region)
      throws IOException {
    for (RegionMetrics metrics : admin.getRegionMetrics(node, region.getTable())) {
      if (Arrays.equals(metrics.getRegionName(), region.getRegionName())) {
        return metrics.getMemStoreSize().get(Size.Unit.MEGABYTE) >= 1;
      }
    }
    return false;
  }
}
