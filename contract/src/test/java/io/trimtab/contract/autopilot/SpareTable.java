package io.trimtab.contract.autopilot;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * A table of three regions, of which the first is split and the others are merged; then dropped.
 */
final class SpareTable implements AutoCloseable {
  static final int REGIONS = 3;
  private static final int ROWS = 90;
  private static final byte[] FAMILY = {'f'};
  private static final RowKey CUT = key(15);

  private final Connection connection;
  private final TableName name;

  private SpareTable(Connection connection, TableName name) {
    this.connection = connection;
    this.name = name;
  }

  static SpareTable create(Map<String, String> client, String name) throws IOException {
    return create(client, name, REGIONS);
  }

  /** A table of as many regions, up to one for each row. */
  static SpareTable create(Map<String, String> client, String name, int regions)
      throws IOException {
    Configuration conf = HBaseConfiguration.create();
    client.forEach(conf::set);
    TableName table = TableName.valueOf(name);
    Connection connection = ConnectionFactory.createConnection(conf);
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(table)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .build(),
          IntStream.range(1, regions)
              .mapToObj(i -> key(i * ROWS / regions).bytes())
              .toArray(byte[][]::new));
    }
    try (Table open = connection.getTable(table)) {
      for (int i = 0; i < ROWS; i++) {
        open.put(new Put(key(i).bytes()).addColumn(FAMILY, FAMILY, key(i).bytes()));
      }
    }
    return new SpareTable(connection, table);
  }

  /** Takes all regions to one node. */
  void gather(Engine engine, ClusterSnapshot now, NodeId on, Duration limit)
      throws EngineException {
    for (PartitionState region : regions(now)) {
      engine.move(region.id(), on, limit);
    }
  }

  /**
   * @param rightTo node for the right half of the first region
   */
  List<Action> cutAndMerged(ClusterSnapshot before, NodeId rightTo) {
    List<PartitionState> all = regions(before);
    PartitionState first = all.get(0);
    PartitionState left = all.get(1);
    PartitionState right = all.get(2);
    return List.of(
        new Action.Split(first.id(), CUT, 0.5, first.node().orElseThrow(), rightTo),
        new Action.Merge(
            left.id(),
            right.id(),
            new KeyRange(left.range().start(), right.range().end()),
            right.range().start()));
  }

  /** Done once, though it was begun several times, and no row is missing. */
  void assertCutAndMerged(ClusterSnapshot after) throws IOException {
    assertThat(regions(after))
        .extracting(p -> p.range().start())
        .containsExactly(RowKey.EMPTY, CUT, key(30));
    int rows = 0;
    try (Table open = connection.getTable(name);
        ResultScanner scanner = open.getScanner(new Scan())) {
      for (Result result = scanner.next(); result != null; result = scanner.next()) {
        assertThat(result.getRow()).isEqualTo(key(rows).bytes());
        rows++;
      }
    }
    assertThat(rows).isEqualTo(ROWS);
  }

  private List<PartitionState> regions(ClusterSnapshot snapshot) {
    return snapshot.partitions().stream()
        .filter(p -> p.id().table().equals(name.getNameAsString()))
        .sorted(Comparator.comparing(p -> p.range().start()))
        .toList();
  }

  private static RowKey key(int number) {
    return RowKey.of("%02d".formatted(number).getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public void close() throws IOException {
    try (connection;
        Admin admin = connection.getAdmin()) {
      admin.disableTable(name);
      admin.deleteTable(name);
    }
  }
}
