package io.trimtab.contract.split;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.RowKey;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * Tables of 2,000 rows of which the lowest quarter has half of the requests: row {@code n·u²} for a
 * uniform {@code u}.
 */
final class SkewedTables {
  static final int ROWS = 2_000;
  private static final byte[] FAMILY = {'f'};

  /** Between two requests of a client: without it four would take whatever the machine has. */
  private static final long PAUSE_NS = 1_000_000;

  private final Connection connection;

  SkewedTables(Connection connection) {
    this.connection = connection;
  }

  /** Reads until stopped; how many values were wrong or missing. */
  long read(TableName name, int client, AtomicBoolean stop) {
    Random random = new Random(client);
    long wrong = 0;
    try (Table table = connection.getTable(name)) {
      while (!stop.get()) {
        LockSupport.parkNanos(PAUSE_NS);
        int row = row(random);
        Result result = table.get(new Get(key(row).bytes()));
        wrong += Arrays.equals(result.getValue(FAMILY, FAMILY), value(row)) ? 0 : 1;
      }
      return wrong;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  interface Change {
    TableDescriptorBuilder to(TableDescriptorBuilder table);
  }

  TableName create(String name, Change change) throws IOException {
    TableName table = TableName.valueOf(name);
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          change
              .to(
                  TableDescriptorBuilder.newBuilder(table)
                      .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY)))
              .build());
    }
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      puts.add(new Put(key(i).bytes()).addColumn(FAMILY, FAMILY, value(i)));
    }
    try (Table open = connection.getTable(table)) {
      open.put(puts);
    }
    return table;
  }

  static byte[] value(int row) {
    byte[] value = new byte[200];
    new Random(row).nextBytes(value);
    return value;
  }

  /** Half of the requests are for the lowest quarter of the rows. */
  static int row(Random random) {
    double u = random.nextDouble();
    return (int) (u * u * ROWS);
  }

  static double trueShare(RowKey key) {
    String text = (new String(key.bytes(), StandardCharsets.US_ASCII) + "00000000").substring(0, 8);
    return Math.sqrt(Double.parseDouble(text.substring(3)) / ROWS);
  }

  void ask(TableName name, int requests) throws IOException {
    Random random = new Random(7);
    try (Table table = connection.getTable(name)) {
      // The loading was uniform; what was asked since outweighs it.
      for (int i = 0; i < requests; i += 100) {
        List<Get> gets = new ArrayList<>();
        for (int j = 0; j < 100; j++) {
          gets.add(new Get(key(row(random)).bytes()));
        }
        table.get(gets);
      }
    }
  }

  static RowKey key(int number) {
    return RowKey.of(
        String.format(Locale.ROOT, "row%05d", number).getBytes(StandardCharsets.US_ASCII));
  }

  void verify(TableName name) throws IOException {
    int rows = 0;
    try (Table table = connection.getTable(name);
        ResultScanner scanner = table.getScanner(new Scan().setCaching(500))) {
      for (Result result = scanner.next(); result != null; result = scanner.next()) {
        assertThat(result.getRow()).isEqualTo(key(rows).bytes());
        assertThat(result.getValue(FAMILY, FAMILY)).isEqualTo(value(rows));
        rows++;
      }
    }
    assertThat(rows).isEqualTo(ROWS);
  }
}
