package io.trimtab.controller.ring;

import io.trimtab.controller.agreement.Wanted;
import io.trimtab.controller.guard.MostNodes;
import io.trimtab.controller.health.Saturation;
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
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The decision where tokens own the data: nodes can be configured, be more or fewer, and take a
 * slow one's place. With n instead of m nodes each has m/n of the load.
 */
public final class RingChoice {
  /** Numbers of nodes that are tried where as many as are wanted are refused (ours). */
  private static final int FEWER_TRIES = 8;

  private final DecisionContext context;
  private final Policy.Veto veto;
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
    // Of one plan it is asked once, wherever that is looked at.
    Map<Decision.Act, Optional<Policy.Refused>> asked = new IdentityHashMap<>();
    this.veto = act -> asked.computeIfAbsent(act, veto::refusal);
    this.plans = plans;
    ring = new RingSituation(context, nodes);
    replacement = new RingReplacement(ring, this.veto, plans);
    giveBack = new RingReturn(ring, replacement, this.veto, plans);
  }

  /** What is done, with all that was weighed. */
  public Decision decide() {
    ring.slow.ifPresent(ring.table::replaced);
    if (ring.nodes.size() > 1) {
      giveBack.weighed();
    }
    Decision decision = decided();
    if (decision instanceof Decision.Act act) {
      String chosen = passes(act) ? ring.table.title(act.plan()) : "";
      return act.with(ring.table.alternatives(chosen));
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
    if (relief.filter(this::passes).isPresent()) {
      return relief.get();
    }
    Decision kept = keep(owed);
    if (passes(kept)) {
      return kept;
    }
    // Where no node may join, those that there are may be configured, or a slow one replaced.
    Optional<Decision> other = ring.full && owed.sure() ? Optional.of(grow()) : relief;
    Optional<Decision> passing = other.filter(this::passes).or(replacement::plan);
    if (passing.isPresent() || kept instanceof Decision.Act) {
      return passing.orElse(kept);
    }
    // Of a plan that is refused it is told why.
    return other.filter(Decision.Act.class::isInstance).orElse(kept);
  }

  /** Whether it is a plan that may be carried out. */
  private boolean passes(Decision decision) {
    return decision instanceof Decision.Act && refusal(decision).isEmpty();
  }

  private Optional<Policy.Refused> refusal(Decision decision) {
    return decision instanceof Decision.Act act ? veto.refusal(act) : Optional.empty();
  }

  /** The first way that may be gone, or fewer nodes; else as {@link #first}. */
  private Optional<Decision> passing(List<Way> ways, int then, String why) {
    Optional<Decision> first = first(ways);
    Optional<Policy.Refused> refused = first.flatMap(this::refusal);
    return refused.isEmpty() || refused.get().any() ? first : fewer(then, why).or(() -> first);
  }

  /**
   * The first way that may be gone.
   *
   * @return where all plans are refused the first of them, of which is told why; empty where none
   *     is a plan
   */
  private Optional<Decision> first(List<Way> ways) {
    Optional<Decision> refused = Optional.empty();
    for (Way way : ways) {
      if (way.decision().get() instanceof Decision.Act act) {
        Optional<Policy.Refused> why = veto.refusal(act);
        if (why.isEmpty()) {
          return Optional.of(act);
        }
        String told = "refused: " + why.get().reason();
        ring.table.tell(way.option().title(), told);
        refused = refused.or(() -> Optional.of(act));
        if (why.get().any()) {
          ring.table.tell(option -> !option.title().equals(RingTable.STAY), told);
          break;
        }
      }
    }
    return refused;
  }

  /**
   * Fewer nodes than are wanted, where so many are refused: a part of them has room on machines
   * that are shared, for example.
   *
   * @param wanted nodes in all
   */
  private Optional<Decision> fewer(int wanted, String why) {
    int least = Math.max(ring.nodes.size() + 1, wanted - FEWER_TRIES);
    // What is waited for is so with fewer, too.
    if (ring.awaited("").isPresent()) {
      return Optional.empty();
    }
    for (int then = wanted - 1; then >= least; then--) {
      Decision decision = joined(then, why);
      Optional<Policy.Refused> refused = refusal(decision);
      if (refused.isEmpty() && decision instanceof Decision.Act) {
        ring.table.more(then);
        return Optional.of(decision);
      }
      if (refused.isPresent()) {
        ring.table.tell(ring.table.more(then).title(), "refused: " + refused.get().reason());
      }
      if (refused.filter(Policy.Refused::any).isPresent()) {
        break;
      }
    }
    return Optional.empty();
  }

  /** Nodes for agreements that are missed. */
  private Decision keep(Wanted owed) {
    MostNodes allowed = ring.allowed();
    int byUsage = ring.full ? needed() : 0;
    int needed = Math.max(owed.nodes(), byUsage);
    weigh(needed, allowed);
    ring.table.tell(option -> option.nodes() < owed.nodes(), owed.brief());
    int then = Math.min(allowed.nodes(), needed);
    if (then <= ring.nodes.size()) {
      return context.hold(ring.agreed.missed() + ", but " + allowed.refusal(), allowed.setting());
    }
    String why = owed.why() + "; ";
    Way all = new Way(ring.table.more(then), () -> joined(then, why));
    return ring.awaited(ring.agreed.missed())
        .or(() -> passing(List.of(all), then, why))
        .orElseGet(() -> joined(then, why));
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
    int needed = needed();
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
    Optional<Decision> passing = passing(ways, then, "");
    boolean waits = passing.flatMap(this::refusal).filter(Policy.Refused::any).isPresent();
    if (passing.isPresent() && (waits || then > present || passes(passing.get()))) {
      return passing.get();
    }
    // Room may be made where no node may join.
    Decision added = added(allowed, then);
    return passes(added) ? added : passing.orElse(added);
  }

  /**
   * How many nodes there should be. Where only some are used too much, no more join at once than
   * all of them need in the mean: after that it shows whether these are relieved. Of nodes at their
   * limit nobody knows how much more is asked for.
   */
  private int needed() {
    int all = ring.shares.enough(ring.load, ring.target());
    return Saturation.isReached(ring.most)
        ? all
        : Math.min(all, ring.shares.enoughInTheMean(ring.load, ring.target()));
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
    return ring.awaited(full).orElseGet(() -> joined(then, meanIfFew(then)));
  }

  /** The nodes' mean usage, to begin a summary, where shares alone would ask for more of them. */
  private String meanIfFew(int then) {
    return then < ring.shares.enough(ring.load, ring.target())
        ? String.format(Locale.ROOT, "nodes are at %.2f on average; ", ring.usage.mean(ring.load))
        : "";
  }
}
