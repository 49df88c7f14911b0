package io.trimtab.controller.policy;

import io.trimtab.controller.agreement.Agreements;
import io.trimtab.controller.agreement.Floor;
import io.trimtab.controller.agreement.Wanted;
import io.trimtab.controller.ahead.Foreseen;
import io.trimtab.controller.guard.MostNodes;
import io.trimtab.controller.guard.Topology;
import io.trimtab.controller.health.Saturation;
import io.trimtab.controller.maintenance.Awaiting;
import io.trimtab.controller.maintenance.RingChanges;
import io.trimtab.controller.maintenance.Waiting;
import io.trimtab.controller.observe.Classifier;
import io.trimtab.controller.place.EvenSpread;
import io.trimtab.controller.place.UsableNodes;
import io.trimtab.controller.place.UsagePacking;
import io.trimtab.controller.plan.LeadTime;
import io.trimtab.controller.plan.PlanFactory;
import io.trimtab.controller.ring.RingCosts;
import io.trimtab.controller.ring.RingProfiles;
import io.trimtab.controller.ring.RingUsage;
import io.trimtab.controller.ring.SlowMember;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.engineapi.snapshot.NodeState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The decision where tokens own the data: nodes can be configured, be more or fewer, and take a
 * slow one's place. With n instead of m nodes each has m/n of the load.
 */
final class RingChoice {
  private final DecisionContext context;
  private final List<NodeState> nodes;
  private final Policy.Veto veto;
  private final Optional<SlowMember> slow;
  private final RingCosts costs;
  private final Foreseen soon;
  private final RingUsage usage;
  private final Agreements agreed;

  /** Usage of the most used node. */
  private final double most;

  private final Awaiting awaiting;
  private final Waiting waiting;

  RingChoice(DecisionContext context, List<NodeState> nodes, Policy.Veto veto) {
    this.context = context;
    this.nodes = nodes;
    this.veto = veto;
    this.slow = SlowMember.of(context.seen(), present());
    this.costs = RingCosts.of(context);
    this.soon = context.soon();
    this.usage = RingUsage.of(context.seen(), nodes);
    this.agreed = Agreements.of(context.seen(), context.settings()).ofPaying();
    this.most = usage.most(1);
    this.awaiting = new Awaiting(context.seen(), context.settings().choice(), most);
    this.waiting = awaiting.ofAny();
  }

  private List<NodeId> present() {
    return nodes.stream().map(NodeState::id).toList();
  }

  /** All but a slow one. */
  private List<NodeId> fast() {
    return present().stream()
        .filter(id -> slow.filter(node -> node.node().equals(id)).isEmpty())
        .toList();
  }

  /** What a slow node does less than its peers, in nodes. */
  private double lacking() {
    return slow.map(node -> 1 - node.capacity()).orElse(0.0);
  }

  Decision decide(PlanFactory plans) {
    boolean full = usage.most(usage.more(soon)) > context.settings().health().high();
    Optional<Wanted> wanted = agreed.wanted(nodes.size());
    if (wanted.isEmpty()) {
      return full ? grow(plans) : shrink(plans);
    }
    // What relieves a node may keep an agreement as well, if nothing says that nodes lack.
    Optional<Decision> relief =
        full && !wanted.get().sure() ? Optional.of(grow(plans)) : Optional.empty();
    if (relief.filter(Decision.Act.class::isInstance).isPresent()) {
      return relief.get();
    }
    Decision kept = keep(plans, wanted.get(), full);
    if (kept instanceof Decision.Act) {
      return kept;
    }
    // Where no node may join, those that there are may be configured, or a slow one replaced.
    return Optional.of(full && wanted.get().sure() ? grow(plans) : kept)
        .filter(Decision.Act.class::isInstance)
        .or(() -> replaced(plans).filter(Decision.Act.class::isInstance))
        .orElse(kept);
  }

  /**
   * Nodes for agreements that are missed.
   *
   * @param full whether nodes are used too much besides
   */
  private Decision keep(PlanFactory plans, Wanted wanted, boolean full) {
    MostNodes allowed = agreed.most(context.most());
    Settings settings = context.settings();
    Set<NodeId> saturated = Saturation.full(context.seen().usage(), nodes);
    int byUsage = full ? enough(asked(saturated), settings.usage().target()) : 0;
    int then = Math.min(allowed.nodes(), Math.max(wanted.nodes(), byUsage));
    if (then <= nodes.size()) {
      return context.hold(agreed.missed() + ", but " + allowed.refusal(), allowed.setting());
    }
    return awaited(agreed.missed())
        .orElseGet(
            () ->
                joined(
                    then,
                    saturated,
                    wanted.why() + "; " + text(then, then - lacking()) + costs.text() + told(soon),
                    plans));
  }

  /** So many nodes, as they share the load then. */
  private Decision joined(int then, Set<NodeId> saturated, String summary, PlanFactory plans) {
    PolicyState state = context.state().after(saturated);
    List<NodeId> all = new ArrayList<>(present());
    all.addAll(DecisionContext.joining(then - nodes.size()));
    DecisionContext next = new DecisionContext(context.seen(), state, context.settings());
    return predicting(
        EvenSpread.decide(next, all, List.of(), summary, plans), all, then - lacking());
  }

  private Decision grow(PlanFactory plans) {
    Settings settings = context.settings();
    RingProfiles profiles =
        context
            .placement()
            .profilesInPlace(
                context.seen(),
                Classifier.classify(context.seen(), context.state(), settings),
                nodes,
                settings.place().way());
    if (!profiles.actions().isEmpty()) {
      return plans.plan(
          context.seen().snapshot(),
          profiles.actions(),
          String.format(
              Locale.ROOT, "a node is at %.2f; nodes are configured for their requests", most),
          profiles.share(),
          context.state());
    }
    Set<NodeId> full = Saturation.full(context.seen().usage(), nodes);
    double asked = asked(full);
    double target = settings.usage().target();
    double working = nodes.size() - lacking();
    // A node in a slow one's place is none more.
    Optional<Decision> instead =
        usage.most(asked * working / nodes.size()) <= target
            ? replaced(plans).filter(Decision.Act.class::isInstance)
            : Optional.empty();
    if (instead.isPresent()) {
      return instead.get();
    }
    MostNodes allowed = agreed.most(context.most());
    int enough = Math.min(allowed.nodes(), enough(asked, target));
    if (enough <= nodes.size()) {
      return context.hold(
          String.format(Locale.ROOT, "a node is at %.2f, but %s", most, allowed.refusal()),
          allowed.setting());
    }
    int then = costs.cheapest(nodes.size(), enough, n -> usage.most(asked * share(n - lacking())));
    if (then <= nodes.size()) {
      return context.hold(
          String.format(
              Locale.ROOT,
              "a node is at %.2f, but another costs more than it brings%s",
              most,
              costs.text()),
          "choice.horizon");
    }
    Optional<Decision> waits = awaited(String.format(Locale.ROOT, "a node is at %.2f", most));
    if (waits.isPresent()) {
      return waits.get();
    }
    return joined(then, full, text(then, then - lacking()) + costs.text() + told(soon), plans);
  }

  /**
   * How many nodes bring the most used one to the target, at least one more than there are. One
   * more where no number does, as nodes use more than that without load.
   */
  private int enough(double asked, double target) {
    int tried = nodes.size() + UsagePacking.NODES_TRIED_MAX;
    return IntStream.range(nodes.size() + 1, tried)
        .filter(n -> usage.most(asked * share(n - lacking())) <= target + 1e-9)
        .findFirst()
        .orElse(nodes.size() + 1);
  }

  /**
   * What is asked for, as a multiple of what nodes do now: what is foreseen and, where the usage of
   * the most used one tells nothing of it, more after each plan that has left a node so.
   *
   * @param full nodes that tell nothing of how much they are asked for
   */
  private double asked(Set<NodeId> full) {
    int inVain = full.stream().mapToInt(context.state()::fullFor).max().orElse(0);
    double beyond = Saturation.isReached(most) ? Saturation.asked(inVain) : 1;
    return usage.more(soon) * beyond;
  }

  private Decision shrink(PlanFactory plans) {
    Settings settings = context.settings();
    int then = nodes.size() - 1;
    Optional<NodeId> slowest =
        slow.map(SlowMember::node)
            .filter(this::maySpare)
            .filter(node -> context.mayLeave(node, present()));
    double working = slowest.isPresent() ? then : then - lacking();
    double limit = settings.usage().target() * (1 - settings.usage().margin());
    Foreseen later = context.later();
    if (then < context.fewest().nodes()
        || UsableNodes.removable(context.seen(), present(), List.of()).isEmpty()
        || usage.atWorst(share(working)) > limit) {
      return replaced(plans).orElseGet(() -> context.holdHealthy(most).adding(agreed.unpaid()));
    }
    if (usage.atWorst(share(working) * usage.more(later)) > limit) {
      return replaced(plans).orElseGet(() -> context.holdHealthy(most).adding(told(later)));
    }
    Floor floor = agreed.floor(nodes.size());
    if (then < floor.nodes()) {
      return replaced(plans)
          .orElseGet(
              () ->
                  context.hold(
                      "a node could be given back, but " + floor.brief(), floor.setting()));
    }
    Optional<Decision> waits = awaited("a node could be given back");
    if (waits.isPresent()) {
      return waits.get();
    }
    NodeId leaves = slowest.orElseGet(() -> context.leaves(present()));
    List<NodeId> staying = present().stream().filter(n -> !n.equals(leaves)).toList();
    return predicting(
        EvenSpread.decide(
            context, staying, List.of(leaves), text(then, working) + kept(slowest), plans),
        staying,
        working);
  }

  /**
   * With each node's share of the load of now.
   *
   * @param working how many nodes' work is done then, a slow one's as far as it is
   */
  private Decision predicting(Decision decision, List<NodeId> then, double working) {
    return decision instanceof Decision.Act act
        ? act.predicting(usage.after(then, fast(), share(working)))
        : decision;
  }

  /** Why a slow node, or one that does less than the one that leaves, stays; empty if none does. */
  private String kept(Optional<NodeId> slowest) {
    if (slowest.isPresent()) {
      return "";
    }
    return slow.map(SlowMember::node)
        .filter(node -> !context.mayLeave(node, present()))
        .map(node -> UsableNodes.kept(context.seen(), node))
        .orElseGet(() -> context.kept(present()));
  }

  private boolean maySpare(NodeId node) {
    return Topology.refuses(context.seen().snapshot(), Set.of(node), 0).isEmpty();
  }

  /** Another node takes a slow one's place, or why not yet; empty where none is slow. */
  private Optional<Decision> replaced(PlanFactory plans) {
    return slow.map(node -> replaced(node, plans));
  }

  private Decision replaced(SlowMember node, PlanFactory plans) {
    Settings settings = context.settings();
    String text = node.told().text();
    if (node.gain(context.horizon()) <= costs.ofReplacing(node)) {
      return context.hold(
          text + "; so far it would cost more than it brings to put another in its place",
          "choice.horizon");
    }
    Optional<String> stays = node.stays(context);
    if (stays.isPresent()) {
      return context.hold(text + "; " + stays.get(), "");
    }
    MostNodes allowed = agreed.most(context.most());
    if (nodes.size() >= allowed.nodes()) {
      return context.hold(
          text + "; to replace it takes a node more for a while, but " + allowed.refusal(),
          allowed.setting());
    }
    Optional<Decision> waits = awaited(text);
    if (waits.isPresent()) {
      return waits.get();
    }
    List<NodeId> then = new ArrayList<>(fast());
    List<NodeId> joins = DecisionContext.joining(1);
    then.addAll(joins);
    String summary =
        text
            + "; another takes its place"
            + LeadTime.told(context.seen().offer())
            + awaiting.ignored(waiting);
    PolicyState state = context.state().replacing(node.node(), joins.get(0), now());
    DecisionContext next = new DecisionContext(context.seen(), state, settings);
    Decision decision =
        predicting(
            EvenSpread.decide(next, then, List.of(node.node()), summary, plans), then, then.size());
    return decision instanceof Decision.Act act
        ? veto.refusal(act)
            .<Decision>map(
                why ->
                    context.hold(
                        text + "; to replace it is refused: " + why.reason(), why.setting()))
            .orElse(act)
        : decision;
  }

  private Instant now() {
    return context.seen().snapshot().takenAt();
  }

  /**
   * A ring that changes would make a repair fail, or copy what is being rewritten. One that is used
   * to its limit changes all the same.
   */
  private Optional<Decision> awaited(String what) {
    return awaiting
        .what(waiting)
        .map(
            busy ->
                context.hold(
                    what + ", but " + RingChanges.sentence(busy, waiting), Awaiting.SETTING));
  }

  /** What is foreseen, and over which time changes are counted, to end a summary. */
  private String told(Foreseen foreseen) {
    return foreseen.text() + context.seen().ahead().horizonText(context.settings().choice());
  }

  /**
   * What a node does then of what it does now.
   *
   * @param working how many nodes' work is done then, a slow one's as far as it is
   */
  private double share(double working) {
    return (nodes.size() - lacking()) / Math.max(1, working);
  }

  private String text(int then, double working) {
    return slow.map(node -> node.told().text() + "; ").orElse("")
        + String.format(
            Locale.ROOT,
            "the most used of %s is at %.2f, with %d at %.2f (target: %.2f)",
            Counted.of(nodes.size(), "node"),
            most,
            then,
            usage.most(share(working)),
            context.settings().usage().target())
        + usage.text()
        + awaiting.ignored(waiting);
  }
}
