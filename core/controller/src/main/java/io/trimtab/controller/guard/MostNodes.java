package io.trimtab.controller.guard;

import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.plan.Counted;
import java.util.Optional;

/**
 * The most nodes that plans may count on after a plan: as many as the guard allows besides live
 * ones that they can't count on, and as its node provider can add.
 *
 * @param refusal why there are no more, once there are so many or more: a clause
 * @param setting the key that controls it; empty if there is none
 */
public record MostNodes(int nodes, String refusal, String setting) {

  /**
   * The limit.
   *
   * @param present nodes that plans can count on
   * @param others nodes that live besides
   * @param offer of who starts nodes; empty if nobody does
   */
  public static MostNodes of(
      int present, int others, Optional<NodeCapacity> offer, GuardSettings guard) {
    MostNodes allowed = limit(guard.maxNodes(), others, "guard.maxNodes");
    return offer
        .filter(made -> made.spare() < allowed.nodes() - present)
        .map(made -> new MostNodes(present + made.spare(), made.hindrance().orElse(""), ""))
        .orElse(allowed);
  }

  /**
   * A limit of all live nodes.
   *
   * @param others of them that plans can't count on
   * @param setting the key that controls it
   */
  public static MostNodes limit(int most, int others, String setting) {
    String beside =
        others == 0
            ? ""
            : ", with %s being emptied or not read".formatted(Counted.of(others, "node"));
    return new MostNodes(
        Math.max(0, most - others),
        Counted.are(most, "node") + " the most allowed" + beside,
        setting);
  }

  /** Whether it is the provider that sets it. */
  public boolean isProviders() {
    return setting.isEmpty();
  }
}
