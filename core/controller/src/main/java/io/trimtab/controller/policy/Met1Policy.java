package io.trimtab.controller.policy;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.plan.PlanFactory;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.split.MergePlanner;
import io.trimtab.controller.split.SplitPlanner;
import io.trimtab.engineapi.plan.Action;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * After MeT (Cruz 2016, §3.2.2), with what was found to be better (decision 0005): the initial
 * reconfiguration comes before any node is added, also on a cluster most of whose nodes are
 * overloaded, because moving costs less than a machine; nodes that come or go change no more than
 * they must; partitions too hot for a node are split. {@link MetPolicy} is the thesis's own.
 */
public final class Met1Policy implements Policy {
  private static final PlanFactory PLANS = new PlanFactory("met-1");

  @Override
  public String name() {
    return PLANS.policy();
  }

  @Override
  public Set<Need> needs() {
    return Set.of(Need.HINTS);
  }

  @Override
  public Decision decide(Observation.Usable seen, PolicyState state, Settings settings) {
    DecisionContext context = new DecisionContext(seen, state, settings);
    MetStages met = MetStages.keepingPlaces(context, PLANS);
    return met.undecidable()
        .or(() -> merges(met, context))
        .or(met::configuredInPlace)
        .or(met::healthy)
        .orElseGet(() -> resized(met, context));
  }

  /** What was split and is cold by now is merged when no node is overloaded. */
  private static Optional<Decision> merges(MetStages met, DecisionContext context) {
    PolicyState state = context.state();
    if (!met.over().isEmpty() || met.first()) {
      return Optional.empty();
    }
    List<Action.Merge> merges =
        MergePlanner.merges(context.seen(), met.nodes(), state, context.settings());
    return merges.isEmpty()
        ? Optional.empty()
        : Optional.of(
            MergePlanner.act(
                context.seen(), merges, met.next(state.step(), state.first()), PLANS.policy()));
  }

  private static Decision resized(MetStages met, DecisionContext context) {
    if (met.first()) {
      return met.initial();
    }
    if (met.idle()) {
      return met.shrink();
    }
    // A partition that alone is more than a node should carry is no better off on another node.
    PolicyState state = context.state();
    SplitPlanner.Proposal splits =
        met.assigns()
            ? SplitPlanner.splits(
                context.seen(), met.nodes(), met.over(), state, context.settings())
            : SplitPlanner.Proposal.NONE;
    if (!splits.actions().isEmpty()) {
      return SplitPlanner.act(
          context.seen(),
          splits.actions(),
          splits.gain(),
          met.next(state.step(), false),
          PLANS.policy());
    }
    return met.grow(splits.refusal());
  }
}
