package io.trimtab.workload;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A database in memory that can be told to misbehave; a unit-test double only. */
final class MemoryTarget implements Target {
  private record Versioned(long version, byte[][] values) {}

  private final ConcurrentSkipListMap<byte[], Versioned> rows =
      new ConcurrentSkipListMap<>(Arrays::compare);
  final AtomicInteger failuresLeft = new AtomicInteger();
  volatile boolean forgetsWrites;
  volatile boolean corrupts;
  volatile long delayMillis;

  void load(TenantSpec spec) throws IOException {
    Keys keys = new Keys(spec.keyOrder());
    for (int i = 0; i < spec.records(); i++) {
      byte[][] values = new byte[spec.fields()][];
      for (int f = 0; f < values.length; f++) {
        values[f] = Content.value(i, f, Ledger.LOADED, spec.fieldLength());
      }
      rows.put(keys.key(i), new Versioned(Ledger.LOADED, values));
    }
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
