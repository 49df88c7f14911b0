package io.trimtab.controller.ring;

import io.trimtab.controller.agreement.Floor;
import io.trimtab.controller.ahead.Foreseen;
import io.trimtab.controller.guard.FewestNodes;
import io.trimtab.controller.guard.Topology;
import io.trimtab.controller.health.Saturation;
import io.trimtab.controller.place.EvenSpread;
import io.trimtab.controller.place.UsableNodes;
import io.trimtab.controller.plan.PlanFactory;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.DecisionContext;
import io.trimtab.controller.settings.PlaceSettings.Tokens;
import io.trimtab.engineapi.NodeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Whether a node of a ring is given back; where it is not, a slow one may be replaced. */
final class RingReturn {
  /** Usage beyond idle of a node that does next to nothing (ours). */
  private static final double LIGHT = 0.05;

  /** The same of one that does little beside nodes that are used too much (ours). */
  private static final double LITTLE = 0.1;

  private final RingSituation ring;
  private final DecisionContext context;
  private final RingReplacement replacement;
  private final PlanFactory plans;

  RingReturn(RingSituation ring, RingReplacement replacement, PlanFactory plans) {
    this.ring = ring;
    this.context = ring.context;
    this.replacement = replacement;
    this.plans = plans;
  }

  /** One node fewer, where there are several. */
  RingTable.Option weighed() {
    return ring.table.fewer(leaves(), working());
  }

  Decision decide() {
    double working = working();
    double limit = ring.target() * (1 - context.settings().usage().margin());
    Foreseen later = context.later();
    Optional<String> needed = needed(working, limit);
    if (needed.isPresent()) {
      ring.table.tell(RingTable.FEWER, needed.get());
      return replacement
          .decide()
          .orElseGet(() -> context.holdHealthy(ring.most).adding(ring.agreed.unpaid()));
    }
    double more = ring.usage.more(later);
    if (!isLight(more) && ring.usage.atWorst(ring.shares.share(working) * more) > limit) {
      ring.table.tell(RingTable.FEWER, above(limit) + ", with what is expected");
      return replacement
          .decide()
          .orElseGet(() -> context.holdHealthy(ring.most).adding(ring.told(later)));
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
    return ring.awaited("a node could be given back").orElseGet(() -> given(working));
  }

  private Decision given(double working) {
    NodeId leaves = leaves();
    List<NodeId> staying = ring.present().stream().filter(n -> !n.equals(leaves)).toList();
    String summary = ring.text(staying.size(), working) + kept();
    return ring.predicting(
        EvenSpread.decide(context, staying, List.of(leaves), summary, plans), staying, working);
  }

  /**
   * Nodes that do little leave, where others are used too much and no more are allowed, so that
   * others can join where the requests are: as many as are used too much, if there are as many.
   * Empty if there is none, or that was in vain lately.
   *
   * @param full what is told of the most used node, to begin the summary
   */
  Optional<Decision> makeRoom(String full) {
    List<NodeId> leave =
        context.settings().place().tokens() == Tokens.REQUESTS ? idle() : List.of();
    if (leave.isEmpty() || ring.inVain() >= Saturation.PLANS_MAX || needed().isPresent()) {
      return Optional.empty();
    }
    List<NodeId> staying = ring.present().stream().filter(n -> !leave.contains(n)).toList();
    String summary =
        String.format(
            Locale.ROOT,
            "%s, and no more nodes are allowed; %s, used to %.2f or less, %s, so that %s can join"
                + " where the requests are%s",
            full,
            leave.stream().map(NodeId::toString).collect(Collectors.joining(", ")),
            leave.stream().mapToDouble(n -> ring.usage.at(n, 1)).max().orElse(0),
            leave.size() == 1 ? "leaves" : "leave",
            leave.size() == 1 ? "another" : "others",
            ring.ignored());
    double working = ring.nodes.size() - ring.shares.lacking();
    return Optional.of(
        ring.awaited("nodes would be given back")
            .orElseGet(
                () ->
                    ring.predicting(
                        EvenSpread.decide(context, staying, leave, summary, plans),
                        staying,
                        working)));
  }

  /** Nodes that do little, the least used first, no more than are used too much. */
  private List<NodeId> idle() {
    int most = ring.usage.over(1, context.settings().health().high());
    int least = Math.max(context.fewest().nodes(), ring.agreed.floor(ring.nodes.size()).nodes());
    most = Math.min(most, Math.max(0, ring.nodes.size() - least));
    most = most == 0 ? 0 : context.mostLeaving(most);
    List<NodeId> idle = new ArrayList<>();
    List<NodeId> staying = new ArrayList<>(ring.present());
    while (idle.size() < most) {
      NodeId next = context.leaves(staying);
      if (ring.usage.beyondIdle(next) > LITTLE || !context.mayLeave(next, staying)) {
        break;
      }
      idle.add(next);
      staying.remove(next);
    }
    return idle;
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
    double load = more * ring.usage.beyondIdle(leaves());
    return load <= LIGHT && ring.usage.most(more) + load <= ring.target();
  }

  /** How many nodes' work is done when one has left, a slow one's as far as it is. */
  private double working() {
    if (isLight(1)) {
      // The others do what they did.
      return ring.nodes.size() - ring.shares.lacking();
    }
    int then = ring.nodes.size() - 1;
    return slowest().isPresent() ? then : then - ring.shares.lacking();
  }

  /** Why no node can be spared now, a clause; empty if one can. */
  private Optional<String> needed(double working, double limit) {
    return needed()
        .or(
            () ->
                !isLight(1) && ring.usage.atWorst(ring.shares.share(working)) > limit
                    ? Optional.of(above(limit))
                    : Optional.empty());
  }

  /** The same, however much nodes are used. */
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

  private static String above(double limit) {
    return String.format(
        Locale.ROOT, "a node may be above %.2f, which is the target less usage.margin", limit);
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
