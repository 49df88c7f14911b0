package io.trimtab.workload;

import java.io.IOException;
import java.util.List;

/** A database, as far as a workload needs one. Thread-safe. */
public interface Target extends AutoCloseable {

  /**
   * One record of a scan.
   *
   * @param values one per field; null where a column is missing
   */
  record Row(byte[] key, byte[][] values) {}

  /** The record's values, one per field; null where there is no such record. */
  byte[][] read(TenantSpec tenant, byte[] key) throws IOException;

  /** Up to {@code limit} records from {@code key} on, in key order. */
  List<Row> scan(TenantSpec tenant, byte[] key, int limit) throws IOException;

  /** Writes all fields; of two writes the one with the higher version stays. */
  void write(TenantSpec tenant, byte[] key, long version, byte[][] values) throws IOException;

  @Override
  void close() throws IOException;
}
