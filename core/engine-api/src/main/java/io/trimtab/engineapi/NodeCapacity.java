package io.trimtab.engineapi;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What a provider can add to a cluster, give back of it, and restart with another profile.
 *
 * @param spare nodes that can be added now, ≥ 0
 * @param quota nodes that may run at most, those that run now included; empty if there is no such
 *     limit, or the provider can't tell
 * @param hourlyPrice of one node, ≥ 0, in the currency of the provider's bill; empty if not known
 * @param profilePrices the same by the name of a profile whose nodes have another price
 * @param boot usual time from a request until the node's process runs; empty if not known
 * @param nodePrices price per hour of nodes that there are, as far as it is known what they run on
 * @param removable which nodes can be given back
 * @param reconfigurable which nodes can be restarted with another profile
 * @param full why no node can be added, a clause; empty if one can, or nothing is known of it
 * @param places where the next nodes will be
 */
public record NodeCapacity(
    int spare,
    OptionalInt quota,
    OptionalDouble hourlyPrice,
    Map<String, Double> profilePrices,
    Optional<Duration> boot,
    Map<NodeId, Double> nodePrices,
    Removable removable,
    Reconfigurable reconfigurable,
    String full,
    Places places) {

  /**
   * Nodes whose profile a provider stores for their next start, and that it restarts: those that it
   * has a say in. Of another node a new profile lasts until its next start.
   *
   * @param all whether every node, whatever the rest says
   * @param nodes such nodes
   * @param rule why other nodes are not, a clause; empty where all are
   */
  public record Reconfigurable(boolean all, Set<NodeId> nodes, String rule) {
    /** Of a provider that has a say in every node. */
    public static final Reconfigurable ALL = new Reconfigurable(true, Set.of(), "");

    public Reconfigurable {
      nodes = Set.copyOf(nodes);
      if (!all && rule.isEmpty()) {
        throw new IllegalArgumentException(
            "it must be told why not every node can be restarted with another profile");
      }
    }

    /** Only these. */
    public static Reconfigurable only(Collection<NodeId> nodes, String rule) {
      return new Reconfigurable(false, Set.copyOf(nodes), rule);
    }

    /** Whether a node can be restarted with another profile. */
    public boolean allows(NodeId node) {
      return all || nodes.contains(node);
    }
  }

  /**
   * Where the next nodes will be.
   *
   * @param told whether the provider tells it
   * @param next ids of the next nodes, in the order in which they are taken; any after them get a
   *     machine of their own, on which nothing else is. Empty where it is not told
   */
  public record Places(boolean told, List<NodeId> next) {
    /** A node may come on any machine. */
    public static final Places UNTOLD = new Places(false, List.of());

    /** Every node gets a machine of its own. */
    public static final Places OWN = new Places(true, List.of());

    public Places {
      next = List.copyOf(next);
    }

    /** As of {@link #next}. */
    public static Places at(List<NodeId> next) {
      return new Places(true, next);
    }

    /**
     * The id that a node will have; empty if it gets a machine of its own, or it is not told.
     *
     * @param index of the node, 0 of the next one
     */
    public Optional<NodeId> node(int index) {
      return index < next.size() ? Optional.of(next.get(index)) : Optional.empty();
    }
  }

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

  /** Of a provider that has a say in every node, and knows no price of those that there are. */
  public NodeCapacity(
      int spare,
      OptionalInt quota,
      OptionalDouble hourlyPrice,
      Map<String, Double> profilePrices,
      Optional<Duration> boot) {
    this(
        spare,
        quota,
        hourlyPrice,
        profilePrices,
        boot,
        Map.of(),
        Removable.ALL,
        Reconfigurable.ALL,
        "",
        Places.UNTOLD);
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
    return with(nodePrices, some, reconfigurable, full, places);
  }

  /** The same where only some nodes can be restarted with another profile. */
  public NodeCapacity with(Reconfigurable some) {
    return with(nodePrices, removable, some, full, places);
  }

  /** The same with the prices of nodes that there are, per hour. */
  public NodeCapacity with(Map<NodeId, Double> prices) {
    return with(prices, removable, reconfigurable, full, places);
  }

  /**
   * The same where it is known why no node can be added, as long as none can.
   *
   * @param why a clause; empty where it is the quota, if there is one
   */
  public NodeCapacity because(String why) {
    return with(nodePrices, removable, reconfigurable, why, places);
  }

  /** The same where it is known where the next nodes will be. */
  public NodeCapacity with(Places known) {
    return with(nodePrices, removable, reconfigurable, full, known);
  }

  private NodeCapacity with(
      Map<NodeId, Double> prices,
      Removable given,
      Reconfigurable restarted,
      String why,
      Places known) {
    return new NodeCapacity(
        spare, quota, hourlyPrice, profilePrices, boot, prices, given, restarted, why, known);
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
   * Of a provider that can't tell now what it can add, and so can neither add nor give back, nor
   * restart.
   *
   * @param why a clause
   */
  public static NodeCapacity untold(String why) {
    return of(0)
        .with(Removable.only(Set.of(), why))
        .with(Reconfigurable.only(Set.of(), why))
        .because(why);
  }
}
