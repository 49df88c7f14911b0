package io.trimtab.controller.ring;

import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.PlannedAction;
import java.util.List;

/**
 * What it takes to change a ring.
 *
 * @param streamed bytes that go from node to node
 * @param rewritten bytes that cleanups rewrite: all that their nodes store, which is the most
 * @param cold seconds of a node for what begins anew: processes, and caches that are empty
 */
public record RingChange(double streamed, double rewritten, double cold) {
  static final RingChange NONE = new RingChange(0, 0, 0);

  /** Of a node's time that a byte takes to be read, sent and written, or rewritten (ours). */
  private static final double BYTES_PER_SECOND = 100e6;

  /**
   * Of a node's time for each that joins, leaves or restarts: its start, and caches that are cold
   * (ours). What requests miss until rows are cached again no engine tells beforehand.
   */
  private static final double CHANGE_SECONDS = 300;

  /** For a setting that is changed while a node serves. */
  private static final double ONLINE_SECONDS = 1;

  /** For which a plan waits about until a node has restarted. */
  private static final double RESTART_SECONDS = 30;

  /**
   * Nodes join one after the other, each with an equal share of the data, and those that there were
   * before clean up.
   *
   * @param bytes that all of them store
   */
  static RingChange joining(int present, int more, double bytes) {
    double shares = 0;
    for (int nodes = present + 1; nodes <= present + more; nodes++) {
      shares += 1.0 / nodes;
    }
    return more > 0 ? new RingChange(shares * bytes, bytes, more * CHANGE_SECONDS) : NONE;
  }

  /**
   * A node leaves, which brings what it stores to the others.
   *
   * @param bytes that it stores
   */
  static RingChange leaving(double bytes) {
    return new RingChange(bytes, 0, CHANGE_SECONDS);
  }

  /**
   * A node joins and takes over all that another stores, which leaves then: it is copied to the
   * first, and as the second leaves.
   *
   * @param others bytes that their peers store
   */
  static RingChange replacing(double bytes, double others) {
    return new RingChange(2 * bytes, others, 2 * CHANGE_SECONDS);
  }

  /** Nodes get other caches. Of one that becomes smaller the rows without a place are read anew. */
  static RingChange configuring(List<PlannedAction> actions) {
    double cold = 0;
    for (PlannedAction planned : actions) {
      cold += planned.action().as(Action.Reconfigure.class).map(RingChange::ofProfile).orElse(0.0);
    }
    return new RingChange(0, 0, cold);
  }

  private static double ofProfile(Action.Reconfigure change) {
    if (change.way() == Action.ApplyMode.RESTART) {
      return CHANGE_SECONDS;
    }
    double less = 1 - change.to().cacheFraction() / change.from().cacheFraction();
    return ONLINE_SECONDS + Math.max(0, less) * CHANGE_SECONDS;
  }

  /** About how long a plan takes that configures nodes, one after the other. */
  static double secondsOf(List<PlannedAction> configuring) {
    double seconds = 0;
    for (PlannedAction planned : configuring) {
      seconds +=
          planned
              .action()
              .as(Action.Reconfigure.class)
              .map(c -> c.way() == Action.ApplyMode.RESTART ? RESTART_SECONDS : ONLINE_SECONDS)
              .orElse(0.0);
    }
    return seconds;
  }

  /** Both. */
  RingChange plus(RingChange other) {
    return new RingChange(
        streamed + other.streamed, rewritten + other.rewritten, cold + other.cold);
  }

  /** What begins anew and is copied, in seconds of one node: without cleanups, which can wait. */
  double streaming() {
    return cold + streamed / BYTES_PER_SECOND;
  }

  /** What is copied and rewritten, in seconds of one node. */
  double copying() {
    return (streamed + rewritten) / BYTES_PER_SECOND;
  }

  /** All of it, in seconds of one node. */
  public double price() {
    return cold + copying();
  }
}
