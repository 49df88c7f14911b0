package io.trimtab.controller.ring;

import io.trimtab.controller.agreement.Agreements;
import io.trimtab.controller.agreement.Wanted;
import io.trimtab.controller.ahead.Foreseen;
import io.trimtab.controller.guard.MostNodes;
import io.trimtab.controller.health.Saturation;
import io.trimtab.controller.maintenance.Awaiting;
import io.trimtab.controller.maintenance.RingChanges;
import io.trimtab.controller.maintenance.Waiting;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.DecisionContext;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.engineapi.snapshot.NodeState;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** What all parts of a ring's decision need, and the table that they fill. */
final class RingSituation {
  final DecisionContext context;
  final List<NodeState> nodes;
  final Optional<SlowMember> slow;
  final Foreseen soon;
  final RingUsage usage;
  final RingShares shares;
  final Agreements agreed;

  /** How many nodes there should be for agreements that are missed; empty if none is. */
  final Optional<Wanted> wanted;

  /** Usage of the most used node. */
  final double most;

  /** Whether nodes are used too much, or will be before something could be done about it. */
  final boolean full;

  final RingCosts costs;

  /** What is asked for, as a multiple of what nodes do now. */
  final double load;

  final RingTable table;
  private final Awaiting awaiting;
  private final Waiting waiting;

  /**
   * @param nodes that are usable
   */
  RingSituation(DecisionContext context, List<NodeState> nodes) {
    this.context = context;
    this.nodes = nodes;
    this.slow = SlowMember.of(context.seen(), present());
    this.soon = context.soon();
    this.usage = RingUsage.of(context.seen(), nodes);
    this.shares = new RingShares(present(), slow, usage);
    this.agreed = Agreements.of(context.seen(), context.settings()).ofPaying();
    this.wanted = agreed.wanted(nodes.size());
    this.most = usage.most(1);
    this.full = usage.most(usage.more(soon)) > context.settings().health().high();
    this.costs = RingCosts.of(context);
    this.load = full || wanted.isPresent() ? asked() : usage.more(context.later());
    this.table = new RingTable(shares, usage, costs, load);
    this.awaiting = new Awaiting(context.seen(), context.settings().choice(), most);
    this.waiting = awaiting.ofAny();
  }

  List<NodeId> present() {
    return nodes.stream().map(NodeState::id).toList();
  }

  /** Nodes that tell nothing of how much they are asked for. */
  Set<NodeId> saturated() {
    return Saturation.full(
        context.seen().usage(), nodes.stream().filter(n -> usage.counts(n.id())).toList());
  }

  /**
   * What is asked for, as a multiple of what nodes do now: what is foreseen and, where the usage of
   * the most used one tells nothing of it, more after each plan that has left a node so.
   */
  private double asked() {
    double beyond = Saturation.isReached(most) ? Saturation.asked(inVain()) : 1;
    return usage.more(soon) * beyond;
  }

  /** A node that has just started, if one has. */
  Optional<NodeId> cold() {
    return present().stream().filter(context.seen().cold()::contains).findFirst();
  }

  /** Plans in a row that have left a node so full. */
  private int inVain() {
    return saturated().stream().mapToInt(context.state()::fullFor).max().orElse(0);
  }

  double target() {
    return context.settings().usage().target();
  }

  /** The most nodes that there may be. */
  MostNodes allowed() {
    return agreed.most(context.most());
  }

  /**
   * A ring that changes would make a repair fail, or copy what is being rewritten. One that is used
   * to its limit changes all the same.
   */
  Optional<Decision> awaited(String what) {
    Optional<String> busy = awaiting.what(waiting);
    busy.ifPresent(work -> table.tell(RingTable.Option::changesRing, "waits: " + work));
    return busy.map(
        work ->
            context.hold(what + ", but " + RingChanges.sentence(work, waiting), Awaiting.SETTING));
  }

  /** What goes on and is not waited for, to end a summary. */
  String ignored() {
    return awaiting.ignored(waiting);
  }

  /** What is foreseen, and over which time changes are counted, to end a summary. */
  String told(Foreseen foreseen) {
    return foreseen.text() + context.seen().ahead().horizonText(context.settings().choice());
  }

  /**
   * What a number of nodes brings, to begin a summary.
   *
   * @param working how many nodes' work is done then, a slow one's as far as it is
   */
  String text(int then, double working) {
    return slow.map(node -> node.told().text() + "; ").orElse("")
        + String.format(
            Locale.ROOT,
            "the most used of %s is at %.2f, with %d at %.2f (target: %.2f)",
            Counted.of(nodes.size(), "node"),
            most,
            then,
            usage.most(shares.share(working)),
            target())
        + usage.text()
        + ignored();
  }

  /**
   * The decision with what each node is predicted to use by the load of now.
   *
   * @param then the nodes that there are then
   * @param working how many nodes' work is done then, a slow one's as far as it is
   */
  Decision predicting(Decision decision, List<NodeId> then, double working) {
    return decision instanceof Decision.Act act
        ? act.predicting(shares.predicted(then, working))
        : decision;
  }
}
