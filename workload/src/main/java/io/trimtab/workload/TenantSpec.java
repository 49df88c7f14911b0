package io.trimtab.workload;

import io.trimtab.workload.lengths.FieldLengths;
import io.trimtab.workload.lengths.ScanLengths;

/**
 * One tenant: a table and its load.
 *
 * @param name letters, digits, _ and -
 * @param table default: the name
 * @param partitions the table is created with, equal key ranges, in [1, 10,000]; default 1
 * @param records loaded before the run, ≥ 1
 * @param fields columns of a record, in [1, 100]; default 10
 * @param fieldLength bytes of a column's value, in [24, 1,000,000]; the most where values have
 *     unequal lengths; default 100
 * @param family column family; default {@code f}
 * @param blockSize store file block size in bytes; default 65,536
 * @param prefetch whether nodes read a store file into their cache when they open it; default false
 * @param mix shares of operations
 * @param scanLength the most rows a scan asks for; default 100
 * @param distribution which keys; default uniform
 * @param keyOrder ordered keys make partitions key ranges; hashed ones scatter; default ordered
 * @param threads in [1, 10,000]
 * @param targetRate operations per second over all threads, &gt; 0; none where missing
 * @param loop closed: a thread's next operation starts when the last has ended; open: at its time,
 *     whatever became of the last, and latency counts from then; needs a target rate
 * @param consistency how many copies must answer a read and take a write (Cassandra); default
 *     {@code QUORUM}
 * @param operations after which the tenant ends, whether they succeeded or not, ≥ 1; no such bound
 *     where missing
 * @param fieldLengths how the values' lengths are distributed; default constant
 * @param scanLengths how the scans' lengths are distributed; default uniform from 1
 * @param rowsPerCall the most rows that a scan fetches at once (HBase: its caching; Cassandra: the
 *     page size), ≥ 1; all that it asks for where missing
 * @param keyDigits a key's number is padded to with zeros, in [1, 100]; default 19, which is all of
 *     them; with fewer, ordered keys are not ordered as their numbers, so partitions must be 1
 * @param keyStart the number in the first record's key, in [0, 10^15]; default 0
 */
public record TenantSpec(
    String name,
    String table,
    Integer partitions,
    Integer records,
    Integer fields,
    Integer fieldLength,
    String family,
    Integer blockSize,
    Boolean prefetch,
    Mix mix,
    Integer scanLength,
    Distribution distribution,
    KeyOrder keyOrder,
    Integer threads,
    Double targetRate,
    Loop loop,
    Consistency consistency,
    Long operations,
    FieldLengths fieldLengths,
    ScanLengths scanLengths,
    Integer rowsPerCall,
    Integer keyDigits,
    Long keyStart) {

  private static final long KEY_START_MAX = 1_000_000_000_000_000L;

  /** Cassandra's consistency levels, as far as tenants use them. */
  public enum Consistency {
    ONE,
    TWO,
    THREE,
    QUORUM,
    ALL,
    LOCAL_ONE,
    LOCAL_QUORUM
  }

  /** Whether keys keep the order of their numbers. */
  public enum KeyOrder {
    ORDERED,
    HASHED
  }

  /** When an operation starts. */
  public enum Loop {
    OPEN,
    CLOSED
  }

  public TenantSpec {
    if (name == null || !name.matches("[A-Za-z0-9_-]{1,60}")) {
      throw new IllegalArgumentException("name must be 1 to 60 of A-Z a-z 0-9 _ -, not " + name);
    }
    table = table == null ? name : table;
    partitions = within(name, "partitions", partitions, 1, 1, 10_000);
    records = within(name, "records", records, null, 1, 500_000_000);
    fields = within(name, "fields", fields, 10, 1, 100);
    fieldLength =
        within(name, "fieldLength", fieldLength, 100, Content.MIN_LENGTH, FieldLengths.LONGEST);
    family = family == null ? "f" : family;
    blockSize = within(name, "blockSize", blockSize, 64 << 10, 1 << 10, 16 << 20);
    prefetch = prefetch != null && prefetch;
    if (mix == null) {
      throw new IllegalArgumentException(name + ".mix is missing");
    }
    scanLength = within(name, "scanLength", scanLength, 100, 1, 100_000);
    distribution = distribution == null ? Distribution.UNIFORM : distribution;
    keyOrder = keyOrder == null ? KeyOrder.ORDERED : keyOrder;
    threads = within(name, "threads", threads, 1, 1, 10_000);
    loop = loop == null ? Loop.CLOSED : loop;
    consistency = consistency == null ? Consistency.QUORUM : consistency;
    if (targetRate != null && !(targetRate > 0 && targetRate < 1e9)) {
      throw new IllegalArgumentException(name + ".targetRate must be > 0, not " + targetRate);
    }
    if (operations != null && operations < 1) {
      throw new IllegalArgumentException(name + ".operations must be >= 1, not " + operations);
    }
    fieldLengths = fieldLengths == null ? FieldLengths.CONSTANT : fieldLengths;
    notAbove(name, "fieldLengths.min", fieldLengths.min(), "fieldLength", fieldLength);
    scanLengths = scanLengths == null ? ScanLengths.UNIFORM : scanLengths;
    notAbove(name, "scanLengths.min", scanLengths.min(), "scanLength", scanLength);
    if (rowsPerCall != null) {
      within(name, "rowsPerCall", rowsPerCall, null, 1, 100_000);
    }
    keyDigits = within(name, "keyDigits", keyDigits, Keys.ALL_DIGITS, 1, 100);
    if (keyDigits < Keys.ALL_DIGITS && partitions > 1) {
      throw new IllegalArgumentException(
          "%s.keyDigits must be >= %d with more than one partition, not %d"
              .formatted(name, Keys.ALL_DIGITS, keyDigits));
    }
    keyStart = keyStart == null ? 0 : keyStart;
    if (keyStart < 0 || keyStart > KEY_START_MAX) {
      throw new IllegalArgumentException(
          "%s.keyStart must be in [0, %d], not %d".formatted(name, KEY_START_MAX, keyStart));
    }
    if (loop == Loop.OPEN && targetRate == null) {
      throw new IllegalArgumentException(name + ".targetRate is missing; loop: open needs it");
    }
  }

  /** A tenant that works until the run ends. */
  public TenantSpec(
      String name,
      String table,
      Integer partitions,
      Integer records,
      Integer fields,
      Integer fieldLength,
      String family,
      Integer blockSize,
      Boolean prefetch,
      Mix mix,
      Integer scanLength,
      Distribution distribution,
      KeyOrder keyOrder,
      Integer threads,
      Double targetRate,
      Loop loop,
      Consistency consistency) {
    this(
        name,
        table,
        partitions,
        records,
        fields,
        fieldLength,
        family,
        blockSize,
        prefetch,
        mix,
        scanLength,
        distribution,
        keyOrder,
        threads,
        targetRate,
        loop,
        consistency,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  /** Bytes of a record's values, on average; takes time, so keep it. */
  public double bytesPerRecord() {
    return fields * fieldLengths.function(fieldLength).mean();
  }

  /** Bytes of values that one operation reads or writes, on average; takes time, so keep it. */
  public double bytesPerOperation() {
    double rows = scanLengths.function(scanLength).mean();
    return bytesPerRecord()
        * (mix.read()
            + mix.update()
            + mix.insert()
            + mix.scan() * rows
            + 2 * mix.readModifyWrite());
  }

  /** The same tenant at another scale, which works until the run ends. */
  public TenantSpec scaled(int wantedRecords, int wantedThreads, Double wantedRate) {
    return with(
        wantedRecords,
        mix,
        scanLength,
        rowsPerCall,
        distribution,
        wantedThreads,
        wantedRate,
        loop,
        consistency,
        null);
  }

  /** The same data under another load, a closed loop until the run ends. */
  public TenantSpec asked(
      Mix wantedMix, Distribution wantedDistribution, int wantedThreads, Double wantedRate) {
    return with(
        records,
        wantedMix,
        scanLength,
        rowsPerCall,
        wantedDistribution,
        wantedThreads,
        wantedRate,
        Loop.CLOSED,
        consistency,
        null);
  }

  /**
   * The same tenant with scans of up to so many rows.
   *
   * @param perCall the most rows that a scan fetches at once
   */
  public TenantSpec scanning(int longest, int perCall) {
    return with(
        records,
        mix,
        longest,
        perCall,
        distribution,
        threads,
        targetRate,
        loop,
        consistency,
        operations);
  }

  /** How many rows a scan of so many fetches at once. */
  int fetched(int rows) {
    return rowsPerCall == null ? rows : Math.min(rows, rowsPerCall);
  }

  /**
   * For writing the first version: one that reads fewer copies than a write waits for would find
   * records missing that the other copies have not taken yet, and call them lost.
   */
  TenantSpec loading() {
    boolean overlaps =
        switch (consistency) {
          case QUORUM, LOCAL_QUORUM, ALL -> true;
          case ONE, TWO, THREE, LOCAL_ONE -> false;
        };
    Consistency level = overlaps ? consistency : Consistency.ALL;
    return with(
        records,
        mix,
        scanLength,
        rowsPerCall,
        distribution,
        threads,
        targetRate,
        loop,
        level,
        operations);
  }

  private TenantSpec with(
      int otherRecords,
      Mix otherMix,
      int otherScanLength,
      Integer otherRowsPerCall,
      Distribution otherDistribution,
      int otherThreads,
      Double otherRate,
      Loop otherLoop,
      Consistency otherConsistency,
      Long otherOperations) {
    return new TenantSpec(
        name,
        table,
        partitions,
        otherRecords,
        fields,
        fieldLength,
        family,
        blockSize,
        prefetch,
        otherMix,
        otherScanLength,
        otherDistribution,
        keyOrder,
        otherThreads,
        otherRate,
        otherLoop,
        otherConsistency,
        otherOperations,
        fieldLengths,
        scanLengths,
        otherRowsPerCall,
        keyDigits,
        keyStart);
  }

  private static void notAbove(String tenant, String minKey, Integer min, String maxKey, int max) {
    if (min != null && min > max) {
      throw new IllegalArgumentException(
          "%s.%s must be at most %s, %d, not %d".formatted(tenant, minKey, maxKey, max, min));
    }
  }

  private static int within(
      String tenant, String key, Integer value, Integer whenMissing, int min, int max) {
    Integer chosen = value == null ? whenMissing : value;
    if (chosen == null) {
      throw new IllegalArgumentException(tenant + "." + key + " is missing");
    }
    if (chosen < min || chosen > max) {
      throw new IllegalArgumentException(
          "%s.%s must be in [%d, %d], not %d".formatted(tenant, key, min, max, chosen));
    }
    return chosen;
  }
}
