package io.trimtab.workload;

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

/** Creates the tenants' tables and fills them. */
public final class Loader {
  private static final int THREADS = 4;
  private static final int BATCH_BYTES = 1 << 20;
  private static final int BATCH_TRIES = 8;

  private final WorkloadSpec spec;
  private final Target target;

  public Loader(WorkloadSpec spec, Target target) {
    this.spec = spec;
    this.target = target;
  }

  /**
   * Creates the tables, empty.
   *
   * @param drop whether tables of the same names are dropped first; without it they are an error
   */
  public void create(boolean drop) throws IOException {
    for (TenantSpec tenant : spec.tenants()) {
      target.create(tenant, drop);
    }
  }

  /**
   * Writes every record's first version and flushes; a load that fails is begun again.
   *
   * @param progress hears records written so far, and of how many
   * @return the acknowledged writes, by tenant, which a run needs for verification
   */
  public Map<String, AcknowledgedWrites> load(BiConsumer<Long, Long> progress) throws IOException {
    long total = spec.tenants().stream().mapToLong(TenantSpec::records).sum();
    var written = new AtomicLong();
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    try {
      for (TenantSpec tenant : spec.tenants()) {
        all(pool, batches(tenant, done -> progress.accept(written.addAndGet(done), total)));
        target.loaded(tenant);
      }
    } finally {
      pool.shutdownNow();
    }
    return ledgers();
  }

  /** For tables that hold just what {@link #load} wrote. */
  public Map<String, AcknowledgedWrites> ledgers() {
    var ledgers = new LinkedHashMap<String, AcknowledgedWrites>();
    spec.tenants().forEach(t -> ledgers.put(t.name(), new AcknowledgedWrites(t.records(), 0)));
    return ledgers;
  }

  private List<Callable<Void>> batches(
      TenantSpec tenant, java.util.function.LongConsumer progress) {
    Values values = new Values(tenant);
    int size = (int) Math.max(1, BATCH_BYTES / (tenant.fields() * values.meanLength()));
    Keys keys = new Keys(tenant);
    var jobs = new ArrayList<Callable<Void>>();
    for (int from = 0; from < tenant.records(); from += size) {
      int begin = from;
      int end = Math.min(tenant.records(), from + size);
      jobs.add(
          () -> {
            var rows = new ArrayList<Target.Row>(end - begin);
            for (int record = begin; record < end; record++) {
              rows.add(
                  new Target.Row(keys.key(record), values.of(record, AcknowledgedWrites.LOADED)));
            }
            write(tenant.loading(), rows);
            progress.accept(end - begin);
            return null;
          });
    }
    return jobs;
  }

  private void write(TenantSpec tenant, List<Target.Row> rows) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        target.load(tenant, AcknowledgedWrites.LOADED, rows);
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
