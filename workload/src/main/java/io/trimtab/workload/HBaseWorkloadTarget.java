package io.trimtab.workload;

import io.trimtab.clikit.ClusterAddress;
import io.trimtab.config.UserError;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ScanResultConsumer;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.ipc.RemoteException;

/**
 * HBase through its public client. The client's region cache follows moves by itself; its own
 * retries are kept to one, so that {@link TenantRun} sees and counts the rest.
 */
public final class HBaseWorkloadTarget implements Target {
  private static final int READ_THREADS = 4;
  private static final int ROWS_AT_ONCE = 500;
  private static final int WHOLE_ATTEMPTS = 30;
  private static final int WHOLE_PAUSE_MS = 100;
  private static final int WHOLE_TIMEOUT_S = 60;

  private final Connection connection;

  /** For scans: the blocking client prints a stack trace to stderr when a scan meets a move. */
  private final AsyncConnection scans;

  private HBaseWorkloadTarget(Connection connection, AsyncConnection scans) {
    this.connection = connection;
    this.scans = scans;
  }

  /**
   * A load has no keytab: HBase's client would try for a minute, and say that it has no ticket.
   *
   * @throws UserError if the cluster asks for one
   */
  public static void requireOpen(ClusterAddress.HBase address) {
    String asked = address.client().getOrDefault("hbase.security.authentication", "simple");
    if (!asked.equals("simple")) {
      throw new UserError(
          address
              + ": hbase.security.authentication is "
              + asked
              + ", and workload can't log in; load it with another client");
    }
  }

  /**
   * Connects.
   *
   * @param properties what the client needs to find the cluster, for example {@code
   *     hbase.zookeeper.quorum}
   */
  public static HBaseWorkloadTarget connect(Map<String, String> properties) throws IOException {
    return connect(properties, Optional.empty());
  }

  /**
   * As {@link #connect(Map)}.
   *
   * @param user who has logged in to Kerberos; empty: whoever runs this process
   */
  public static HBaseWorkloadTarget connect(Map<String, String> properties, Optional<User> user)
      throws IOException {
    Configuration conf = HBaseConfiguration.create();
    conf.setInt("hbase.client.retries.number", 1);
    conf.setInt("hbase.client.pause", 30);
    conf.setInt("hbase.rpc.timeout", 10_000);
    conf.setInt("hbase.client.operation.timeout", 15_000);
    conf.setInt("hbase.client.meta.operation.timeout", 30_000);
    conf.setInt("hbase.client.scanner.timeout.period", 15_000);
    properties.forEach(conf::set);
    Connection connection =
        user.isPresent()
            ? ConnectionFactory.createConnection(conf, user.get())
            : ConnectionFactory.createConnection(conf);
    try {
      return new HBaseWorkloadTarget(
          connection,
          get(
              user.isPresent()
                  ? ConnectionFactory.createAsyncConnection(conf, user.get())
                  : ConnectionFactory.createAsyncConnection(conf)));
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
  public void create(TenantSpec tenant, boolean drop) throws IOException {
    TableName table = TableName.valueOf(tenant.table());
    try (Admin admin = connection.getAdmin()) {
      if (admin.tableExists(table)) {
        if (!drop) {
          throw new UserError(
              "table " + table + " exists; replace it with --drop, or use another table");
        }
        if (admin.isTableEnabled(table)) {
          admin.disableTable(table);
        }
        admin.deleteTable(table);
      }
      var family =
          ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(tenant.family()))
              .setBlocksize(tenant.blockSize())
              .setPrefetchBlocksOnOpen(tenant.prefetch());
      byte[][] splits = new Keys(tenant).splits();
      admin.createTable(
          TableDescriptorBuilder.newBuilder(table).setColumnFamily(family.build()).build(),
          splits.length == 0 ? null : splits);
    }
  }

  /** The log is left out, as in a bulk load. */
  @Override
  public void load(TenantSpec tenant, long version, List<Row> rows) throws IOException {
    var puts = new ArrayList<Put>(rows.size());
    for (Row row : rows) {
      puts.add(put(tenant, row.key(), version, row.values()).setDurability(Durability.SKIP_WAL));
    }
    try (Table table = table(tenant)) {
      table.put(puts);
    }
  }

  @Override
  public void loaded(TenantSpec tenant) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.flush(TableName.valueOf(tenant.table()));
    }
  }

  @Override
  public boolean ordered() {
    return true;
  }

  @Override
  public void forEach(TenantSpec tenant, Consumer<Row> visitor) throws IOException {
    TableName name = TableName.valueOf(tenant.table());
    var jobs = new ArrayList<Callable<Void>>();
    try (var locator = connection.getRegionLocator(name)) {
      Pair<byte[][], byte[][]> ranges = locator.getStartEndKeys();
      for (int i = 0; i < ranges.getFirst().length; i++) {
        byte[] start = ranges.getFirst()[i];
        byte[] end = ranges.getSecond()[i];
        jobs.add(
            () -> {
              range(tenant, name, start, end, visitor);
              return null;
            });
      }
    }
    ExecutorService pool = Executors.newFixedThreadPool(READ_THREADS);
    try {
      Loader.all(pool, jobs);
    } finally {
      pool.shutdownNow();
    }
  }

  private void range(
      TenantSpec tenant, TableName name, byte[] start, byte[] end, Consumer<Row> visitor)
      throws IOException {
    Scan scan =
        new Scan()
            .withStartRow(start)
            .withStopRow(end)
            .setCaching(ROWS_AT_ONCE)
            .setCacheBlocks(false)
            .addFamily(Bytes.toBytes(tenant.family()));
    try (ResultScanner scanner = whole(name).getScanner(scan)) {
      for (Result result = scanner.next(); result != null; result = scanner.next()) {
        visitor.accept(new Row(result.getRow(), values(tenant, result)));
      }
    }
  }

  /** For a whole table: nobody repeats its read, and any of its regions may be moving. */
  private AsyncTable<ScanResultConsumer> whole(TableName name) {
    return scans
        .getTableBuilder(name, ForkJoinPool.commonPool())
        .setMaxAttempts(WHOLE_ATTEMPTS)
        .setRetryPause(WHOLE_PAUSE_MS, TimeUnit.MILLISECONDS)
        .setScanTimeout(WHOLE_TIMEOUT_S, TimeUnit.SECONDS)
        .build();
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
            .setCaching(tenant.fetched(limit))
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

  @Override
  public String reason(Throwable cause) {
    // What a server threw comes wrapped, with the name of its class.
    return cause instanceof RemoteException remote
        ? remote.getClassName().replaceFirst(".*[.$]", "")
        : Target.super.reason(cause);
  }

  /** The version is the cell's timestamp, so that a late retry can't undo a newer write. */
  private static Put put(TenantSpec tenant, byte[] key, long version, byte[][] values) {
    Put put = new Put(key, version);
    byte[] family = Bytes.toBytes(tenant.family());
    for (int field = 0; field < values.length; field++) {
      put.addColumn(family, qualifier(field), values[field]);
    }
    return put;
  }

  private static byte[] qualifier(int field) {
    return Bytes.toBytes("field" + field);
  }

  private static byte[][] values(TenantSpec tenant, Result result) {
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
