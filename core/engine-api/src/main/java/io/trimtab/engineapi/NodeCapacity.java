package io.trimtab.engineapi;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * What a provider can add to a cluster.
 *
 * @param spare nodes that can be added now, ≥ 0
 * @param quota nodes that may run at most, those that run now included; empty if there is no such
 *     limit, or the provider can't tell
 * @param hourlyPrice of one node, ≥ 0, in the currency of the provider's bill; empty if not known
 * @param profilePrices the same by the name of a profile whose nodes have another price
 * @param boot usual time from a request until the node's process runs; empty if not known
 */
public record NodeCapacity(
    int spare,
    OptionalInt quota,
    OptionalDouble hourlyPrice,
    Map<String, Double> profilePrices,
    Optional<Duration> boot) {
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
    if (boot.filter(Duration::isNegative).isPresent()) {
      throw new IllegalArgumentException("boot must be ≥ 0, not " + boot.get());
    }
  }

  /** Of a provider whose nodes have one price. */
  public NodeCapacity(
      int spare, OptionalInt quota, OptionalDouble hourlyPrice, Optional<Duration> boot) {
    this(spare, quota, hourlyPrice, Map.of(), boot);
  }

  private static void checkPrice(double price) {
    if (!(price >= 0)) {
      throw new IllegalArgumentException("price must be ≥ 0, not " + price);
    }
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
    OptionalDouble own = hourlyPrice(profile);
    return own.isPresent() && hourlyPrice.isPresent() && hourlyPrice.getAsDouble() > 0
        ? own.getAsDouble() / hourlyPrice.getAsDouble()
        : 1;
  }

  /** Of a provider that knows neither quota nor price. */
  public static NodeCapacity of(int spare) {
    return new NodeCapacity(spare, OptionalInt.empty(), OptionalDouble.empty(), Optional.empty());
  }
}
