package io.trimtab.workload;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/** A database in memory that can be told to misbehave; a unit-test double only. */
final class MemoryTarget implements Target {
  private record Versioned(long version, byte[][] values) {}

  private final ConcurrentSkipListMap<byte[], Versioned> rows =
      new ConcurrentSkipListMap<>(Arrays::compare);
  final AtomicInteger failuresLeft = new AtomicInteger();
  volatile boolean forgetsWrites;
  volatile boolean corrupts;
  volatile long delayMillis;

  /** Where set, reads of this key and of higher ones are counted. */
  volatile byte[] counted;

  final LongAdder readsFromCounted = new LongAdder();

  /** Lengths that were asked for. */
  final Set<Integer> scans = ConcurrentHashMap.newKeySet();

  @Override
  public void create(TenantSpec tenant, boolean drop) {
    if (drop) {
      rows.clear();
    }
  }

  @Override
  public void load(TenantSpec tenant, long version, List<Row> loaded) {
    loaded.forEach(row -> rows.put(row.key(), new Versioned(version, row.values())));
  }

  @Override
  public void loaded(TenantSpec tenant) {}

  @Override
  public boolean ordered() {
    return true;
  }

  @Override
  public void forEach(TenantSpec tenant, Consumer<Row> visitor) {
    rows.forEach((key, row) -> visitor.accept(new Row(key, row.values())));
  }

  private void mayFail() throws IOException {
    if (failuresLeft.getAndUpdate(n -> Math.max(0, n - 1)) > 0) {
      throw new IOException("told to fail");
    }
    if (delayMillis > 0) {
      try {
        Thread.sleep(delayMillis);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public byte[][] read(TenantSpec tenant, byte[] key) throws IOException {
    mayFail();
    if (counted != null && Arrays.compare(key, counted) >= 0) {
      readsFromCounted.increment();
    }
    Versioned row = rows.get(key);
    if (row == null || !corrupts) {
      return row == null ? null : row.values();
    }
    byte[][] broken = {row.values()[0].clone()};
    broken[0][30] ^= 1;
    return broken;
  }

  @Override
  public List<Row> scan(TenantSpec tenant, byte[] key, int limit) throws IOException {
    mayFail();
    scans.add(limit);
    var result = new ArrayList<Row>();
    for (var e : rows.tailMap(key, true).entrySet()) {
      if (result.size() == limit) {
        break;
      }
      result.add(new Row(e.getKey(), e.getValue().values()));
    }
    return result;
  }

  @Override
  public void write(TenantSpec tenant, byte[] key, long version, byte[][] values)
      throws IOException {
    mayFail();
    if (!forgetsWrites) {
      rows.merge(
          key,
          new Versioned(version, values),
          (old, fresh) -> fresh.version() >= old.version() ? fresh : old);
    }
  }

  @Override
  public void close() {}
}
