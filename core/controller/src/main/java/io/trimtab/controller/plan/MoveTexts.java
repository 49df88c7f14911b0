package io.trimtab.controller.plan;

import io.trimtab.controller.observe.Rates;
import io.trimtab.engineapi.AccessClass;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.PlannedAction;

/**
 * Texts of a move in a plan.
 *
 * @param why the reason; null for a move to the partition's final node
 * @param asked requests per second
 * @param profile of the node that it goes to; null where profiles are not planned
 */
record MoveTexts(
    String why, AccessClass kind, Rates asked, Profile profile, long sizeBytes, NodeId from)
    implements PlannedAction.Texts {

  /** Bytes as whole MiB. */
  static long mebibytes(long bytes) {
    return Math.round(bytes / 1048576.0);
  }

  @Override
  public String reason() {
    if (why != null) {
      return why;
    }
    return kind
        + " partition: "
        + Math.round(asked.pointReads())
        + " reads, "
        + Math.round(asked.scanCalls())
        + " scans, "
        + Math.round(asked.writes())
        + " writes per second";
  }

  @Override
  public String effect() {
    return profile == null ? "balances the load" : "served by a " + profile.name() + " node";
  }

  @Override
  public String cost() {
    return "briefly unavailable; " + mebibytes(sizeBytes) + " MiB read from disk again";
  }

  @Override
  public String undo() {
    return "move back to " + from;
  }
}
