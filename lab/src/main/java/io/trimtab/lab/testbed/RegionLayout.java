package io.trimtab.lab.testbed;

import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;

/** Sets up a table set the way a strategy wants it, before a measurement. */
final class RegionLayout {
  private static final Duration MOVE_LIMIT = Duration.ofSeconds(60);
  private static final Duration COMPACT_LIMIT = Duration.ofMinutes(10);

  private final Connection connection;
  private final Engine engine;

  RegionLayout(Connection connection, Engine engine) {
    this.connection = connection;
    this.engine = engine;
  }

  /** Every partition of the tables, by its place in the table. */
  Map<PartitionSlot, PartitionId> partitions(Collection<String> tables) throws IOException {
    var result = new TreeMap<PartitionSlot, PartitionId>();
    try (Admin admin = connection.getAdmin()) {
      for (String table : tables) {
        List<RegionInfo> regions = new ArrayList<>(admin.getRegions(TableName.valueOf(table)));
        regions.sort(Comparator.comparing(RegionInfo::getStartKey, java.util.Arrays::compare));
        for (int i = 0; i < regions.size(); i++) {
          result.put(
              new PartitionSlot(table, i), new PartitionId(table, regions.get(i).getEncodedName()));
        }
      }
    }
    return result;
  }

  /** Moves every partition to its node, four at a time. */
  void place(
      Map<PartitionSlot, PartitionId> partitions,
      Map<PartitionSlot, Integer> placement,
      List<NodeId> nodes)
      throws EngineException {
    var jobs = new ArrayList<Callable<Void>>();
    placement.forEach(
        (slot, node) ->
            jobs.add(
                () -> {
                  engine.move(partitions.get(slot), nodes.get(node), MOVE_LIMIT);
                  return null;
                }));
    all(jobs, 4);
  }

  /** Major-compacts everything, so that every strategy starts from one local file a partition. */
  void compact(Collection<PartitionId> partitions) throws EngineException {
    var jobs = new ArrayList<Callable<Void>>();
    for (PartitionId partition : partitions) {
      jobs.add(
          () -> {
            engine.compact(partition, COMPACT_LIMIT);
            return null;
          });
    }
    all(jobs, 5);
  }

  /** Reads every block once, while that costs nothing, so that no cache begins empty. */
  void warm(Collection<String> tables) throws EngineException {
    var jobs = new ArrayList<Callable<Void>>();
    for (String table : tables) {
      jobs.add(
          () -> {
            Scan scan = new Scan().setFilter(new KeyOnlyFilter()).setCaching(1_000);
            try (Table open = connection.getTable(TableName.valueOf(table));
                ResultScanner scanner = open.getScanner(scan)) {
              while (scanner.next() != null) {
                // Its blocks are what matters.
              }
            }
            return null;
          });
    }
    all(jobs, tables.size());
  }

  private static void all(List<Callable<Void>> jobs, int atOnce) throws EngineException {
    var pool = Executors.newFixedThreadPool(atOnce);
    try {
      for (var future : pool.invokeAll(jobs)) {
        future.get();
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof EngineException engineException) {
        throw engineException;
      }
      throw new EngineException("creating the tables failed: " + e.getCause(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EngineException("interrupted while setting up the tables", e);
    } finally {
      pool.shutdownNow();
    }
  }
}
