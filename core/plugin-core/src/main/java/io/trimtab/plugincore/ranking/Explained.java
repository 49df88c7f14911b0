package io.trimtab.plugincore.ranking;

/**
 * Why a replica has its place, for people. Negative or NaN: the ranking does not go by it, or does
 * not know it. Times are nanoseconds.
 */
public final class Explained {
  /** By which replicas are ordered, lowest first. */
  public double score = Double.NaN;

  /** Requests of this coordinator that have not been answered. */
  public int outstanding = -1;

  /** Requests that waited or ran there when it told so last. */
  public double queued = Double.NaN;

  /** Service time that it told last. */
  public double service = Double.NaN;

  /** Time that requests waited there, as it told. */
  public double waited = Double.NaN;

  /** Time that is expected for the messages to and from it. */
  public double messages = Double.NaN;

  /**
   * How much the difference of its service time from the average counts, 0 to 1: as far as such
   * differences have come true.
   */
  public double trust = Double.NaN;

  /** Since when nothing has come though an answer is due. */
  public long silent = -1;
}
