package io.trimtab.engineapi;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What a provider can add to a cluster, and give back of it.
 *
 * @param spare nodes that can be added now, ≥ 0
 * @param quota nodes that may run at most, those that run now included; empty if there is no such
 *     limit, or the provider can't tell
 * @param hourlyPrice of one node, ≥ 0, in the currency of the provider's bill; empty if not known
 * @param profilePrices the same by the name of a profile whose nodes have another price
 * @param boot usual time from a request until the node's process runs; empty if not known
 * @param nodePrices price per hour of nodes that there are, as far as it is known what they run on
 * @param removable which nodes can be given back
 * @param full why no node can be added, a clause; empty if one can, or nothing is known of it
 */
public record NodeCapacity(
    int spare,
    OptionalInt quota,
    OptionalDouble hourlyPrice,
    Map<String, Double> profilePrices,
    Optional<Duration> boot,
    Map<NodeId, Double> nodePrices,
    Removable removable,
    String full) {
  public NodeCapacity {
    if (spare < 0) {
      throw new IllegalArgumentException("spare must be ≥ 0, not " + spare);
    }
    if (quota.isPresent() && quota.getAsInt() < 0) {
      throw new IllegalArgumentException("quota must be ≥ 0, not " + quota.getAsInt());
    }
    hourlyPrice.ifPresent(NodeCapacity::checkPrice);
    profilePrices.values().forEach(NodeCapacity::checkPrice);
    profilePrices = Map.copyOf(profilePrices);
    nodePrices.values().forEach(NodeCapacity::checkPrice);
    nodePrices = Map.copyOf(nodePrices);
    if (boot.filter(Duration::isNegative).isPresent()) {
      throw new IllegalArgumentException("boot must be ≥ 0, not " + boot.get());
    }
    if (spare > 0) {
      full = "";
    } else if (full.isEmpty() && quota.isPresent()) {
      int most = quota.getAsInt();
      full = "quota of " + most + (most == 1 ? " machine" : " machines") + " is used up";
    }
  }

  /** Of a provider that can give back every node, and knows no price of those that there are. */
  public NodeCapacity(
      int spare,
      OptionalInt quota,
      OptionalDouble hourlyPrice,
      Map<String, Double> profilePrices,
      Optional<Duration> boot) {
    this(spare, quota, hourlyPrice, profilePrices, boot, Map.of(), Removable.ALL, "");
  }

  /** Of such a provider whose nodes have one price. */
  public NodeCapacity(
      int spare, OptionalInt quota, OptionalDouble hourlyPrice, Optional<Duration> boot) {
    this(spare, quota, hourlyPrice, Map.of(), boot);
  }

  private static void checkPrice(double price) {
    if (!(price >= 0)) {
      throw new IllegalArgumentException("price must be ≥ 0, not " + price);
    }
  }

  /** The same where only some nodes can be given back. */
  public NodeCapacity with(Removable some) {
    return new NodeCapacity(spare, quota, hourlyPrice, profilePrices, boot, nodePrices, some, full);
  }

  /** The same with the prices of nodes that there are, per hour. */
  public NodeCapacity with(Map<NodeId, Double> prices) {
    return new NodeCapacity(
        spare, quota, hourlyPrice, profilePrices, boot, prices, removable, full);
  }

  /**
   * The same where it is known why no node can be added, as long as none can.
   *
   * @param why a clause; empty where it is the quota, if there is one
   */
  public NodeCapacity because(String why) {
    return new NodeCapacity(
        spare, quota, hourlyPrice, profilePrices, boot, nodePrices, removable, why);
  }

  /** The price of a node with a profile per hour; empty if not known. */
  public OptionalDouble hourlyPrice(Profile profile) {
    Double own = profilePrices.get(profile.name());
    return own == null ? hourlyPrice : OptionalDouble.of(own);
  }

  /**
   * What a node with a profile costs, in nodes of the usual price; 1 where the prices are not
   * known.
   */
  public double inNodes(Profile profile) {
    return inNodes(hourlyPrice(profile));
  }

  /** The same of a node that there is. */
  public double inNodes(NodeId node) {
    Double own = nodePrices.get(node);
    return inNodes(own == null ? OptionalDouble.empty() : OptionalDouble.of(own));
  }

  private double inNodes(OptionalDouble own) {
    return own.isPresent() && hourlyPrice.isPresent() && hourlyPrice.getAsDouble() > 0
        ? own.getAsDouble() / hourlyPrice.getAsDouble()
        : 1;
  }

  /** Why no node can be added, a sentence; empty if one can. */
  public Optional<String> hindrance() {
    return spare > 0
        ? Optional.empty()
        : Optional.of(
            "no node can be added: " + (full.isEmpty() ? "the node provider has none left" : full));
  }

  /** Of a provider that knows neither quota nor price. */
  public static NodeCapacity of(int spare) {
    return new NodeCapacity(spare, OptionalInt.empty(), OptionalDouble.empty(), Optional.empty());
  }

  /**
   * Of a provider that can't tell now what it can add, and so can neither add nor give back.
   *
   * @param why a clause
   */
  public static NodeCapacity untold(String why) {
    return of(0).with(Removable.only(Set.of(), why)).because(why);
  }
}
