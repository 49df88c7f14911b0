package io.trimtab.lab.testbed;

import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.snapshot.BlockHistogram;
import java.io.IOException;
import java.util.List;
import java.util.OptionalDouble;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/**
 * The tables of a bed on an HBase cluster.
 *
 * @param names in the order of their tenants
 */
record HBaseTables(Connection connection, Engine engine, RegionLayout regions, List<String> names) {
  static HBaseTables of(Connection connection, Engine engine, List<String> names) {
    return new HBaseTables(connection, engine, new RegionLayout(connection, engine), names);
  }

  void flush(String table) throws IOException {
    TableFlush.of(connection, table);
  }

  /** Rewrites every region into one file; what is in memory is not among it. */
  void compact() throws IOException, EngineException {
    regions.compact(regions.partitions(names).values());
  }

  /**
   * Empties the block caches. HBase's keeps up to a quarter for blocks that were requested once,
   * even while it evicts others that are requested again and again: what an earlier load has left
   * there would stay for long.
   */
  void clearCaches() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      for (String table : names) {
        admin.clearBlockCache(TableName.valueOf(table));
      }
    }
  }

  /** Bytes of a table's data blocks, as the plug-in counts them; empty if it does not. */
  OptionalDouble blockBytes(String table) throws EngineException {
    double bytes = 0;
    for (BlockHistogram histogram : engine.histograms()) {
      if (histogram.partition().table().equals(table)) {
        double blocks = histogram.bins().stream().mapToDouble(BlockHistogram.Bin::blocks).sum();
        bytes += blocks * histogram.blockBytes();
      }
    }
    return bytes > 0 ? OptionalDouble.of(bytes) : OptionalDouble.empty();
  }
}
