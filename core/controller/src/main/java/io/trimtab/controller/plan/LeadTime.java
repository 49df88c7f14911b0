package io.trimtab.controller.plan;

import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How long the node took that was added last.
 *
 * @param served from the request for it until it served
 * @param warm from the request until all caches had what they would get; empty while that is not
 *     known
 */
public record LeadTime(Duration served, Optional<Duration> warm) {

  /**
   * The plan, telling with each node that it adds what is known of its time and its price.
   *
   * @param last of the node that was added last; empty if none was
   * @param offer of who starts nodes; empty if nobody does
   */
  public static Plan annotate(Plan plan, Optional<LeadTime> last, Optional<NodeCapacity> offer) {
    return plan.with(
        plan.actions().stream()
            .map(
                planned ->
                    planned
                        .action()
                        .as(Action.AddNode.class)
                        .map(add -> annotate(planned, time(last, offer) + price(add, offer)))
                        .orElse(planned))
            .toList());
  }

  /** What was measured here; until then what the provider tells. */
  private static String time(Optional<LeadTime> last, Optional<NodeCapacity> offer) {
    return last.map(LeadTime::text).orElseGet(() -> told(offer));
  }

  /** How long a node takes by who starts it, to end a text; empty if nobody tells. */
  public static String told(Optional<NodeCapacity> offer) {
    return offer
        .flatMap(NodeCapacity::boot)
        .map(boot -> "; one boots in about " + boot.toSeconds() + " s")
        .orElse("");
  }

  private String text() {
    return "; the last one served after %d s, %s"
        .formatted(
            served.toSeconds(),
            warm.map(t -> "and caches were full after " + t.toSeconds() + " s")
                .orElse("the time until caches were full is unknown"));
  }

  private static String price(Action.AddNode add, Optional<NodeCapacity> offer) {
    OptionalDouble price =
        offer.map(o -> o.hourlyPrice(add.profile())).orElse(OptionalDouble.empty());
    return price.isPresent()
        ? String.format(Locale.ROOT, "; it costs %.4g per hour", price.getAsDouble())
        : "";
  }

  private static PlannedAction annotate(PlannedAction add, String text) {
    return new PlannedAction(
        add.step(), add.action(), add.reason(), add.effect(), add.cost() + text, add.undo());
  }
}
