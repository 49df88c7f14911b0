package io.trimtab.workload;

import java.util.BitSet;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What a tenant's database has acknowledged: for each loaded record the newest version, and which
 * inserts. Four bytes a record. Thread-safe.
 */
public final class AcknowledgedWrites {
  /** The version that the load phase writes. */
  static final int LOADED = 1;

  private final AtomicIntegerArray issued;
  private final AtomicIntegerArray acknowledged;
  private final AtomicLong nextInsert;
  private final long firstInsert;
  private final BitSet inserted = new BitSet();

  /**
   * @param records that the load phase wrote, numbered from 0
   * @param inserts that earlier runs may have left behind these
   */
  AcknowledgedWrites(int records, long inserts) {
    issued = new AtomicIntegerArray(records);
    acknowledged = new AtomicIntegerArray(records);
    for (int i = 0; i < records; i++) {
      issued.setPlain(i, LOADED);
      acknowledged.setPlain(i, LOADED);
    }
    firstInsert = records + inserts;
    nextInsert = new AtomicLong(firstInsert);
  }

  /** Takes a record's version from the data itself, before a run. */
  void resume(int record, int version) {
    issued.set(record, version);
    acknowledged.set(record, version);
  }

  int records() {
    return issued.length();
  }

  /** A version for a write that is about to start. */
  int issue(int record) {
    return issued.incrementAndGet(record);
  }

  void acknowledge(int record, int version) {
    acknowledged.accumulateAndGet(record, version, Math::max);
  }

  /** The least version that a read which starts now may return. */
  int floor(int record) {
    return acknowledged.get(record);
  }

  /** The highest version that may have been written. */
  int ceiling(int record) {
    return issued.get(record);
  }

  long nextInsert() {
    return nextInsert.getAndIncrement();
  }

  void acknowledgeInsert(long number) {
    synchronized (inserted) {
      inserted.set(Math.toIntExact(number - firstInsert));
    }
  }

  /** Acknowledged inserts that {@code seen} does not have. */
  long missing(BitSet seen) {
    synchronized (inserted) {
      BitSet rest = (BitSet) inserted.clone();
      rest.andNot(seen);
      return rest.cardinality();
    }
  }

  long firstInsert() {
    return firstInsert;
  }
}
