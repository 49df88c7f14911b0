package io.trimtab.controller.health;

import io.trimtab.engineapi.NodeId;
import java.time.Duration;
import java.util.List;

/**
 * A node that has long been slower than its peers although it serves no more. Told in any case; a
 * reason to move its partitions off where that pays, which only users that wait longer make it.
 *
 * @param signals what is slower, a clause each; at least one
 * @param answers how many times as long as its peers its requests take, at the 99th percentile: the
 *     least of all looks since they do; 1 where they do not or not for as long as {@code
 *     health.slowFor}, or it is not known that the node serves no more than others
 * @param lasted at least {@code health.slowFor}
 */
public record SlowPeer(NodeId node, List<String> signals, double answers, Duration lasted) {
  public SlowPeer {
    signals = List.copyOf(signals);
  }

  /** For an operator, a sentence without an end. */
  public String text() {
    return "%s is slower than its peers, for %s: %s"
        .formatted(
            node,
            lasted.toMinutes() >= 2 ? lasted.toMinutes() + " min" : lasted.toSeconds() + " s",
            String.join(", ", signals));
  }
}
