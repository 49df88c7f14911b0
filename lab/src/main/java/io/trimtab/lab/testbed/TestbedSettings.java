package io.trimtab.lab.testbed;

import io.trimtab.config.Bytes;
import io.trimtab.engineapi.Profile;

/**
 * The scale of the test bed. The papers' machines had 3 GB of heap and a disk of about 150 random
 * reads a second for 7 GB of data; the ratio of a tenant's data to a node's heap is kept (0.5), the
 * heap is a tenth.
 *
 * @param nodes RegionServers, each with a DataNode, isolated together
 * @param heap heap of a RegionServer
 * @param cores CPU quota of a node, cores
 * @param memory memory limit of a node, page cache included; close to what the processes use, or
 *     the page cache hides the block cache
 * @param pageCache that a node keeps beside what its processes hold, while it is limited; 0 = all
 *     that its memory limit leaves
 * @param readIops disk reads a second that a node may do
 * @param cache block cache of a node that is measured alone, as a share of its heap
 * @param bucketCache of a node, beside its heap; 0 = its blocks are cached on the heap
 * @param records records of each tenant (d: a tenth), 1,000 bytes each
 * @param threads client threads of tenants a, c, e and f
 * @param updateThreads client threads of tenant b, fewer because buffered writes have no disk limit
 *     in control groups v1 and would take both cores
 * @param insertRate cap of tenant d, operations per second
 */
public record TestbedSettings(
    int nodes,
    Bytes heap,
    double cores,
    Bytes memory,
    Bytes pageCache,
    int readIops,
    double cache,
    Bytes bucketCache,
    int records,
    int threads,
    int updateThreads,
    int insertRate) {

  /** What the papers' READ profile has. */
  private static final double CACHE = Profile.READ.cacheFraction();

  private static final Bytes NO_BUCKET_CACHE = new Bytes(0);

  private static final double FIVE_SEVENTHS = 5 / 7.0;

  /** Index and Bloom blocks are a hundredth of the data blocks here. */
  private static final double INDEX_CACHE = 0.03;

  /**
   * What a bucket cache needs on the heap: blocks that wait for its three writers, at most 64 each
   * (12 MiB of 64 KiB blocks), and index blocks (5 MiB), which are in the block cache on other
   * nodes. With it as much of the heap is left as there.
   */
  private static final long BUCKET_HEAP = 17L << 20;

  /**
   * What it needs beside the heap: blocks are read from its file into direct memory, of which a
   * process may have 48 MiB; nodes without one use about 12.
   */
  private static final long BUCKET_DIRECT = 36L << 20;

  public static TestbedSettings standard() {
    return new TestbedSettings(
        5,
        Bytes.parse("300m"),
        0.35,
        Bytes.parse("720m"),
        Bytes.parse("0b"),
        150,
        CACHE,
        NO_BUCKET_CACHE,
        145_000,
        20,
        4,
        100);
  }

  /**
   * The same at five sevenths of its speed: two cores are enough for all of its nodes and their
   * clients then. At its full speed they take two and a half when all are busy; the machine is what
   * is shared out then, nodes have less than their limit, and every tenant pays for what another
   * one gains.
   */
  public TestbedSettings onTwoCores() {
    return new TestbedSettings(
        nodes,
        heap,
        cores * FIVE_SEVENTHS,
        memory,
        pageCache,
        (int) Math.round(readIops * FIVE_SEVENTHS),
        cache,
        bucketCache,
        records,
        threads,
        updateThreads,
        (int) Math.round(insertRate * FIVE_SEVENTHS));
  }

  /** For the short demo: the same ratios on fewer bytes, so that loading and moving take less. */
  public static TestbedSettings quick() {
    return standard().withRecords(100_000, Bytes.parse("220m"), Bytes.parse("620m"));
  }

  /**
   * For the split of one table between two nodes: its records fit one node's cache, so requests
   * cost CPU. Two more nodes serve nothing and hold copies of the write-ahead logs: with two nodes
   * only, each would pay for the other's updates too, and no split could halve a node's work.
   */
  public static TestbedSettings pair() {
    return new TestbedSettings(
        4,
        Bytes.parse("300m"),
        0.35,
        Bytes.parse("720m"),
        Bytes.parse("0b"),
        150,
        CACHE,
        NO_BUCKET_CACHE,
        80_000,
        192,
        0,
        0);
  }

  /**
   * One node, for what a node can do; the records of its largest table are twice its cache. The
   * heap is larger than the other beds': of 300 MB HBase itself takes 70, the rest hardly holds the
   * cache, and every collection is a full one, which takes an eighth to a third of the CPU by how
   * full the memstore happens to be. The page cache is held to a size of its own, so that a miss
   * costs one disk read: see {@link PageCacheTrimmer}.
   */
  public static TestbedSettings single() {
    return like(1, 0.35);
  }

  /**
   * One node for a model of server usage. What a request costs in CPU time is two to four times as
   * much where few come as where many do, because the machine sleeps in between, and on a virtual
   * machine that part changes by a quarter within minutes. With twice the CPU, disk reads are most
   * of a node's usage, as they were on the papers' machines.
   */
  public static TestbedSettings modelled() {
    return like(1, 0.7);
  }

  /** Four nodes, each like {@link #modelled()}, so that a model of that one holds for them. */
  public static TestbedSettings four() {
    return like(4, 0.7);
  }

  /**
   * The same memory to use, of which the homogeneous block cache is off the heap. The heap is as
   * much smaller, but for what a bucket cache needs there; the limit is larger by that, and by what
   * it needs beside the heap, so that memstores, free heap and page cache are as on other nodes.
   */
  public TestbedSettings withBucketCache() {
    long mib = 1L << 20;
    long bytes = Math.round(heap.value() * Profile.HOMOGENEOUS.cacheFraction() / mib) * mib;
    return new TestbedSettings(
        nodes,
        new Bytes(heap.value() - bytes + BUCKET_HEAP),
        cores,
        new Bytes(memory.value() + BUCKET_HEAP + BUCKET_DIRECT),
        pageCache,
        readIops,
        cache,
        new Bytes(bytes),
        records,
        threads,
        updateThreads,
        insertRate);
  }

  /** How a node's heap is split at the start: a bucket cache leaves memstores what they had. */
  public Profile profile() {
    Profile without = Profile.HOMOGENEOUS;
    if (bucketCache.value() == 0) {
      return without;
    }
    double all = heap.value() - BUCKET_HEAP + bucketCache.value();
    double memstores = without.memstoreFraction() * all / heap.value();
    return new Profile("BUCKET_CACHE", INDEX_CACHE, memstores, without.blockSizeBytes());
  }

  /** One of its nodes. */
  public NodeSpec node() {
    return new NodeSpec(heap, cores, memory, pageCache, readIops, cache, false);
  }

  /** One node of another kind, with as many more client threads as it has more cores. */
  public static TestbedSettings of(NodeSpec node) {
    TestbedSettings like = modelled();
    return new TestbedSettings(
        1,
        node.heap(),
        node.cores(),
        node.memory(),
        node.pageCache(),
        node.readIops(),
        node.cache(),
        NO_BUCKET_CACHE,
        like.records,
        (int) Math.ceil(like.threads * NodeSpec.scale(node.cores())),
        0,
        0);
  }

  private static TestbedSettings like(int nodes, double cores) {
    return new TestbedSettings(
        nodes,
        Bytes.parse("400m"),
        cores,
        Bytes.parse("840m"),
        Bytes.parse("16m"),
        150,
        CACHE,
        NO_BUCKET_CACHE,
        430_000,
        16,
        0,
        0);
  }

  private TestbedSettings withRecords(int records, Bytes heap, Bytes memory) {
    return new TestbedSettings(
        nodes,
        heap,
        cores,
        memory,
        pageCache,
        readIops,
        cache,
        bucketCache,
        records,
        threads,
        updateThreads,
        insertRate);
  }
}
