package io.trimtab.controller.place;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.plan.PlanFactory;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.DecisionContext;
import io.trimtab.controller.settings.PlaceSettings;
import io.trimtab.engineapi.AccessClass;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * For policies that decide on the number of nodes only: partitions are spread evenly by number when
 * the nodes change, as a stock cluster's own balancer would.
 */
public final class EvenSpread {
  private EvenSpread() {}

  /**
   * Evens out the numbers of partitions with as few moves as that takes.
   *
   * @param nodes that there shall be, those to be added by their placeholders
   * @param leaving nodes that there are now and shall not be
   */
  public static Decision decide(
      DecisionContext context,
      List<NodeId> nodes,
      List<NodeId> leaving,
      String summary,
      PlanFactory plans) {
    Observation.Usable seen = context.seen();
    Map<PartitionId, AccessClass> classes = new HashMap<>();
    seen.snapshot().partitions().forEach(x -> classes.put(x.id(), AccessClass.READ_WRITE));
    PlaceSettings place = context.settings().place().withoutBlockSizes();
    var in = TargetState.Input.of(seen.snapshot(), seen.rates(), classes, nodes, place);
    TargetState wanted = new TargetState(placement(seen, nodes), Map.of(), classes);
    return plans.toward(in, wanted, leaving, summary, context.state());
  }

  private static Map<PartitionId, NodeId> placement(Observation.Usable seen, List<NodeId> nodes) {
    Map<PartitionId, NodeId> placement = new TreeMap<>();
    Map<NodeId, Integer> count = new TreeMap<>();
    nodes.forEach(n -> count.put(n, 0));
    int cap = Assignment.cap(seen.snapshot().partitions().size(), nodes.size());
    List<PartitionId> homeless = new ArrayList<>();
    for (PartitionState p : seen.snapshot().partitions()) {
      NodeId at = p.node().orElse(null);
      if (at != null && count.containsKey(at) && count.get(at) < cap) {
        placement.put(p.id(), at);
        count.merge(at, 1, Integer::sum);
      } else {
        homeless.add(p.id());
      }
    }
    for (PartitionId id : homeless) {
      NodeId least =
          count.entrySet().stream().min(Map.Entry.comparingByValue()).orElseThrow().getKey();
      placement.put(id, least);
      count.merge(least, 1, Integer::sum);
    }
    return placement;
  }
}
