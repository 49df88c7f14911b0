package io.trimtab.controller.policy;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.plan.PlanFactory;
import io.trimtab.controller.settings.Settings;
import java.util.Set;

/**
 * MeT as the thesis has it (Cruz 2016, §3.2.2 and §3.3, Algorithms 1 and 2): where more nodes than
 * {@code health.suboptimal} are overloaded, nodes are added straight away, in the first run too;
 * otherwise the first run reconfigures the nodes that there are. Each plan places all partitions
 * anew by the shares of the access classes and configures nodes for them, balanced by requests or,
 * with {@code place.balancer: usage}, by predicted usage (§6.2). The sets go to nodes at the least
 * cost, where the thesis's Algorithm 3 is greedy; what else is ours is in decision 0031. Where
 * tokens place the data it is {@link Met1Policy}.
 */
public final class MetPolicy implements Policy {
  private static final PlanFactory PLANS = new PlanFactory("met");

  @Override
  public String name() {
    return PLANS.policy();
  }

  @Override
  public Set<Need> needs() {
    return Set.of();
  }

  @Override
  public Set<Need> uses(Settings settings) {
    return switch (settings.place().balancer()) {
      case REQUESTS -> Set.of();
      case USAGE -> Set.of(Need.HISTOGRAMS, Need.MODEL, Need.RECORD);
    };
  }

  @Override
  public Decision decide(Observation.Usable seen, PolicyState state, Settings settings) {
    MetStages met = MetStages.regrouping(new DecisionContext(seen, state, settings), PLANS);
    return met.undecidable()
        .or(met::configuredInPlace)
        .or(met::healthy)
        .orElseGet(() -> resized(met, settings.health().suboptimal()));
  }

  /** Stage B, Algorithm 1. */
  private static Decision resized(MetStages met, double threshold) {
    boolean most = met.over().size() > threshold * met.nodes().size();
    if (met.first() && !(most && met.mayGrow())) {
      return met.initial();
    }
    return met.idle() ? met.shrink() : met.grow("");
  }
}
