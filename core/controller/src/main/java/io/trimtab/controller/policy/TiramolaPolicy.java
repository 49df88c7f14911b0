package io.trimtab.controller.policy;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.place.EvenSpread;
import io.trimtab.controller.place.UsableNodes;
import io.trimtab.controller.plan.PlanFactory;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.TiramolaSettings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Counted;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * TIRAMOLA (Konstantinou 2012, §4.4): adds one node if any is busy, removes one if all are idle; no
 * profiles; partitions are placed by {@link EvenSpread}. Because nodes may share a machine, the
 * smoothed CPU share is used instead of the five-minute load average.
 */
public final class TiramolaPolicy implements Policy {
  private static final PlanFactory PLANS = new PlanFactory("tiramola");

  @Override
  public String name() {
    return "tiramola";
  }

  @Override
  public Set<Need> needs() {
    return Set.of();
  }

  @Override
  public Decision decide(Observation.Usable seen, PolicyState state, Settings settings) {
    DecisionContext context = new DecisionContext(seen, state, settings);
    List<NodeId> present = UsableNodes.ids(seen);
    if (present.isEmpty()) {
      return context.hold("no node could take partitions", "");
    }
    TiramolaSettings t = settings.tiramola();
    double most = present.stream().mapToDouble(n -> seen.cpu().get(n)).max().orElse(0);
    if (most > t.addAbove()) {
      if (present.size() >= settings.guard().maxNodes()) {
        return context.hold(
            "a node is busy, but " + Counted.are(present.size(), "node") + " the most allowed",
            "guard.maxNodes");
      }
      List<NodeId> all = new ArrayList<>(present);
      all.addAll(DecisionContext.joining(1));
      String summary = String.format(Locale.ROOT, "CPU of a node is %.2f", most);
      return EvenSpread.decide(context, all, List.of(), summary, PLANS);
    }
    if (most < t.removeBelow()) {
      FewestNodes least = context.fewest();
      if (present.size() <= least.nodes()) {
        return context.hold(
            "all nodes idle, but " + least.refusal(present.size()), least.setting());
      }
      NodeId leaves = context.leaves(present);
      List<NodeId> stay = present.stream().filter(n -> !n.equals(leaves)).toList();
      String summary = String.format(Locale.ROOT, "CPU of all nodes is at most %.2f", most);
      return EvenSpread.decide(context, stay, List.of(leaves), summary, PLANS);
    }
    return context.hold(
        String.format(
            Locale.ROOT,
            "the busiest node's CPU is %.2f, between %.2f and %.2f",
            most,
            t.removeBelow(),
            t.addAbove()),
        "tiramola.addAbove");
  }
}
