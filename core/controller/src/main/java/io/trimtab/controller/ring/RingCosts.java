package io.trimtab.controller.ring;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.place.UsableNodes;
import io.trimtab.controller.plan.LeadTime;
import io.trimtab.controller.policy.DecisionContext;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.models.usage.Surplus;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;

/**
 * What a ring's nodes cost and bring over the horizon, in seconds of one node, as it is counted
 * where partitions are assigned: what is asked of a node beyond the target is lost, a node that
 * joins counts by its price, and relieves the others once it has booted, and what a change copies,
 * rewrites and leaves cold takes nodes' time. Whether any joins goes without that change, which
 * rings do beside serving: nodes that store much would be left overloaded for as long as the load
 * lasts. Where its provider tells neither price nor boot, what a node that joins costs beside that
 * change does not count against staying; against other ways that suffice it is a usual node.
 *
 * @param horizon over which nodes must pay back
 * @param price of a node that joins, in nodes of the usual price
 * @param boot until it has booted; empty if nobody tells
 * @param stored bytes on each node that plans can count on
 */
public record RingCosts(
    double lossWeight,
    Duration horizon,
    double target,
    Optional<NodeCapacity> offer,
    double price,
    Optional<Duration> boot,
    Map<NodeId, Double> stored) {
  /** Of what is predicted, for nodes whose shares differ. */
  private static final double UNCERTAIN = 0.1;

  public RingCosts {
    stored = Map.copyOf(stored);
  }

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
        seen.offer().flatMap(NodeCapacity::boot),
        stored(seen));
  }

  private static Map<NodeId, Double> stored(Observation.Usable seen) {
    Map<NodeId, Double> bytes = new HashMap<>();
    UsableNodes.ids(seen).forEach(node -> bytes.put(node, 0.0));
    seen.snapshot()
        .partitions()
        .forEach(
            p ->
                p.node()
                    .ifPresent(
                        node -> bytes.computeIfPresent(node, (id, sum) -> sum + p.sizeBytes())));
    return bytes;
  }

  /**
   * How many nodes there should be.
   *
   * @param present nodes that there are
   * @param enough nodes that bring the most used one to the target, &gt; present
   * @param usage predicted usage of the most used of a number of nodes
   * @return {@code enough} if that costs less than to stay; else the number that costs least, in
   *     [present, enough]
   */
  public int cheapest(int present, int enough, IntToDoubleFunction usage) {
    double least = cost(present, present, usage);
    if (cost(present, enough, usage) < least) {
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

  /**
   * What it saves that nodes join, less what it costs.
   *
   * @param nodes then, ≥ present
   * @param usage predicted usage of the most used of a number of nodes
   */
  double ofJoining(int present, int nodes, IntToDoubleFunction usage) {
    double saved = cost(present, present, usage) - cost(present, nodes, usage);
    return saved - joining(present, nodes).price();
  }

  private double cost(int present, int nodes, IntToDoubleFunction usage) {
    double all = seconds(horizon);
    double alone = Math.min(all, bootSeconds());
    double lost =
        present
            * (surplus(usage.applyAsDouble(present)) * alone
                + surplus(usage.applyAsDouble(nodes)) * (all - alone));
    double each = price == 1 && boot.isEmpty() ? 0 : price * all;
    return lossWeight * lost + (nodes - present) * each;
  }

  /**
   * What it saves that nodes stay and are used otherwise, less the price of the change that leads
   * there.
   *
   * @param now usage of the most used one, likewise {@code then}
   */
  double ofChanging(int present, double now, double then, RingChange change) {
    double less = surplus(now) - surplus(then);
    return lossWeight * present * less * seconds(horizon) - change.price();
  }

  /** What it saves that one of the nodes leaves, less what it costs, likewise. */
  double ofLeaving(NodeId node, int present, double now, double then) {
    return paid(node) + ofChanging(present, now, then, leaving(node));
  }

  /**
   * Whether it pays that a node leaves and another takes half of what one that is used too much is
   * asked for, cleanups aside.
   *
   * @param full usage of that one
   */
  boolean pays(NodeId leaves, int present, double full) {
    double price = leaving(leaves).plus(joining(present - 1, present)).streaming();
    double less = surplus(full) - surplus(full / 2);
    return lossWeight * less * seconds(horizon) > price;
  }

  /** What is paid for a node that there is over the horizon. */
  double paid(NodeId node) {
    return own(node) * seconds(horizon);
  }

  /** Nodes join, so that there are so many. */
  RingChange joining(int present, int nodes) {
    double all = stored.values().stream().mapToDouble(bytes -> bytes).sum();
    return RingChange.joining(present, nodes - present, all);
  }

  RingChange leaving(NodeId node) {
    return RingChange.leaving(stored.getOrDefault(node, 0.0));
  }

  /** What is paid for so many nodes more over the horizon, and the change. */
  double takes(int more, RingChange change) {
    return more * price * seconds(horizon) + change.price();
  }

  /** About how long a plan takes in which so many nodes join. */
  double planSeconds(int joining, RingChange change) {
    return joining * bootSeconds() + change.copying();
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
    return (1 - slow.capacity()) * alone + (price - own(slow.node())) * (ahead - alone);
  }

  /** Price of a node that there is; that of one that joins where it is not known. */
  private double own(NodeId node) {
    return offer
        .filter(told -> told.nodePrices().containsKey(node))
        .map(told -> told.inNodes(node))
        .orElse(price);
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
