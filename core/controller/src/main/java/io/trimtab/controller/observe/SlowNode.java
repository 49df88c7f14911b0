package io.trimtab.controller.observe;

import io.trimtab.engineapi.NodeId;
import java.time.Duration;

/**
 * A node that coordinators have long avoided. A reason for policies to give it back or replace it;
 * nothing is done about it by itself.
 *
 * @param share its reads for each read of its peers, in the last interval; less than {@code
 *     health.slowShare}
 * @param lasted at least {@code health.slowFor}
 * @param signals what coordinators knew of it meanwhile, on average; something of it is unusual
 */
public record SlowNode(NodeId node, double share, Duration lasted, ReplicaSignals signals) {

  /** For an operator, a sentence without an end. */
  public String text() {
    return "%s gets %d %% of the reads that its peers get, for %s: %s"
        .formatted(
            node,
            Math.round(100 * share),
            lasted.toMinutes() >= 2 ? lasted.toMinutes() + " min" : lasted.toSeconds() + " s",
            signals.text());
  }
}
