package io.trimtab.testkit.load;

/**
 * A table of the in-memory cluster.
 *
 * @param partitions of equal width at the beginning, &gt; 0; one a node where tokens own the data
 * @param bytes in store files, one copy, &gt; 0
 * @param rowBytes &gt; 0
 * @param blockBytes &gt; 0
 * @param skew of the requests over a partition's blocks: the hottest share x of them gets x^(1 −
 *     skew) of the requests; in [0, 1), 0: uniform
 */
public record TableSpec(
    String name,
    int partitions,
    long bytes,
    int rowBytes,
    int blockBytes,
    double skew,
    KeyDistribution keys,
    LoadScript load) {
  public TableSpec {
    if (partitions <= 0 || bytes <= 0 || rowBytes <= 0 || blockBytes <= 0) {
      throw new IllegalArgumentException("table " + name + ": sizes must be > 0");
    }
    if (!(skew >= 0 && skew < 1)) {
      throw new IllegalArgumentException("table " + name + ": skew must be in [0, 1)");
    }
  }

  /** Rows of 1,000 bytes in blocks of 64 KiB, asked for uniformly. */
  public static TableSpec of(String name, int partitions, long bytes, Access access) {
    return new TableSpec(
        name,
        partitions,
        bytes,
        1_000,
        64 << 10,
        0,
        KeyDistribution.uniform(),
        LoadScript.constant(access));
  }

  public TableSpec with(LoadScript other) {
    return new TableSpec(name, partitions, bytes, rowBytes, blockBytes, skew, keys, other);
  }

  public TableSpec with(KeyDistribution other) {
    return new TableSpec(name, partitions, bytes, rowBytes, blockBytes, skew, other, load);
  }

  public TableSpec withSkew(double other) {
    return new TableSpec(name, partitions, bytes, rowBytes, blockBytes, other, keys, load);
  }
}
