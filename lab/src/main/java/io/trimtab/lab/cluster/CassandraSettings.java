package io.trimtab.lab.cluster;

import io.trimtab.config.Bytes;

/**
 * What is Cassandra's own in a lab. In a file every key is optional.
 *
 * @param replication copies of each datum, in [1, 50]; default 3, or the nodes where these are
 *     fewer
 * @param tokens of each node, in [1, 256]; default 16
 * @param rowCache of each node, ≥ 1m, since one that is off can't be given a size later; default 8m
 * @param keyCache of each node; default 8m
 * @param concurrentReads threads that read, in [2, 128]; default 8
 */
public record CassandraSettings(
    Integer replication, Integer tokens, Bytes rowCache, Bytes keyCache, Integer concurrentReads) {

  /** What is left out is filled in. */
  public static final CassandraSettings DEFAULTS =
      new CassandraSettings(null, null, null, null, null);

  public CassandraSettings {
    replication = replication == null ? 3 : replication;
    tokens = tokens == null ? 16 : tokens;
    rowCache = rowCache == null ? new Bytes(8L << 20) : rowCache;
    keyCache = keyCache == null ? new Bytes(8L << 20) : keyCache;
    concurrentReads = concurrentReads == null ? 8 : concurrentReads;
    LabConfig.check(
        replication >= 1 && replication <= 50, "cassandra.replication", "in [1, 50]", replication);
    LabConfig.check(tokens >= 1 && tokens <= 256, "cassandra.tokens", "in [1, 256]", tokens);
    LabConfig.check(rowCache.value() >= 1 << 20, "cassandra.rowCache", "at least 1m", rowCache);
    LabConfig.check(
        concurrentReads >= 2 && concurrentReads <= 128,
        "cassandra.concurrentReads",
        "in [2, 128]",
        concurrentReads);
  }

  /** The same with other numbers of copies and of tokens. */
  public CassandraSettings with(int copies, int tokensEach) {
    return new CassandraSettings(copies, tokensEach, rowCache, keyCache, concurrentReads);
  }
}
