package io.trimtab.lab.cluster;

import io.trimtab.config.Bytes;
import io.trimtab.plugincore.ranking.RankingKind;
import java.util.Arrays;

/**
 * Cassandra-specific settings of a lab. In a file every key is optional.
 *
 * @param replication replication factor, in [1, 50]; default 3; capped at the number of nodes
 * @param tokens tokens per node, in [1, 256]; default 16
 * @param rowCache size per node, ≥ 1m because a disabled row cache can't be resized later; default
 *     8m
 * @param keyCache size per node; default 8m
 * @param concurrentReads read threads per node, in [2, 128]; default 8
 * @param ranking of the replicas of reads, by the plug-in, which is then loaded; default: none, and
 *     replicas are read in the order of Cassandra's dynamic snitch
 * @param timerSlack microseconds by which the kernel may let a node's threads sleep longer than
 *     they ask for, in [1, 10000]; default 50, as Linux has it. Threads that wait for requests look
 *     for them again and again: with more slack they take less CPU, and requests wait a little
 *     longer
 * @param datacenters over which the nodes are spread in turn, in [1, 3]; default 1
 * @param racks over which the nodes of each data centre are spread in turn, in [1, 3]; default 1
 */
public record CassandraSettings(
    Integer replication,
    Integer tokens,
    Bytes rowCache,
    Bytes keyCache,
    Integer concurrentReads,
    String ranking,
    Integer timerSlack,
    Integer datacenters,
    Integer racks) {

  /** The plug-in's snitch, which wraps another one. */
  public static final String RANKING_SNITCH = "io.trimtab.cassandraplugin.TrimtabSnitch";

  /** All defaults. */
  public static final CassandraSettings DEFAULTS =
      new CassandraSettings(null, null, null, null, null, null, null, null, null);

  public CassandraSettings {
    replication = replication == null ? 3 : replication;
    tokens = tokens == null ? 16 : tokens;
    rowCache = rowCache == null ? new Bytes(8L << 20) : rowCache;
    keyCache = keyCache == null ? new Bytes(8L << 20) : keyCache;
    concurrentReads = concurrentReads == null ? 8 : concurrentReads;
    timerSlack = timerSlack == null ? 50 : timerSlack;
    datacenters = datacenters == null ? 1 : datacenters;
    racks = racks == null ? 1 : racks;
    LabConfig.check(racks >= 1 && racks <= 3, "cassandra.racks", "in [1, 3]", racks);
    LabConfig.check(
        datacenters >= 1 && datacenters <= 3, "cassandra.datacenters", "in [1, 3]", datacenters);
    LabConfig.check(
        timerSlack >= 1 && timerSlack <= 10_000,
        "cassandra.timerSlack",
        "in [1, 10000]",
        timerSlack);
    LabConfig.check(
        replication >= 1 && replication <= 50, "cassandra.replication", "in [1, 50]", replication);
    LabConfig.check(tokens >= 1 && tokens <= 256, "cassandra.tokens", "in [1, 256]", tokens);
    LabConfig.check(rowCache.value() >= 1 << 20, "cassandra.rowCache", "at least 1m", rowCache);
    LabConfig.check(
        concurrentReads >= 2 && concurrentReads <= 128,
        "cassandra.concurrentReads",
        "in [2, 128]",
        concurrentReads);
    LabConfig.check(
        ranking == null || RankingKind.named(ranking).isPresent(),
        "cassandra.ranking",
        "one of " + Arrays.toString(RankingKind.values()),
        ranking);
  }

  /** Of nodes that do not rank replicas: all in one rack, or each in that of its file. */
  public String snitch() {
    return datacenters == 1 && racks == 1 ? "SimpleSnitch" : "GossipingPropertyFileSnitch";
  }

  /**
   * The data centre of a node.
   *
   * @param index of the node, from 1 on
   */
  public String datacenter(int index) {
    return "datacenter" + ((index - 1) % datacenters + 1);
  }

  /**
   * The rack of a node.
   *
   * @param index of the node, from 1 on
   */
  public String rack(int index) {
    return "rack" + ((index - 1) / datacenters % racks + 1);
  }

  /** A copy with another replication factor and number of tokens per node. */
  public CassandraSettings with(int copies, int tokensEach) {
    return new CassandraSettings(
        copies,
        tokensEach,
        rowCache,
        keyCache,
        concurrentReads,
        ranking,
        timerSlack,
        datacenters,
        racks);
  }

  /** A copy whose nodes rank replicas. */
  public CassandraSettings withRanking(String name) {
    return new CassandraSettings(
        replication,
        tokens,
        rowCache,
        keyCache,
        concurrentReads,
        name,
        timerSlack,
        datacenters,
        racks);
  }

  /** A copy whose nodes may sleep longer than they ask for, by so many microseconds. */
  public CassandraSettings withTimerSlack(int micros) {
    return new CassandraSettings(
        replication,
        tokens,
        rowCache,
        keyCache,
        concurrentReads,
        ranking,
        micros,
        datacenters,
        racks);
  }

  /** A copy whose nodes are in so many data centres. */
  public CassandraSettings withDatacenters(int number) {
    return new CassandraSettings(
        replication,
        tokens,
        rowCache,
        keyCache,
        concurrentReads,
        ranking,
        timerSlack,
        number,
        racks);
  }

  /** A copy whose nodes are in so many racks of each data centre. */
  public CassandraSettings withRacks(int number) {
    return new CassandraSettings(
        replication,
        tokens,
        rowCache,
        keyCache,
        concurrentReads,
        ranking,
        timerSlack,
        datacenters,
        number);
  }
}
