package io.trimtab.controller.health;

import io.trimtab.engineapi.NodeId;
import java.time.Duration;
import java.util.List;

/**
 * A node that has long been slower than its peers although it serves no more. Told; no policy does
 * anything about it.
 *
 * @param signals what is slower, a clause each; at least one
 * @param lasted at least {@code health.slowFor}
 */
public record SlowPeer(NodeId node, List<String> signals, Duration lasted) {
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
