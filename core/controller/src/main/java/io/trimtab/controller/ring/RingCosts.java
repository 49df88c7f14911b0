package io.trimtab.controller.ring;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.plan.LeadTime;
import io.trimtab.controller.policy.DecisionContext;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.Profile;
import io.trimtab.models.usage.Surplus;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;

/**
 * What a ring's nodes cost and bring over the horizon, in seconds of one node, as it is counted
 * where partitions are assigned: what is asked of a node beyond the target is lost, and a node that
 * joins counts by its price, and relieves the others once it has booted. Where its provider tells
 * neither, as many nodes join as are needed.
 *
 * @param horizon over which nodes must pay back
 * @param price of a node that joins, in nodes of the usual price
 * @param boot until it has booted; empty if nobody tells
 */
public record RingCosts(
    double lossWeight,
    Duration horizon,
    double target,
    Optional<NodeCapacity> offer,
    double price,
    Optional<Duration> boot) {
  /** Of what is predicted, for nodes whose shares differ. */
  private static final double UNCERTAIN = 0.1;

  /** Of a ring as it is seen. */
  public static RingCosts of(DecisionContext context) {
    Observation.Usable seen = context.seen();
    Profile joins = context.placement().joining(seen.snapshot().liveNodes(), Optional.empty());
    return new RingCosts(
        context.settings().choice().lossWeight(),
        context.horizon(),
        context.settings().usage().target(),
        seen.offer(),
        seen.offer().map(offer -> offer.inNodes(joins)).orElse(1.0),
        seen.offer().flatMap(NodeCapacity::boot));
  }

  /**
   * How many nodes there should be.
   *
   * @param present nodes that there are
   * @param enough nodes that bring the most used one to the target, &gt; present
   * @param usage predicted usage of the most used of a number of nodes
   * @return {@code enough} if that costs less than to stay, or neither price nor time is told; else
   *     the number that costs least, in [present, enough]
   */
  public int cheapest(int present, int enough, IntToDoubleFunction usage) {
    double least = cost(present, present, usage);
    if ((price == 1 && boot.isEmpty()) || cost(present, enough, usage) < least) {
      return enough;
    }
    int best = present;
    for (int nodes = present + 1; nodes < enough; nodes++) {
      double cost = cost(present, nodes, usage);
      if (cost < least) {
        least = cost;
        best = nodes;
      }
    }
    return best;
  }

  private double cost(int present, int nodes, IntToDoubleFunction usage) {
    double all = seconds(horizon);
    double alone = Math.min(all, bootSeconds());
    double lost =
        present
            * (surplus(usage.applyAsDouble(present)) * alone
                + surplus(usage.applyAsDouble(nodes)) * (all - alone));
    return lossWeight * lost + (nodes - present) * price * all;
  }

  /** Expected share of the requests beyond the target. */
  private double surplus(double usage) {
    double beyond = Surplus.expected(usage - target, UNCERTAIN * usage);
    return beyond / (target + beyond);
  }

  /**
   * What it costs beyond {@link SlowMember#gain} that another takes a slow node's place: it is as
   * slow as before until that one has booted, and the two may differ in price, if both are known.
   */
  public double ofReplacing(SlowMember slow) {
    double ahead = Math.min(seconds(slow.told().lasted()), seconds(horizon));
    double alone = Math.min(ahead, bootSeconds());
    double own =
        offer
            .filter(told -> told.nodePrices().containsKey(slow.node()))
            .map(told -> told.inNodes(slow.node()))
            .orElse(price);
    return (1 - slow.capacity()) * alone + (price - own) * (ahead - alone);
  }

  /** What is told of price and time, to end a text; empty if nothing is. */
  public String text() {
    return (price == 1
            ? ""
            : String.format(Locale.ROOT, "; one costs as much as %.2g of the usual ones", price))
        + LeadTime.told(offer);
  }

  private double bootSeconds() {
    return boot.map(RingCosts::seconds).orElse(0.0);
  }

  private static double seconds(Duration time) {
    return time.toMillis() / 1e3;
  }
}
