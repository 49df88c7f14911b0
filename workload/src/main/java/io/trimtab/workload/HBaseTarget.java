package io.trimtab.workload;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * HBase through its public client. The client's region cache follows moves by itself; its own
 * retries are kept to one, so that {@link TenantRun} sees and counts the rest.
 */
public final class HBaseTarget implements Target {
  private final Connection connection;

  /** For scans: the blocking client prints a stack trace to stderr when a scan meets a move. */
  private final AsyncConnection scans;

  private HBaseTarget(Connection connection, AsyncConnection scans) {
    this.connection = connection;
    this.scans = scans;
  }

  /**
   * Connects.
   *
   * @param properties what the client needs to find the cluster, for example {@code
   *     hbase.zookeeper.quorum}
   */
  public static HBaseTarget connect(Map<String, String> properties) throws IOException {
    Configuration conf = HBaseConfiguration.create();
    conf.setInt("hbase.client.retries.number", 1);
    conf.setInt("hbase.client.pause", 30);
    conf.setInt("hbase.rpc.timeout", 10_000);
    conf.setInt("hbase.client.operation.timeout", 15_000);
    conf.setInt("hbase.client.meta.operation.timeout", 30_000);
    conf.setInt("hbase.client.scanner.timeout.period", 15_000);
    properties.forEach(conf::set);
    Connection connection = ConnectionFactory.createConnection(conf);
    try {
      return new HBaseTarget(connection, get(ConnectionFactory.createAsyncConnection(conf)));
    } catch (IOException e) {
      connection.close();
      throw e;
    }
  }

  private static <T> T get(CompletableFuture<T> future) throws IOException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }

  public Connection connection() {
    return connection;
  }

  @Override
  public byte[][] read(TenantSpec tenant, byte[] key) throws IOException {
    try (Table table = table(tenant)) {
      Result result = table.get(new Get(key).addFamily(Bytes.toBytes(tenant.family())));
      return result.isEmpty() ? null : values(tenant, result);
    }
  }

  @Override
  public List<Row> scan(TenantSpec tenant, byte[] key, int limit) throws IOException {
    Scan scan =
        new Scan()
            .withStartRow(key)
            .setLimit(limit)
            .setCaching(limit)
            .setReadType(Scan.ReadType.PREAD)
            .addFamily(Bytes.toBytes(tenant.family()));
    var rows = new ArrayList<Row>(limit);
    for (Result result : get(scans.getTable(TableName.valueOf(tenant.table())).scanAll(scan))) {
      rows.add(new Row(result.getRow(), values(tenant, result)));
    }
    return rows;
  }

  @Override
  public void write(TenantSpec tenant, byte[] key, long version, byte[][] values)
      throws IOException {
    try (Table table = table(tenant)) {
      table.put(put(tenant, key, version, values));
    }
  }

  /** The version is the cell's timestamp, so that a late retry can't undo a newer write. */
  static Put put(TenantSpec tenant, byte[] key, long version, byte[][] values) {
    Put put = new Put(key, version);
    byte[] family = Bytes.toBytes(tenant.family());
    for (int field = 0; field < values.length; field++) {
      put.addColumn(family, qualifier(field), values[field]);
    }
    return put;
  }

  static byte[] qualifier(int field) {
    return Bytes.toBytes("field" + field);
  }

  static byte[][] values(TenantSpec tenant, Result result) {
    byte[] family = Bytes.toBytes(tenant.family());
    byte[][] values = new byte[tenant.fields()][];
    for (int field = 0; field < values.length; field++) {
      values[field] = result.getValue(family, qualifier(field));
    }
    return values;
  }

  private Table table(TenantSpec tenant) throws IOException {
    return connection.getTable(TableName.valueOf(tenant.table()));
  }

  @Override
  public void close() throws IOException {
    scans.close();
    connection.close();
  }
}
