package io.trimtab.controller.ring;

import io.trimtab.controller.learn.NodeLoads;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.place.WhatIf.Change;
import io.trimtab.controller.place.WhatIf.NodeForecast;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.models.usage.UsageModel;
import io.trimtab.models.usage.UsageModel.Load;
import io.trimtab.models.usage.UsagePredictor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What each node of a ring would use if it were asked for more or less, or if there were more or
 * fewer nodes; nothing is done. Nodes then have their shares of the load of now, and their row
 * caches hit as often as now.
 */
public final class RingWhatIf {
  private RingWhatIf() {}

  /**
   * All nodes that are there before or after.
   *
   * @throws IllegalArgumentException naming a node or table that there is not, what can't be
   *     changed on a ring, or a kind of request that the model was not built for
   */
  public static List<NodeForecast> of(Observation.Usable seen, UsageModel model, Change change) {
    List<NodeState> nodes = seen.snapshot().liveNodes();
    int then = nodesThen(seen, nodes, change);
    UsagePredictor predictor = new UsagePredictor(model);
    Map<NodeId, Load> before = NodeLoads.of(seen, nodes);
    Map<NodeId, Load> after = NodeLoads.of(scaled(seen, change.scale()), nodes);
    double share = (double) nodes.size() / then;
    List<NodeForecast> all = new ArrayList<>();
    for (NodeState node : nodes) {
      NodeId id = node.id();
      boolean leaves = change.without().filter(id::equals).isPresent();
      double hits = NodeLoads.knowsHits(seen, node) ? before.get(id).hitRatio() : Double.NaN;
      all.add(
          new NodeForecast(
              id,
              predictor.usage(before.get(id)),
              leaves ? Double.NaN : predictor.usage(after.get(id).times(share)),
              hits,
              leaves ? Double.NaN : hits));
    }
    List<NodeForecast> stay = all.stream().filter(n -> !Double.isNaN(n.after())).toList();
    double usage = stay.stream().mapToDouble(NodeForecast::after).average().orElse(Double.NaN);
    double hits =
        stay.stream()
            .mapToDouble(NodeForecast::hitsAfter)
            .filter(each -> !Double.isNaN(each))
            .average()
            .orElse(Double.NaN);
    for (int i = 1; i <= change.added(); i++) {
      all.add(new NodeForecast(new NodeId("new-" + i), Double.NaN, usage, Double.NaN, hits));
    }
    return all;
  }

  private static int nodesThen(Observation.Usable seen, List<NodeState> nodes, Change change) {
    if (!change.moves().isEmpty()) {
      throw new IllegalArgumentException("tokens place the data, so that nothing can be moved");
    }
    if (change.cacheShare().isPresent()) {
      throw new IllegalArgumentException(
          "what other row caches would hit is not known, as nothing tells which rows are asked"
              + " for");
    }
    checkKnown(seen);
    change
        .without()
        .filter(leaves -> nodes.stream().noneMatch(node -> node.id().equals(leaves)))
        .ifPresent(
            leaves -> {
              throw new IllegalArgumentException("there is no live node " + leaves);
            });
    int then = nodes.size() + change.added() - (change.without().isPresent() ? 1 : 0);
    int copies = Math.max(1, seen.snapshot().replication());
    if (change.without().isPresent() && then < copies) {
      throw new IllegalArgumentException(
          Counted.of(then, "node") + " would be left, and data have " + copies + " copies");
    }
    return then;
  }

  /**
   * Checks that it is known what all live nodes serve.
   *
   * @throws IllegalArgumentException if there is none, or one could not be read
   */
  static void checkKnown(Observation.Usable seen) {
    if (seen.snapshot().liveNodes().isEmpty()) {
      throw new IllegalArgumentException("there is no live node");
    }
    if (!seen.snapshot().unreadNodes().isEmpty()) {
      NodeId unread = seen.snapshot().unreadNodes().get(0).id();
      throw new IllegalArgumentException(
          unread + " could not be read: what it serves is not known");
    }
  }

  /**
   * The same with other rates of requests.
   *
   * @throws IllegalArgumentException naming a table that there is not
   */
  static Observation.Usable scaled(Observation.Usable seen, Map<String, Double> factors) {
    Map<PartitionId, Rates> rates = new HashMap<>(seen.rates());
    factors.forEach(
        (table, factor) -> {
          if (seen.snapshot().partitions().stream().noneMatch(p -> p.id().table().equals(table))) {
            throw new IllegalArgumentException("there is no table " + table);
          }
          rates.replaceAll((id, its) -> id.table().equals(table) ? its.times(factor) : its);
        });
    return new Observation.Usable(seen.snapshot(), rates, seen.usage(), seen.cpu(), seen.hints())
        .withMisses(seen.misses());
  }
}
