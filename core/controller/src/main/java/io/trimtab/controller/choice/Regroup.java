package io.trimtab.controller.choice;

import io.trimtab.controller.choice.layout.ClusterLoad;
import io.trimtab.controller.choice.layout.KeptProfiles;
import io.trimtab.controller.choice.layout.Layout;
import io.trimtab.controller.choice.layout.LayoutWork;
import io.trimtab.controller.choice.layout.PlanLimits;
import io.trimtab.controller.choice.layout.PlanWork;
import io.trimtab.controller.choice.predict.Budget;
import io.trimtab.controller.place.PlacementInput;
import io.trimtab.controller.place.TargetState;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Groups all partitions by access class on nodes configured for it (Cruz 2016, §3.2.2, stages C and
 * D), on as many nodes as there are and on one more; then small steps, since the grouping goes by
 * requests and not by what they cost. Where one plan may not move as much, the first part of it, if
 * that is a better cluster already; what would take more plans than fit into the horizon is not
 * begun.
 */
final class Regroup implements Generator {
  private final int most;

  /**
   * @param most nodes that there may be
   */
  Regroup(int most) {
    this.most = most;
  }

  @Override
  public List<Candidate> propose(Layout now, Evaluator evaluator) {
    List<Candidate> found = new ArrayList<>();
    PlanLimits limits = evaluator.limits();
    PlanWork allMoved = new PlanWork(now.load().partitions().size(), 0, 0, 0);
    if (!evaluator.isInTime(limits.plans(allMoved))) {
      return found;
    }
    Budget budget = evaluator.budget();
    for (int more = 0; more <= 1 && now.size() + more <= most; more++) {
      Layout layout = now.copy();
      for (int i = 0; i < more; i++) {
        layout.add(Profile.HOMOGENEOUS);
      }
      String kept = group(layout, limits);
      new Relief(evaluator, budget, EnumSet.of(Relief.Kind.MOVE)).improve(layout);
      String all = (more == 0 ? "all partitions" : "all partitions on one more node") + kept;
      LayoutWork work = LayoutWork.of(layout);
      if (limits.allow(work)) {
        found.add(new Candidate("regroup " + all, layout));
      }
      double plans = limits.plans(work.most());
      if (plans > 1 && evaluator.isInTime(plans)) {
        Optional<Layout> part = GainOrder.begun(now, layout, evaluator);
        part.ifPresent(begun -> found.add(new Candidate("begin to regroup " + all, begun)));
      }
    }
    return found;
  }

  /** Groups them; returns which nodes keep their profiles, to end a title. */
  static String group(Layout layout, PlanLimits limits) {
    ClusterLoad load = layout.load();
    Map<NodeId, Integer> index = new HashMap<>();
    layout.present().forEach(n -> index.put(layout.name(n), n));
    PlacementInput in = load.input(layout.names());
    TargetState target = TargetState.fromScratch(in);
    int[] nodeOf = new int[load.partitions().size()];
    for (int p = 0; p < nodeOf.length; p++) {
      boolean placed = target.node(p) >= 0 && layout.nodeOf(p) >= 0;
      nodeOf[p] = placed ? index.get(in.name(target.node(p))) : layout.nodeOf(p);
    }
    layout.placeAll(nodeOf);
    target.profiles().forEach((node, profile) -> layout.configure(index.get(node), profile));
    return KeptProfiles.keep(layout, limits);
  }
}
