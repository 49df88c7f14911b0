package io.trimtab.controller.policy;

import io.trimtab.controller.agreement.Agreements;
import io.trimtab.controller.agreement.Floor;
import io.trimtab.controller.agreement.Wanted;
import io.trimtab.controller.guard.FewestNodes;
import io.trimtab.controller.guard.MostNodes;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.place.EvenSpread;
import io.trimtab.controller.place.UsableNodes;
import io.trimtab.controller.plan.LeadTime;
import io.trimtab.controller.plan.PlanFactory;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps an agreement (Chalkiadaki 2013, §3.4). Once caches are full, the mean of the last checks
 * decides. If an objective is missed, one node is added, or as many as the tables or what requests
 * have cost so far require, whichever is surer; if according to the tables fewer nodes meet the
 * objectives with a margin, one is removed. While an objective is not measured and none is missed,
 * the nodes stay. Throughput counts against what clients ask for: if it falls with the demand, no
 * promise is broken. Several agreements on one cluster need as many nodes as each of them alone,
 * together. Partitions are placed by {@link EvenSpread}.
 */
public final class SloPolicy implements Policy {
  private static final PlanFactory PLANS = new PlanFactory("slo");

  @Override
  public String name() {
    return "slo";
  }

  @Override
  public Set<Need> needs() {
    return Set.of(Need.SERVICE);
  }

  @Override
  public Set<Need> uses(Settings settings) {
    return Set.of(Need.RECORD);
  }

  @Override
  public Decision decide(Observation.Usable seen, PolicyState state, Settings settings) {
    DecisionContext context = new DecisionContext(seen, state, settings);
    List<NodeId> present = UsableNodes.ids(seen);
    if (present.isEmpty()) {
      return new Decision.Hold("no node could take load", "", state);
    }
    if (seen.services().isEmpty()) {
      return new Decision.Hold("no agreement was given", "slo.sla", state);
    }
    Agreements agreements = Agreements.of(seen, settings);
    if (agreements.isMissed()) {
      return grow(context, present, agreements);
    }
    Optional<Floor> undecided = agreements.undecided(present.size());
    if (undecided.isPresent()) {
      return context.hold(undecided.get().told(), undecided.get().setting());
    }
    int fewer = present.size() - 1;
    FewestNodes least = context.fewest();
    if (fewer < least.nodes()) {
      return context.hold(
          agreements.kept() + "; " + least.refusal(present.size()), least.setting());
    }
    Floor floor = agreements.floor(present.size());
    return floor.nodes() > fewer
        ? context.hold(floor.told(), floor.setting())
        : without(context, present, floor.told());
  }

  private static Decision grow(
      DecisionContext context, List<NodeId> present, Agreements agreements) {
    MostNodes most = agreements.most(context.most());
    if (present.size() >= most.nodes()) {
      return context.hold(agreements.missed() + ", but " + most.refusal(), most.setting());
    }
    Wanted wanted = agreements.wanted(present.size()).orElseThrow();
    List<NodeId> all = new ArrayList<>(present);
    int target = Math.min(most.nodes(), wanted.nodes());
    all.addAll(DecisionContext.joining(target - present.size()));
    String summary = wanted.why() + LeadTime.told(context.seen().offer());
    return EvenSpread.decide(context, all, List.of(), summary, PLANS);
  }

  private static Decision without(DecisionContext context, List<NodeId> present, String why) {
    NodeId leaves = context.leaves(present);
    return EvenSpread.decide(
        context,
        present.stream().filter(n -> !n.equals(leaves)).toList(),
        List.of(leaves),
        why + context.kept(present),
        PLANS);
  }
}
