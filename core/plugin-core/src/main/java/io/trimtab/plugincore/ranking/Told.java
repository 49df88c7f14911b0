package io.trimtab.plugincore.ranking;

/**
 * What a replica says of itself with an answer. Reused: whoever is given one copies what it keeps.
 * Times are nanoseconds.
 */
public final class Told {
  /** Requests that waited or ran at the replica when it answered, ≥ 0; negative: not said. */
  public int queued = -1;

  /** Time that the replica worked on this request. */
  public long service;

  /** Time that this request waited at the replica. */
  public long waited;

  /** The replica's service time by its last requests; see {@link Average#ofServiceTimes}. */
  public long recentService;

  /** Whether the replica said anything. */
  public boolean isKnown() {
    return queued >= 0;
  }
}
