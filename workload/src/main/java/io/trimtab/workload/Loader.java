package io.trimtab.workload;

import io.trimtab.config.UserError;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/** Creates the tenants' tables and fills them. */
public final class Loader {
  private static final int THREADS = 4;
  private static final int BATCH_BYTES = 1 << 20;
  private static final int BATCH_TRIES = 8;

  private final WorkloadSpec spec;
  private final Connection connection;

  public Loader(WorkloadSpec spec, Connection connection) {
    this.spec = spec;
    this.connection = connection;
  }

  /**
   * Creates the tables, empty.
   *
   * @param drop whether tables of the same names are dropped first; without it they are an error
   */
  public void create(boolean drop) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      for (TenantSpec tenant : spec.tenants()) {
        TableName table = TableName.valueOf(tenant.table());
        if (admin.tableExists(table)) {
          if (!drop) {
            throw new UserError(
                "table " + table + " exists; load into it anew with --drop, or name another one");
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
        byte[][] splits = new Keys(tenant.keyOrder()).splits(tenant);
        admin.createTable(
            TableDescriptorBuilder.newBuilder(table).setColumnFamily(family.build()).build(),
            splits.length == 0 ? null : splits);
      }
    }
  }

  /**
   * Writes every record's first version and flushes. The log is left out, as in a bulk load, since
   * a load that fails is begun again.
   *
   * @param progress hears records written so far, and of how many
   * @return what a run must know of the data, by tenant
   */
  public Map<String, Ledger> load(BiConsumer<Long, Long> progress) throws IOException {
    long total = spec.tenants().stream().mapToLong(TenantSpec::records).sum();
    var written = new AtomicLong();
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    try {
      for (TenantSpec tenant : spec.tenants()) {
        all(pool, batches(tenant, done -> progress.accept(written.addAndGet(done), total)));
        flush(tenant);
      }
    } finally {
      pool.shutdownNow();
    }
    return ledgers();
  }

  /** For tables that hold just what {@link #load} wrote. */
  public Map<String, Ledger> ledgers() {
    var ledgers = new LinkedHashMap<String, Ledger>();
    spec.tenants().forEach(t -> ledgers.put(t.name(), new Ledger(t.records(), 0)));
    return ledgers;
  }

  private List<Callable<Void>> batches(
      TenantSpec tenant, java.util.function.LongConsumer progress) {
    int size = Math.max(1, BATCH_BYTES / (tenant.fields() * tenant.fieldLength()));
    Keys keys = new Keys(tenant.keyOrder());
    var jobs = new ArrayList<Callable<Void>>();
    for (int from = 0; from < tenant.records(); from += size) {
      int begin = from;
      int end = Math.min(tenant.records(), from + size);
      jobs.add(
          () -> {
            var puts = new ArrayList<Put>(end - begin);
            for (int record = begin; record < end; record++) {
              byte[][] values = new byte[tenant.fields()][];
              for (int field = 0; field < values.length; field++) {
                values[field] = Content.value(record, field, Ledger.LOADED, tenant.fieldLength());
              }
              puts.add(
                  HBaseTarget.put(tenant, keys.key(record), Ledger.LOADED, values)
                      .setDurability(Durability.SKIP_WAL));
            }
            write(tenant, puts);
            progress.accept(end - begin);
            return null;
          });
    }
    return jobs;
  }

  private void write(TenantSpec tenant, List<Put> puts) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try (Table table = connection.getTable(TableName.valueOf(tenant.table()))) {
        table.put(new ArrayList<>(puts));
        return;
      } catch (IOException e) {
        if (attempt == BATCH_TRIES) {
          throw e;
        }
        pause(attempt);
      }
    }
  }

  private static void pause(int attempt) throws IOException {
    try {
      Thread.sleep(100L << Math.min(attempt, 6));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while loading", e);
    }
  }

  private void flush(TenantSpec tenant) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.flush(TableName.valueOf(tenant.table()));
    }
  }

  static void all(ExecutorService pool, List<Callable<Void>> jobs) throws IOException {
    try {
      for (Future<Void> future : pool.invokeAll(jobs)) {
        future.get();
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException io
          ? io
          : new IOException(String.valueOf(e.getCause()), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
