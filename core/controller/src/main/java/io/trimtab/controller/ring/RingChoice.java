package io.trimtab.controller.ring;

import io.trimtab.controller.agreement.Wanted;
import io.trimtab.controller.guard.MostNodes;
import io.trimtab.controller.observe.Classifier;
import io.trimtab.controller.place.EvenSpread;
import io.trimtab.controller.plan.PlanFactory;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.DecisionContext;
import io.trimtab.controller.policy.Policy;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.NodeState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The decision where tokens own the data: nodes can be configured, be more or fewer, and take a
 * slow one's place. With n instead of m nodes each has m/n of the load.
 */
public final class RingChoice {
  private final DecisionContext context;
  private final RingSituation ring;
  private final PlanFactory plans;
  private final RingReplacement replacement;
  private final RingReturn giveBack;

  /**
   * A way to relieve nodes.
   *
   * @param decision its plan, or why there is none
   */
  private record Way(RingTable.Option option, Supplier<Decision> decision) {
    /** What may suffice comes first, and of that what takes least; else what saves most. */
    static final Comparator<Way> FIRST =
        Comparator.comparing((Way way) -> !way.option().maySuffice())
            .thenComparingDouble(
                way -> way.option().maySuffice() ? way.option().takes() : -way.option().gain());
  }

  /**
   * @param nodes that are usable, at least one
   * @param veto what is said of plans that have an alternative
   * @param plans of the policy
   */
  public RingChoice(
      DecisionContext context, List<NodeState> nodes, Policy.Veto veto, PlanFactory plans) {
    this.context = context;
    this.plans = plans;
    ring = new RingSituation(context, nodes);
    replacement = new RingReplacement(ring, veto, plans);
    giveBack = new RingReturn(ring, replacement, plans);
  }

  /** What is done, with all that was weighed. */
  public Decision decide() {
    ring.slow.ifPresent(ring.table::replaced);
    if (ring.nodes.size() > 1) {
      giveBack.weighed();
    }
    Decision decision = decided();
    if (decision instanceof Decision.Act act) {
      return act.with(ring.table.alternatives(ring.table.title(act.plan())));
    }
    return ((Decision.Hold) decision).with(ring.table.alternatives(RingTable.STAY));
  }

  private Decision decided() {
    if (ring.wanted.isEmpty()) {
      return ring.full ? grow() : giveBack.decide();
    }
    Wanted owed = ring.wanted.get();
    // What relieves a node may keep an agreement as well, if nothing says that nodes lack.
    Optional<Decision> relief = ring.full && !owed.sure() ? Optional.of(grow()) : Optional.empty();
    if (relief.filter(Decision.Act.class::isInstance).isPresent()) {
      return relief.get();
    }
    Decision kept = keep(owed);
    if (kept instanceof Decision.Act) {
      return kept;
    }
    // Where no node may join, those that there are may be configured, or a slow one replaced.
    return Optional.of(ring.full && owed.sure() ? grow() : kept)
        .filter(Decision.Act.class::isInstance)
        .or(replacement::plan)
        .orElse(kept);
  }

  /** Nodes for agreements that are missed. */
  private Decision keep(Wanted owed) {
    MostNodes allowed = ring.allowed();
    int byUsage = ring.full ? ring.shares.enough(ring.load, ring.target()) : 0;
    int needed = Math.max(owed.nodes(), byUsage);
    weigh(needed, allowed);
    ring.table.tell(option -> option.nodes() < owed.nodes(), owed.brief());
    int then = Math.min(allowed.nodes(), needed);
    if (then <= ring.nodes.size()) {
      return context.hold(ring.agreed.missed() + ", but " + allowed.refusal(), allowed.setting());
    }
    ring.table.more(then);
    String why = owed.why() + "; ";
    return ring.awaited(ring.agreed.missed()).orElseGet(() -> joined(then, why));
  }

  /** Nodes that join, as many as are needed, and why there may be no more. */
  private void weigh(int needed, MostNodes allowed) {
    ring.table.upTo(needed);
    int most = Math.max(allowed.nodes(), ring.nodes.size());
    // A provider that has some left tells no reason.
    String why = allowed.refusal().isEmpty() ? "its provider has no more" : allowed.refusal();
    ring.table.tell(option -> option.nodes() > most, "refused: " + why);
  }

  /**
   * So many nodes, as they share the load then.
   *
   * @param why to begin the summary
   */
  private Decision joined(int then, String why) {
    double working = then - ring.shares.lacking();
    String summary = why + ring.text(then, working) + ring.costs.text() + ring.told(ring.soon);
    PolicyState state = context.state().after(ring.saturated());
    List<NodeId> all = new ArrayList<>(ring.present());
    all.addAll(DecisionContext.joining(then - ring.nodes.size()));
    DecisionContext next = new DecisionContext(context.seen(), state, context.settings());
    return ring.predicting(EvenSpread.decide(next, all, List.of(), summary, plans), all, working);
  }

  /** What relieves nodes: of what may bring all of them below the target the cheapest. */
  private Decision grow() {
    MostNodes allowed = ring.allowed();
    int present = ring.nodes.size();
    int needed = ring.shares.enough(ring.load, ring.target());
    weigh(needed, allowed);
    int enough = Math.min(allowed.nodes(), needed);
    int then =
        enough > present
            ? ring.costs.cheapest(present, enough, n -> ring.shares.most(n, ring.load))
            : present;
    List<Way> ways = new ArrayList<>();
    configuring().ifPresent(ways::add);
    // A node in a slow one's place is none more.
    ring.slow
        .map(slow -> new Way(ring.table.replaced(slow), () -> replacement.replace(slow)))
        .filter(way -> way.option().over() == 0)
        .ifPresent(ways::add);
    if (then > present) {
      ways.add(new Way(ring.table.more(then), () -> added(allowed, then)));
    }
    ways.sort(Way.FIRST);
    for (Way way : ways) {
      Decision decision = way.decision().get();
      if (decision instanceof Decision.Act) {
        return decision;
      }
    }
    return added(allowed, then);
  }

  /** Nodes are configured, where some are not as they should be and nothing says it is in vain. */
  private Optional<Way> configuring() {
    RingProfiles profiles =
        context
            .placement()
            .profilesInPlace(
                context.seen(),
                Classifier.classify(context.seen(), context.state(), context.settings()),
                ring.nodes,
                context.settings().place().way());
    if (profiles.actions().isEmpty()) {
      return Optional.empty();
    }
    RingTable.Option option = ring.table.configured(profiles.actions());
    return option.isPredicted() && option.gain() <= 0
        ? Optional.empty()
        : Optional.of(new Way(option, () -> configured(profiles, option)));
  }

  private Decision configured(RingProfiles profiles, RingTable.Option option) {
    String summary =
        String.format(
            Locale.ROOT, "a node is at %.2f; nodes are configured for their requests", ring.most);
    String then =
        option.isPredicted()
            ? String.format(
                Locale.ROOT, "; then at %.2f (target: %.2f)", option.most(), ring.target())
            : "";
    return plans.plan(
        context.seen().snapshot(),
        profiles.actions(),
        summary + then,
        profiles.share(),
        context.state());
  }

  /**
   * More nodes, or why there are none.
   *
   * @param then how many are worth their price, no more than are allowed
   */
  private Decision added(MostNodes allowed, int then) {
    String full = String.format(Locale.ROOT, "a node is at %.2f", ring.most);
    if (allowed.nodes() <= ring.nodes.size()) {
      return new RingRoom(ring, plans)
          .make(full)
          .orElseGet(() -> context.hold(full + ", but " + allowed.refusal(), allowed.setting()));
    }
    if (then <= ring.nodes.size()) {
      return context.hold(
          full + ", but another costs more than it brings" + ring.costs.text(), "choice.horizon");
    }
    return ring.awaited(full).orElseGet(() -> joined(then, ""));
  }
}
