package io.trimtab.controller.place;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Partitions;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * What is balanced within groups, and what is to be said about it.
 *
 * @param usageFrom what usage is predicted from where that is balanced; empty for requests
 * @param note to be put behind a sentence; empty where there is nothing to say
 */
public record Balancing(
    Balancer balancer, Optional<UsagePrediction.Origin> usageFrom, String note) {

  /** Of requests, with moves and swaps afterwards. */
  public static Balancing withSwaps(Partitions partitions) {
    return ofRequests(new RequestBalancer(partitions, true), "");
  }

  private static Balancing ofRequests(Balancer requests, String note) {
    return new Balancing(requests, Optional.empty(), note);
  }

  /**
   * As the thesis has it: of requests per second (§3.2.2, Algorithm 2) or, with {@code
   * place.balancer: usage}, of predicted usage (§6.2), as far as that can be predicted.
   *
   * @param partitions of the observation
   * @param nodes that are usable
   */
  public static Balancing longestFirst(
      Observation.Usable seen, Partitions partitions, List<NodeState> nodes, Settings settings) {
    Balancer requests = new RequestBalancer(partitions, false);
    return switch (settings.place().balancer()) {
      case REQUESTS -> ofRequests(requests, "");
      case USAGE -> ofUsage(seen, partitions, nodes, settings, requests);
    };
  }

  private static Balancing ofUsage(
      Observation.Usable seen,
      Partitions partitions,
      List<NodeState> nodes,
      Settings settings,
      Balancer otherwise) {
    Map<PartitionId, UsagePacking.Item> items = PartitionItems.of(seen, settings.usage());
    UsageSource source = UsageSource.of(seen, nodes, items);
    NodeGauges least = UsableNodes.leastCache(nodes);
    if (source.estimate().isEmpty()) {
      return instead(otherwise, source.text());
    }
    if (!(least.cacheBytes(Profile.HOMOGENEOUS) > 0)) {
      return instead(otherwise, "the size of a node's heap is unknown");
    }
    List<UsagePacking.Item> byIndex =
        IntStream.range(0, partitions.size())
            .mapToObj(p -> items.get(partitions.state(p).id()))
            .toList();
    try {
      return new Balancing(
          new UsageBalancer(source.estimate().get(), byIndex, least::cacheBytes),
          Optional.of(source.origin()),
          "; balanced by usage, predicted from " + source.text());
    } catch (IllegalArgumentException e) {
      return instead(otherwise, e.getMessage());
    }
  }

  private static Balancing instead(Balancer requests, String why) {
    return ofRequests(requests, "; balanced by requests, as usage can't be predicted: " + why);
  }

  /** The usage of a target's nodes; empty where requests are balanced. */
  public Optional<UsagePrediction> predicted(TargetState target) {
    return usageFrom.map(origin -> new UsagePrediction(origin, usage(target)));
  }

  private SortedMap<NodeId, Double> usage(TargetState target) {
    PlacementInput in = target.in();
    IntList[] held = new IntList[in.nodeCount()];
    Arrays.setAll(held, n -> new IntList());
    for (int p : target.placed()) {
      held[target.node(p)].add(p);
    }
    SortedMap<NodeId, Double> usage = new TreeMap<>();
    for (NodeId node : in.nodes()) {
      int[] partitions = held[in.indexOf(node)].toArray();
      usage.put(node, balancer.load(partitions, target.profiles().get(node)));
    }
    return usage;
  }
}
