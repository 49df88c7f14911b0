package io.trimtab.controller.guard;

import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;

/**
 * The minimum number of nodes of a cluster.
 *
 * @param because the limit that determines it, as the end of a sentence
 * @param setting the key that controls it; empty if there is none
 */
public record FewestNodes(int nodes, String because, String setting) {
  /** The limit of a cluster: its copies, or the guard's. */
  public static FewestNodes of(ClusterSnapshot snapshot, Settings settings) {
    int guard = settings.guard().minNodes();
    int copies = snapshot.replication();
    // With as many of both, fewer would not be allowed by any setting either.
    return copies >= guard && copies > 1
        ? new FewestNodes(copies, "the data have " + copies + " copies", "")
        : new FewestNodes(guard, "guard.minNodes is " + guard, "guard.minNodes");
  }

  /** The reason why the number of nodes can't be reduced. */
  public String refusal(int present) {
    return Counted.are(present, "node") + " the fewest allowed: " + because;
  }
}
