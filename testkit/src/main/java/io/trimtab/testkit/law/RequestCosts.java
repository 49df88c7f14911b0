package io.trimtab.testkit.law;

/**
 * What requests take of a node. CPU times are of one core; where a cluster's nodes have one core,
 * they are shares of a node's second. On a node that is used by more than {@link #BUSY} requests
 * cost less CPU the more it is used, since a server then works for many of them at once: the less
 * it sleeps in between, and the more updates share one write of its log.
 *
 * @param readSeconds CPU time of a read on a node that is used little, &gt; 0
 * @param missSeconds CPU time that each missed block takes beside, ≥ 0
 * @param writeSeconds CPU time of a write on a node that is used little, &gt; 0
 * @param scanSeconds CPU time of a scan without its rows on such a node, ≥ 0
 * @param rowSeconds CPU time of each row of a scan on such a node, ≥ 0
 * @param seekSeconds disk time of each missed block, without its bytes, ≥ 0
 * @param diskBytesPerSecond that a disk reads or writes, &gt; 0; infinite where only the number of
 *     its reads is limited
 * @param readsWhenFull what reads and scans take of their CPU time on a full node, in (0, 1]
 * @param writesWhenFull the same of writes
 * @param rewriting share of a write's CPU time that is spent on rewriting it later, where the
 *     memstores have their usual part of the heap, in [0, 1]; more where they have less
 * @param remoteFactor disk time of a missed block whose file is on another node, as times of that
 *     of a local one, ≥ 1: it comes over the network, and is read by the other node's disk
 * @param memstorePower power of how many times less than usual memstores have, by which what is
 *     rewritten grows, ≥ 0
 */
public record RequestCosts(
    double readSeconds,
    double missSeconds,
    double writeSeconds,
    double scanSeconds,
    double rowSeconds,
    double seekSeconds,
    double diskBytesPerSecond,
    double readsWhenFull,
    double writesWhenFull,
    double rewriting,
    double remoteFactor,
    double memstorePower) {
  /** The share of its CPU from which on requests cost a node less. */
  public static final double BUSY = 0.5;

  /** A node whose requests cost the same however much it is used. */
  public static final RequestCosts DEFAULTS =
      new RequestCosts(80e-6, 60e-6, 100e-6, 200e-6, 4e-6, 500e-6, 400e6, 1, 1, 0);

  public RequestCosts {
    if (!(readSeconds > 0 && writeSeconds > 0 && diskBytesPerSecond > 0)) {
      throw new IllegalArgumentException("reads, writes and a disk's bytes must cost something");
    }
    if (!(missSeconds >= 0 && scanSeconds >= 0 && rowSeconds >= 0 && seekSeconds >= 0)) {
      throw new IllegalArgumentException("costs must be >= 0");
    }
    if (!(readsWhenFull > 0 && readsWhenFull <= 1 && writesWhenFull > 0 && writesWhenFull <= 1)) {
      throw new IllegalArgumentException("what is left on a full node must be in (0, 1]");
    }
    if (!(rewriting >= 0 && rewriting <= 1)) {
      throw new IllegalArgumentException("rewriting must be in [0, 1], not " + rewriting);
    }
    if (!(remoteFactor >= 1 && memstorePower >= 0)) {
      throw new IllegalArgumentException(
          "remote blocks must cost as much as local ones, small memstores as much as usual ones");
    }
  }

  /** With what remote blocks and small memstores usually cost more. */
  public RequestCosts(
      double readSeconds,
      double missSeconds,
      double writeSeconds,
      double scanSeconds,
      double rowSeconds,
      double seekSeconds,
      double diskBytesPerSecond,
      double readsWhenFull,
      double writesWhenFull,
      double rewriting) {
    this(
        readSeconds,
        missSeconds,
        writeSeconds,
        scanSeconds,
        rowSeconds,
        seekSeconds,
        diskBytesPerSecond,
        readsWhenFull,
        writesWhenFull,
        rewriting,
        1.5,
        0.5);
  }

  /**
   * How much of what a full CPU saves is saved on one that is used so much, in [0, 1].
   *
   * @param used ≥ 0
   */
  public static double fullness(double used) {
    return Math.max(0, Math.min(1, (used - BUSY) / (1 - BUSY)));
  }

  /**
   * The share of its CPU that a node uses; above 1, what it is asked for at the costs of a full
   * one.
   *
   * @param whole what it would use at the costs of a node that is used little, ≥ 0
   * @param saved how much less it would be at those of a full one, in [0, whole]
   */
  public static double used(double whole, double saved) {
    if (saved == 0 || whole <= BUSY) {
      return whole;
    }
    double full = whole - saved;
    // What solves: used = whole − saved × fullness(used).
    return full >= 1 ? full : (full * (1 - BUSY) + saved) / (1 - BUSY + saved);
  }
}
