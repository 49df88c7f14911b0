package io.trimtab.controller.maintenance;

import io.trimtab.engineapi.NodeId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A node that does work beside serving, or did until a moment ago.
 *
 * @param work as it was last told, each kind once; see {@link
 *     io.trimtab.engineapi.snapshot.NodeState#maintenance}
 * @param since when it was first seen at such work without a longer pause
 * @param seen when it was last seen at it
 */
public record Busy(NodeId node, List<String> work, Instant since, Instant seen) {
  /**
   * Between two phases: a repair is not seen while nodes agree on its ranges, nor between its
   * keyspaces (ours).
   */
  private static final Duration PAUSE = Duration.ofMinutes(2);

  public Busy {
    work = List.copyOf(work);
  }

  /** Whether it may as well be between two phases. */
  boolean goesOn(Instant now) {
    return Duration.between(seen, now).compareTo(PAUSE) < 0;
  }

  /** The same after the clock was set back, which must make no wait longer. */
  Busy notAfter(Instant now) {
    return new Busy(node, work, earlier(since, now), earlier(seen, now));
  }

  static Instant earlier(Instant a, Instant b) {
    return a.isBefore(b) ? a : b;
  }
}
