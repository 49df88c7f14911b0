package io.trimtab.controller.learn;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.place.PartitionItems;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.models.usage.UsageModel.Load;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What nodes are asked for, by the counters of their partitions and of their caches alone. */
public final class NodeLoads {
  private NodeLoads() {}

  /** Of some nodes, in their order. */
  public static Map<NodeId, Load> of(Observation.Usable seen, List<NodeState> nodes) {
    Map<NodeId, Rates> rates = new HashMap<>();
    seen.snapshot()
        .partitions()
        .forEach(p -> p.node().ifPresent(n -> rates.merge(n, seen.rates(p.id()), Rates::plus)));
    Map<NodeId, Load> loads = new LinkedHashMap<>();
    nodes.forEach(n -> loads.put(n.id(), load(seen, n, rates.getOrDefault(n.id(), Rates.ZERO))));
    return loads;
  }

  /** Whether it is known which share of its blocks a node has to read. */
  public static boolean knowsHits(Observation.Usable seen, NodeState node) {
    return seen.misses().containsKey(node.id())
        || (node.gauges().cacheHits() >= 0 && node.gauges().cacheMisses() >= 0);
  }

  private static Load load(Observation.Usable seen, NodeState node, Rates rates) {
    return new Load(
        hits(seen, node),
        rates.pointReads(),
        rates.scanCalls(),
        PartitionItems.ofCalls(rates),
        rates.writes(),
        0);
  }

  /** Lately, or since the node has started; as if all were hits where neither is known. */
  private static double hits(Observation.Usable seen, NodeState node) {
    Double missed = seen.misses().get(node.id());
    if (missed != null) {
      return 1 - missed;
    }
    double hits = node.gauges().cacheHits();
    double all = hits + node.gauges().cacheMisses();
    return knowsHits(seen, node) && all > 0 ? hits / all : 1;
  }
}
