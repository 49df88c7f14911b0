package io.trimtab.lab.experiment;

import io.trimtab.config.Bytes;

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
 * @param pageCache that a node may keep beside what its processes hold, while it is limited; 0 =
 *     all that its memory limit leaves
 * @param readIops disk reads a second that a node may do
 * @param records records of each tenant (d: a tenth), 1,000 bytes each
 * @param threads client threads of tenants a, c, e and f
 * @param updateThreads client threads of tenant b, fewer because buffered writes have no disk limit
 *     in control groups v1 and would take both cores
 * @param insertRate cap of tenant d, operations per second
 */
record BedSettings(
    int nodes,
    Bytes heap,
    double cores,
    Bytes memory,
    Bytes pageCache,
    int readIops,
    int records,
    int threads,
    int updateThreads,
    int insertRate) {

  static BedSettings standard() {
    return new BedSettings(
        5,
        Bytes.parse("300m"),
        0.35,
        Bytes.parse("720m"),
        Bytes.parse("0"),
        150,
        145_000,
        20,
        4,
        100);
  }

  /** For the short demo: the same ratios on fewer bytes, so that loading and moving take less. */
  static BedSettings quick() {
    return standard().withRecords(100_000, Bytes.parse("220m"), Bytes.parse("620m"));
  }

  /**
   * For the split of one table between two nodes: its records fit one node's cache, so requests
   * cost CPU. Two more nodes serve nothing and hold copies of the write-ahead logs: with two nodes
   * only, each would pay for the other's updates too, and no split could halve a node's work.
   */
  static BedSettings pair() {
    return new BedSettings(
        4,
        Bytes.parse("300m"),
        0.35,
        Bytes.parse("720m"),
        Bytes.parse("0"),
        150,
        80_000,
        192,
        0,
        0);
  }

  /**
   * One node, for what a node can do; the records of its largest table are twice its cache. Its
   * processes hold 580 to 612 MiB, more after compiling much. What the memory limit leaves for the
   * page cache would so differ by a factor of two from one measurement to the next, and with it
   * what a miss costs (1.1 to 1.6 disk reads).
   */
  static BedSettings single() {
    return new BedSettings(
        1,
        Bytes.parse("300m"),
        0.35,
        Bytes.parse("720m"),
        Bytes.parse("64m"),
        150,
        320_000,
        16,
        0,
        0);
  }

  private BedSettings withRecords(int wanted, Bytes wantedHeap, Bytes wantedMemory) {
    return new BedSettings(
        nodes,
        wantedHeap,
        cores,
        wantedMemory,
        pageCache,
        readIops,
        wanted,
        threads,
        updateThreads,
        insertRate);
  }
}
