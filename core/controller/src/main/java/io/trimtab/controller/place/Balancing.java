package io.trimtab.controller.place;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Partitions;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.NodeState;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * What is balanced within groups, and what is to be said about it.
 *
 * @param note to be put behind a sentence; empty where there is nothing to say
 */
public record Balancing(Balancer balancer, String note) {

  /** Of requests, with moves and swaps afterwards. */
  public static Balancing withSwaps(Partitions partitions) {
    return new Balancing(new RequestBalancer(partitions, true), "");
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
      case REQUESTS -> new Balancing(requests, "");
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
    double heap = nodes.stream().mapToDouble(n -> n.gauges().heapMaxBytes()).min().orElse(-1);
    if (source.estimate().isEmpty()) {
      return instead(otherwise, source.text());
    }
    if (!(heap > 0)) {
      return instead(otherwise, "the size of a node's heap is unknown");
    }
    List<UsagePacking.Item> byIndex =
        IntStream.range(0, partitions.size())
            .mapToObj(p -> items.get(partitions.state(p).id()))
            .toList();
    try {
      return new Balancing(
          new UsageBalancer(source.estimate().get(), byIndex, heap),
          "; balanced by usage, predicted from " + source.text());
    } catch (IllegalArgumentException e) {
      return instead(otherwise, e.getMessage());
    }
  }

  private static Balancing instead(Balancer requests, String why) {
    return new Balancing(requests, "; balanced by requests, as usage can't be predicted: " + why);
  }
}
