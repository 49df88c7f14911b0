package io.trimtab.workload;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/**
 * A database, as far as a workload needs one. Thread-safe. Every method may throw an {@code
 * IOException} for what another try may mend, as while a partition moves or a node leaves.
 */
public interface Target extends AutoCloseable {

  /**
   * One record.
   *
   * @param values one per field; null where a column is missing
   */
  record Row(byte[] key, byte[][] values) {}

  /**
   * Creates the tenant's table, empty.
   *
   * @param drop whether a table of the same name is dropped first; without it that is an error
   * @throws io.trimtab.config.UserError when there is one and it must stay
   */
  void create(TenantSpec tenant, boolean drop) throws IOException;

  /**
   * Writes whole records, all with one version, in the cheapest way that {@link #loaded} makes
   * last.
   */
  void load(TenantSpec tenant, long version, List<Row> rows) throws IOException;

  /** After the last {@link #load}: flushes the loaded data to disk. */
  void loaded(TenantSpec tenant) throws IOException;

  /** The record's values, one per field; null where there is no such record. */
  byte[][] read(TenantSpec tenant, byte[] key) throws IOException;

  /** Up to {@code limit} records from {@code key} on, in the database's own order. */
  List<Row> scan(TenantSpec tenant, byte[] key, int limit) throws IOException;

  /** Whether scans go up by key; a hash of the key orders them elsewhere. */
  boolean ordered();

  /** Writes all fields; of two writes the one with the higher version stays. */
  void write(TenantSpec tenant, byte[] key, long version, byte[][] values) throws IOException;

  /**
   * What a server said was wrong, in its own term.
   *
   * @param cause the first exception
   */
  default String reason(Throwable cause) {
    return cause.getClass().getSimpleName();
  }

  /** Reads the whole table; the visitor is called by several threads at once. */
  void forEach(TenantSpec tenant, Consumer<Row> visitor) throws IOException;

  @Override
  void close() throws IOException;
}
