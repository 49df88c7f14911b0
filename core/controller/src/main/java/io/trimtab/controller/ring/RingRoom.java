package io.trimtab.controller.ring;

import io.trimtab.controller.guard.Topology;
import io.trimtab.controller.health.Saturation;
import io.trimtab.controller.place.EvenSpread;
import io.trimtab.controller.plan.PlanFactory;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.DecisionContext;
import io.trimtab.controller.settings.PlaceSettings.Tokens;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.NodeState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Nodes that do little leave, where others are used too much and no more are allowed, so that
 * others can join where the requests are.
 */
final class RingRoom {
  /** Usage beyond idle of a node that does little beside nodes that are used too much (ours). */
  private static final double LITTLE = 0.1;

  private final RingSituation ring;
  private final DecisionContext context;
  private final PlanFactory plans;

  RingRoom(RingSituation ring, PlanFactory plans) {
    this.ring = ring;
    this.context = ring.context;
    this.plans = plans;
  }

  /**
   * As many nodes leave as are used too much, if as many do little. Empty if there is none, if its
   * provider might have none in its place, if that costs more than it can bring, if what may come
   * needs it, or where it was in vain lately.
   *
   * @param full what is told of the most used node, to begin the summary
   */
  Optional<Decision> make(String full) {
    boolean may =
        context.settings().place().tokens() == Tokens.REQUESTS
            && ring.cold().isEmpty()
            && inVain() < Saturation.PLANS_MAX;
    List<NodeId> leave = may ? idle() : List.of();
    if (leave.isEmpty()
        || ring.usage.idleRise(context.later(), ring.nodes.size() - leave.size()).isPresent()) {
      return Optional.empty();
    }
    String what = leave.stream().map(NodeId::toString).collect(Collectors.joining(", "));
    ring.table.room(leave, "remove " + what + ", to make room");
    return Optional.of(
        ring.awaited("nodes would be given back").orElseGet(() -> plan(leave, full, what)));
  }

  private Decision plan(List<NodeId> leave, String full, String what) {
    List<NodeId> staying = ring.present().stream().filter(n -> !leave.contains(n)).toList();
    String summary =
        String.format(
            Locale.ROOT,
            "%s, and no more nodes are allowed; %s, used to %.2f or less, %s, so that %s can join"
                + " where the requests are%s",
            full,
            what,
            leave.stream().mapToDouble(n -> ring.usage.at(n, 1)).max().orElse(0),
            leave.size() == 1 ? "leaves" : "leave",
            leave.size() == 1 ? "another" : "others",
            ring.ignored());
    DecisionContext counted =
        new DecisionContext(context.seen(), context.state().after(full()), context.settings());
    double working = ring.nodes.size() - ring.shares.lacking();
    return ring.predicting(
        EvenSpread.decide(counted, staying, leave, summary, plans), staying, working);
  }

  /** Nodes that are used too much. */
  private Set<NodeId> full() {
    double high = context.settings().health().high();
    return ring.nodes.stream()
        .map(NodeState::id)
        .filter(ring.usage::counts)
        .filter(n -> ring.usage.at(n, 1) > high)
        .collect(Collectors.toSet());
  }

  /** Plans in a row that have left one of them so full, or made room for it. */
  private int inVain() {
    return full().stream().mapToInt(context.state()::fullFor).max().orElse(0);
  }

  /** Nodes that do little, the least used first, no more than are used too much. */
  private List<NodeId> idle() {
    int least = Math.max(context.fewest().nodes(), ring.agreed.floor(ring.nodes.size()).nodes());
    List<Double> full =
        full().stream().map(n -> ring.usage.at(n, 1)).sorted(Comparator.reverseOrder()).toList();
    int most = Math.min(full.size(), ring.nodes.size() - least);
    // What its provider takes back it may not have again.
    most = Math.min(most, context.seen().offer().map(NodeCapacity::spare).orElse(most));
    double more = ring.usage.more(context.later());
    List<NodeId> idle = new ArrayList<>();
    List<NodeId> staying = new ArrayList<>(ring.present());
    while (idle.size() < most) {
      NodeId next = context.leaves(staying);
      Set<NodeId> gone = new HashSet<>(idle);
      gone.add(next);
      if (more * ring.usage.beyondIdle(next) > LITTLE
          || !context.mayLeave(next, staying)
          || Topology.refuses(context.seen().snapshot(), gone, 0).isPresent()
          || !ring.costs.pays(next, ring.nodes.size(), full.get(idle.size()))) {
        break;
      }
      idle.add(next);
      staying.remove(next);
    }
    return idle;
  }
}
