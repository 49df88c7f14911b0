package io.trimtab.controller.ring;

import io.trimtab.controller.agreement.Floor;
import io.trimtab.controller.ahead.Foreseen;
import io.trimtab.controller.guard.FewestNodes;
import io.trimtab.controller.guard.Topology;
import io.trimtab.controller.place.EvenSpread;
import io.trimtab.controller.place.UsableNodes;
import io.trimtab.controller.plan.PlanFactory;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.DecisionContext;
import io.trimtab.controller.policy.Policy;
import io.trimtab.engineapi.NodeId;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Whether a node of a ring is given back; where it is not, a slow one may be replaced. */
final class RingReturn {
  /** Usage beyond idle of a node that does next to nothing (ours). */
  private static final double LIGHT = 0.05;

  private final RingSituation ring;
  private final DecisionContext context;
  private final RingReplacement replacement;
  private final Policy.Veto veto;
  private final PlanFactory plans;

  RingReturn(RingSituation ring, RingReplacement replacement, Policy.Veto veto, PlanFactory plans) {
    this.ring = ring;
    this.context = ring.context;
    this.replacement = replacement;
    this.veto = veto;
    this.plans = plans;
  }

  /** One node fewer, where there are several. */
  RingTable.Option weighed() {
    return ring.table.fewer(leaves(), working(ring.load));
  }

  Decision decide() {
    double limit = ring.target() * (1 - context.settings().usage().ringMargin());
    Foreseen later = context.later();
    Optional<String> needed = needed().or(() -> needed(1, limit));
    if (needed.isPresent()) {
      ring.table.tell(RingTable.FEWER, needed.get());
      return replacement
          .decide()
          .orElseGet(() -> context.holdHealthy(ring.most).adding(ring.agreed.unpaid()));
    }
    Optional<String> then = needed(ring.usage.more(later), limit);
    if (then.isPresent()) {
      ring.table.tell(RingTable.FEWER, then.get() + ", with what is expected");
      return replacement
          .decide()
          .orElseGet(() -> context.holdHealthy(ring.most).adding(ring.told(later)));
    }
    if (ring.cold().isPresent()) {
      String why =
          "what " + ring.cold().get() + " uses tells nothing yet, as it has only just started";
      ring.table.tell(RingTable.FEWER, "waits: " + why);
      return spared(why, "");
    }
    Optional<String> rise = ring.usage.idleRise(later, ring.nodes.size() - 1);
    if (rise.isPresent()) {
      ring.table.tell(RingTable.FEWER, "waits: " + rise.get());
      return replacement.decide().orElseGet(() -> spared(rise.get(), "choice.horizon"));
    }
    Floor floor = ring.agreed.floor(ring.nodes.size());
    if (ring.nodes.size() - 1 < floor.nodes()) {
      ring.table.tell(RingTable.FEWER, "refused: " + floor.brief());
      return replacement.decide().orElseGet(() -> spared(floor.brief(), floor.setting()));
    }
    RingTable.Option fewer = weighed();
    if (fewer.gain() <= 0) {
      return replacement.decide().orElseGet(() -> unpaid(fewer));
    }
    return ring.awaited("a node could be given back").orElseGet(this::given);
  }

  /** Where that is refused, another may take a slow one's place all the same. */
  private Decision given() {
    Decision given = given(working(1));
    Optional<Policy.Refused> refused =
        given instanceof Decision.Act act ? veto.refusal(act) : Optional.empty();
    refused.ifPresent(why -> ring.table.tell(RingTable.FEWER, "refused: " + why.reason()));
    return refused.isEmpty() ? given : replacement.plan().orElse(given);
  }

  private Decision given(double working) {
    NodeId leaves = leaves();
    List<NodeId> staying = ring.present().stream().filter(n -> !n.equals(leaves)).toList();
    String summary = ring.text(staying.size(), working) + kept();
    return ring.predicting(
        EvenSpread.decide(context, staying, List.of(leaves), summary, plans), staying, working);
  }

  /** Why it does not pay to give a node back: the first of what it costs that is too much. */
  private Decision.Hold unpaid(RingTable.Option fewer) {
    double saved = ring.costs.paid(leaves());
    RingChange change = fewer.change();
    if (saved == 0) {
      return spared("its price is 0, so that this would save nothing", "");
    }
    if (saved <= change.cold()) {
      return spared(
          String.format(
              Locale.ROOT,
              "whatever it stores, that it leaves counts as %.0f s of a node, and saves %.0f s",
              change.cold(),
              saved),
          "choice.horizon");
    }
    double lost = saved - change.price() - fewer.gain();
    return saved <= change.price() || change.copying() > lost
        ? spared("to copy what it stores to the others costs more than it saves", "choice.horizon")
        : spared(
            "that the others may be above the target then counts for more than it saves",
            "choice.lossWeight");
  }

  private Decision.Hold spared(String why, String setting) {
    return context.hold("a node could be given back, but " + why, setting);
  }

  /** The slow node, where it may be the one that is given back. */
  private Optional<NodeId> slowest() {
    return ring.slow
        .map(SlowMember::node)
        .filter(node -> Topology.refuses(context.seen().snapshot(), Set.of(node), 0).isEmpty())
        .filter(node -> context.mayLeave(node, ring.present()));
  }

  private NodeId leaves() {
    return slowest().orElseGet(() -> context.leaves(ring.present()));
  }

  /**
   * Whether next to nothing is asked of the node that leaves, so that no other is used much more
   * without it, wherever that goes: the most used ones have ranges that are asked for more, and a
   * node with others is of no use to them.
   *
   * @param more what is asked for, as a multiple of what is now
   */
  private boolean isLight(double more) {
    NodeId leaves = leaves();
    double load = more * ring.usage.beyondIdle(leaves) + ring.usage.idleDoubt(leaves);
    return load <= LIGHT && ring.usage.most(more) + load <= ring.target();
  }

  /**
   * How many nodes' work is done when one has left, a slow one's as far as it is.
   *
   * @param more what is asked for, as a multiple of what is now
   */
  private double working(double more) {
    if (isLight(more)) {
      // The others do what they did.
      return ring.nodes.size() - ring.shares.lacking();
    }
    int then = ring.nodes.size() - 1;
    return slowest().isPresent() ? then : then - ring.shares.lacking();
  }

  /** Why no node can be spared, a clause; empty if one can, if usage allows it. */
  private Optional<String> needed() {
    FewestNodes least = context.fewest();
    if (ring.nodes.size() <= least.nodes()) {
      return Optional.of(least.refusal(ring.nodes.size()));
    }
    if (UsableNodes.removable(context.seen(), ring.present(), List.of()).isEmpty()) {
      return Optional.of(UsableNodes.removable(context.seen()).rule());
    }
    return Optional.empty();
  }

  /**
   * The same by usage.
   *
   * @param more what is asked for, as a multiple of what is now
   */
  private Optional<String> needed(double more, double limit) {
    boolean spare =
        isLight(more) || ring.usage.atWorst(ring.shares.share(working(more)) * more) <= limit;
    return spare ? Optional.empty() : Optional.of(above(limit));
  }

  private static String above(double limit) {
    return String.format(
        Locale.ROOT, "a node may be above %.2f, which is the target less usage.ringMargin", limit);
  }

  /** Why a slow node, or one that does less than the one that leaves, stays; empty if none does. */
  private String kept() {
    if (slowest().isPresent()) {
      return "";
    }
    return ring.slow
        .map(SlowMember::node)
        .filter(node -> !context.mayLeave(node, ring.present()))
        .map(node -> UsableNodes.kept(context.seen(), node))
        .orElseGet(() -> context.kept(ring.present()));
  }
}
