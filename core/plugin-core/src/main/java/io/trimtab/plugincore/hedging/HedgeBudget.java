package io.trimtab.plugincore.hedging;

/**
 * Holds second requests of slow reads (hedges) to a share of the reads. Where all reads become slow
 * each of them would be made twice, by which they become slower. Each read adds the share to a
 * credit, each hedge takes one; what a tick has used too much is missing in the next ones. Not
 * thread-safe.
 */
public final class HedgeBudget {
  /** Ticks that a second has. */
  public static final int TICKS = 20;

  /** Credit is saved up for so many ticks of usual load: a quarter of a second. */
  private static final double SAVED_TICKS = TICKS / 4.0;

  /** Of the newest tick in the usual load. */
  private static final double WEIGHT = 1.0 / TICKS;

  private long reads;
  private long hedges;
  private boolean known;
  private double usual;
  private double credit = 1;

  /**
   * To be called once a tick.
   *
   * @param readsSoFar since any beginning; never falls
   * @param hedgesSoFar in the same way
   * @param share of reads that may be hedged, 0 to 1
   * @return whether nothing may be hedged until the next tick. At least one a second may, unless
   *     the share is 0
   */
  public boolean isSpent(long readsSoFar, long hedgesSoFar, double share) {
    if (known) {
      double fresh = (double) readsSoFar - reads;
      usual += WEIGHT * (fresh - usual);
      credit += Math.max(share * fresh, share > 0 ? 1.0 / TICKS : 0) - (hedgesSoFar - hedges);
      credit = Math.min(credit, Math.max(1, share * usual * SAVED_TICKS));
    }
    known = true;
    reads = readsSoFar;
    hedges = hedgesSoFar;
    return share <= 0 || credit < 1;
  }
}
