package io.trimtab.workload;

/**
 * One tenant: a table and what is done to it.
 *
 * @param name letters, digits, _ and -
 * @param table default: the name
 * @param partitions the table is created with, equal key ranges, in [1, 10,000]; default 1
 * @param records loaded before the run, ≥ 1
 * @param fields columns of a record, in [1, 100]; default 10
 * @param fieldLength bytes of a column's value, in [24, 1,000,000]; default 100
 * @param family column family; default {@code f}
 * @param blockSize store file block size in bytes; default 65,536
 * @param prefetch whether nodes read a store file into their cache when they open it; default false
 * @param mix shares of operations
 * @param scanLength the most rows a scan asks for, lengths uniform from 1; default 100
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
    Long operations) {

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
    fieldLength = within(name, "fieldLength", fieldLength, 100, Content.MIN_LENGTH, 1_000_000);
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
        null);
  }

  /** Bytes of values that one operation reads or writes, on average. */
  public double bytesPerOperation() {
    double rows = (1 + scanLength) / 2.0;
    return (double) fields
        * fieldLength
        * (mix.read()
            + mix.update()
            + mix.insert()
            + mix.scan() * rows
            + 2 * mix.readModifyWrite());
  }

  /** The same tenant at another scale. */
  public TenantSpec scaled(int wantedRecords, int wantedThreads, Double wantedRate) {
    return with(
        wantedRecords, mix, scanLength, distribution, wantedThreads, wantedRate, loop, consistency);
  }

  /** The same data asked for in another way, by a closed loop. */
  public TenantSpec asked(
      Mix wantedMix, Distribution wantedDistribution, int wantedThreads, Double wantedRate) {
    return with(
        records,
        wantedMix,
        scanLength,
        wantedDistribution,
        wantedThreads,
        wantedRate,
        Loop.CLOSED,
        consistency);
  }

  /** The same tenant with scans of up to so many rows. */
  public TenantSpec scanning(int longest) {
    return with(records, mix, longest, distribution, threads, targetRate, loop, consistency);
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
    return with(records, mix, scanLength, distribution, threads, targetRate, loop, level);
  }

  private TenantSpec with(
      int otherRecords,
      Mix otherMix,
      int otherScanLength,
      Distribution otherDistribution,
      int otherThreads,
      Double otherRate,
      Loop otherLoop,
      Consistency otherConsistency) {
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
        operations);
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
