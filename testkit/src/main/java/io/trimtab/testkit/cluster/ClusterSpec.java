package io.trimtab.testkit.cluster;

import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.Profile;
import io.trimtab.testkit.law.RequestCosts;
import io.trimtab.testkit.load.TableSpec;
import java.util.List;

/**
 * What an in-memory cluster begins as; everything that follows is drawn from the seed.
 *
 * @param nodes at the beginning; 0 of a cluster that is yet to be made, which has no tables
 * @param replication copies, in [1, nodes]; 1 without nodes
 * @param spare machines for more nodes, ≥ 0
 * @param online whether profiles can change without a restart
 * @param profile of every node at the beginning
 * @param heapBytes of a node
 * @param tokensEach of a node of a ring, &gt; 0
 * @param cores CPUs of a node, &gt; 0
 * @param racks of a ring, which its nodes fill in turn; with one, nobody knows of racks; &gt; 0
 * @param ringParts equal parts of a ring, which nodes claim (Riak); a power of two, ≥ nodes; 0 for
 *     a ring whose nodes have tokens of their own
 * @param costs what requests take of a node
 * @param chance whether block counts are as chance makes them: of blocks that are asked for alike
 *     some were asked for more often than others. Otherwise each has its mean
 */
public record ClusterSpec(
    long seed,
    Ownership ownership,
    int nodes,
    int replication,
    int spare,
    boolean online,
    Profile profile,
    long heapBytes,
    int tokensEach,
    double cores,
    List<TableSpec> tables,
    VerbTimes times,
    int racks,
    int ringParts,
    RequestCosts costs,
    boolean chance) {
  public ClusterSpec {
    tables = List.copyOf(tables);
    if (nodes < 0
        || replication < 1
        || replication > Math.max(1, nodes)
        || tokensEach < 1
        || (nodes == 0 && !tables.isEmpty())) {
      throw new IllegalArgumentException("replication must be in [1, nodes]");
    }
    if (ringParts != 0 && (ringParts < nodes || Integer.bitCount(ringParts) != 1)) {
      throw new IllegalArgumentException(
          "a ring's parts must be a power of two and as many as its nodes, not " + ringParts);
    }
  }

  /** A cluster without racks. */
  public ClusterSpec(
      long seed,
      Ownership ownership,
      int nodes,
      int replication,
      int spare,
      boolean online,
      Profile profile,
      long heapBytes,
      int tokensEach,
      double cores,
      List<TableSpec> tables,
      VerbTimes times) {
    this(
        seed,
        ownership,
        nodes,
        replication,
        spare,
        online,
        profile,
        heapBytes,
        tokensEach,
        cores,
        tables,
        times,
        1,
        0,
        RequestCosts.DEFAULTS,
        false);
  }

  /** As HBase: partitions are assigned, one copy that the file system keeps. */
  public static ClusterSpec assigned(long seed, int nodes, TableSpec... tables) {
    return new ClusterSpec(
        seed,
        Ownership.ASSIGNED,
        nodes,
        1,
        10,
        true,
        Profile.HOMOGENEOUS,
        1L << 30,
        1,
        1,
        List.of(tables),
        VerbTimes.DEFAULTS);
  }

  /** As Cassandra: a ring with four tokens a node. */
  public static ClusterSpec ring(long seed, int nodes, int replication, TableSpec... tables) {
    return new ClusterSpec(
        seed,
        Ownership.TOKENS,
        nodes,
        replication,
        10,
        true,
        Profile.HOMOGENEOUS,
        1L << 30,
        4,
        1,
        List.of(tables),
        VerbTimes.DEFAULTS);
  }

  /**
   * As Riak: a ring of equal parts that nodes claim and hand off, with as many as there are at its
   * beginning; nothing of a node is changed without a restart.
   *
   * @param parts a power of two
   */
  public static ClusterSpec claimed(
      long seed, int nodes, int replication, int parts, TableSpec... tables) {
    return new ClusterSpec(
        seed,
        Ownership.TOKENS,
        nodes,
        replication,
        10,
        false,
        Profile.HOMOGENEOUS,
        1L << 30,
        1,
        1,
        List.of(tables),
        VerbTimes.DEFAULTS,
        1,
        parts,
        RequestCosts.DEFAULTS,
        false);
  }

  /** Whether nodes claim equal parts of a ring. */
  boolean claims() {
    return ringParts > 0;
  }

  public ClusterSpec withSpare(int other) {
    return copy(nodes, replication, other, online, heapBytes, cores, racks, costs, chance);
  }

  public ClusterSpec withOnline(boolean other) {
    return copy(nodes, replication, spare, other, heapBytes, cores, racks, costs, chance);
  }

  public ClusterSpec withHeap(long other) {
    return copy(nodes, replication, spare, online, other, cores, racks, costs, chance);
  }

  public ClusterSpec withCores(double other) {
    return copy(nodes, replication, spare, online, heapBytes, other, racks, costs, chance);
  }

  public ClusterSpec withReplication(int other) {
    return copy(nodes, other, spare, online, heapBytes, cores, racks, costs, chance);
  }

  public ClusterSpec withNodes(int other) {
    return copy(other, replication, spare, online, heapBytes, cores, racks, costs, chance);
  }

  public ClusterSpec withRacks(int other) {
    return copy(nodes, replication, spare, online, heapBytes, cores, other, costs, chance);
  }

  public ClusterSpec withCosts(RequestCosts other) {
    return copy(nodes, replication, spare, online, heapBytes, cores, racks, other, chance);
  }

  public ClusterSpec withChance(boolean other) {
    return copy(nodes, replication, spare, online, heapBytes, cores, racks, costs, other);
  }

  private ClusterSpec copy(
      int itsNodes,
      int itsReplication,
      int itsSpare,
      boolean itsOnline,
      long itsHeapBytes,
      double itsCores,
      int itsRacks,
      RequestCosts itsCosts,
      boolean itsChance) {
    return new ClusterSpec(
        seed,
        ownership,
        itsNodes,
        itsReplication,
        itsSpare,
        itsOnline,
        profile,
        itsHeapBytes,
        tokensEach,
        itsCores,
        tables,
        times,
        itsRacks,
        ringParts,
        itsCosts,
        itsChance);
  }
}
