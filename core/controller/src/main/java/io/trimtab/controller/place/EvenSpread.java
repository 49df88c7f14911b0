package io.trimtab.controller.place;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Partitions;
import io.trimtab.controller.plan.PlanFactory;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.DecisionContext;
import io.trimtab.controller.settings.PlaceSettings;
import io.trimtab.engineapi.AccessClass;
import io.trimtab.engineapi.NodeId;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

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
    Partitions partitions = Partitions.ofOneClass(seen, AccessClass.READ_WRITE);
    PlaceSettings place = context.settings().place().withoutBlockSizes();
    var in =
        new PlacementInput(
            seen.snapshot(), partitions, nodes, place, context.settings().tables(), seen.frozen());
    return plans.toward(in, target(in), leaving, summary, context.state());
  }

  private static TargetState target(PlacementInput in) {
    Partitions partitions = in.partitions();
    int[] nodeOf = new int[partitions.size()];
    int cap = Assignment.cap(partitions.size(), in.nodes().size());
    int[] count = new int[in.nodeCount()];
    IndexHeap emptiest =
        new IndexHeap(
            in.nodeCount(), (a, b) -> count[a] < count[b] || (count[a] == count[b] && a < b));
    boolean[] stays = new boolean[in.nodeCount()];
    in.nodes().forEach(n -> stays[in.indexOf(n)] = true);
    IntList homeless = new IntList();
    for (int p = 0; p < nodeOf.length; p++) {
      if (in.stays(p)) {
        nodeOf[p] = in.at(p);
        count[in.at(p)]++;
      }
    }
    for (int p : partitions.asListed()) {
      if (in.stays(p)) {
        continue;
      }
      int at = in.at(p);
      if (at >= 0 && stays[at] && count[at] < cap) {
        nodeOf[p] = at;
        count[at]++;
      } else {
        homeless.add(p);
      }
    }
    in.nodes().forEach(n -> emptiest.add(in.indexOf(n)));
    for (int p : homeless.toArray()) {
      int least = emptiest.first();
      nodeOf[p] = least;
      count[least]++;
      emptiest.changed(least);
    }
    int[] byId = new int[nodeOf.length];
    Arrays.setAll(byId, p -> p);
    return new TargetState(in, nodeOf, byId, Map.of());
  }
}
