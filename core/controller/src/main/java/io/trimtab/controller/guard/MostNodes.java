package io.trimtab.controller.guard;

import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.plan.Counted;
import java.util.Optional;

/**
 * The most nodes that a cluster may have after a plan: as many as the guard allows, and as its node
 * provider can add.
 *
 * @param refusal why there are no more, once there are so many or more: a clause
 * @param setting the key that controls it; empty if there is none
 */
public record MostNodes(int nodes, String refusal, String setting) {

  /**
   * The limit.
   *
   * @param present nodes that there are
   * @param offer of who starts nodes; empty if nobody does
   */
  public static MostNodes of(int present, Optional<NodeCapacity> offer, GuardSettings guard) {
    int allowed = guard.maxNodes();
    return offer
        .filter(made -> made.spare() < allowed - present)
        .map(made -> new MostNodes(present + made.spare(), made.hindrance().orElse(""), ""))
        .orElseGet(
            () ->
                new MostNodes(
                    allowed, Counted.are(allowed, "node") + " the most allowed", "guard.maxNodes"));
  }

  /** Whether it is the provider that sets it. */
  public boolean isProviders() {
    return setting.isEmpty();
  }
}
