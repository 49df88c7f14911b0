package io.trimtab.controller.policy;

import io.trimtab.controller.guard.FewestNodes;
import io.trimtab.controller.guard.MostNodes;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.place.EvenSpread;
import io.trimtab.controller.place.UsableNodes;
import io.trimtab.controller.plan.LeadTime;
import io.trimtab.controller.plan.PlanFactory;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.Trigger;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * TIRAMOLA (Konstantinou 2011, §4.4): adds or removes one node when the administrator's triggers
 * are met; no profiles; partitions are placed by {@link EvenSpread}.
 */
public final class TiramolaPolicy implements Policy {
  private static final PlanFactory PLANS = new PlanFactory("tiramola");

  @Override
  public String name() {
    return PLANS.policy();
  }

  @Override
  public Set<Need> needs() {
    return Set.of();
  }

  /**
   * Whether all of some triggers are met.
   *
   * @param why the values that met them or, where they are not met, what is missing
   */
  private record Judged(boolean met, String why) {}

  @Override
  public Decision decide(Observation.Usable seen, PolicyState state, Settings settings) {
    DecisionContext context = new DecisionContext(seen, state, settings);
    List<NodeState> nodes = UsableNodes.of(seen);
    List<NodeId> present = UsableNodes.ids(seen);
    if (nodes.isEmpty()) {
      return context.hold("no node could take partitions", "");
    }
    Judged add = judged(settings.tiramola().add(), seen, nodes);
    if (add.met()) {
      MostNodes most = context.most();
      if (present.size() >= most.nodes()) {
        return context.hold(add.why() + ", but " + most.refusal(), most.setting());
      }
      List<NodeId> all = new ArrayList<>(present);
      all.addAll(DecisionContext.joining(1));
      String why = add.why() + LeadTime.told(seen.offer());
      return EvenSpread.decide(context, all, List.of(), why, PLANS);
    }
    Judged remove = judged(settings.tiramola().remove(), seen, nodes);
    if (remove.met()) {
      FewestNodes least = context.fewest();
      if (present.size() <= least.nodes()) {
        return context.hold(
            remove.why() + ", but " + least.refusal(present.size()), least.setting());
      }
      NodeId leaves = context.leaves(present);
      List<NodeId> stay = present.stream().filter(n -> !n.equals(leaves)).toList();
      String why = remove.why() + context.kept(present);
      return EvenSpread.decide(context, stay, List.of(leaves), why, PLANS);
    }
    return context.hold(
        "no node is added: " + add.why() + "; none is removed: " + remove.why(), "tiramola.add");
  }

  private static Judged judged(
      List<Trigger> triggers, Observation.Usable seen, List<NodeState> nodes) {
    if (triggers.isEmpty()) {
      return new Judged(false, "nothing is set that asks for it");
    }
    for (Trigger trigger : triggers) {
      long met = nodes.stream().filter(n -> trigger.isMetBy(value(trigger, n, seen))).count();
      if (met < (trigger.nodes() == Trigger.Nodes.ANY ? 1 : nodes.size())) {
        return new Judged(false, missing(trigger, seen, nodes));
      }
    }
    List<Trigger> any = triggers.stream().filter(t -> t.nodes() == Trigger.Nodes.ANY).toList();
    List<NodeState> meetAll =
        nodes.stream()
            .filter(n -> any.stream().allMatch(t -> t.isMetBy(value(t, n, seen))))
            .toList();
    if (meetAll.isEmpty()) {
      return new Judged(
          false,
          any.stream().map(t -> t.metric() + " is " + t.limit()).collect(Collectors.joining(", "))
              + ", but not on one and the same node");
    }
    return new Judged(
        true,
        triggers.stream()
            .map(t -> found(t, seen, t.nodes() == Trigger.Nodes.ANY ? meetAll : nodes))
            .collect(Collectors.joining(", ")));
  }

  /** A trigger that is met, by the values of nodes that meet it. */
  private static String found(Trigger trigger, Observation.Usable seen, List<NodeState> nodes) {
    ToDoubleFunction<NodeState> value = n -> value(trigger, n, seen);
    if (trigger.nodes() == Trigger.Nodes.ANY) {
      NodeState first = nodes.get(0);
      return trigger.metric()
          + " of "
          + first.id()
          + " is "
          + trigger.metric().text(value.applyAsDouble(first));
    }
    return trigger.metric() + " of all nodes is " + bound(trigger, seen, nodes);
  }

  private static String missing(Trigger trigger, Observation.Usable seen, List<NodeState> nodes) {
    long unknown = nodes.stream().filter(n -> Double.isNaN(value(trigger, n, seen))).count();
    boolean any = trigger.nodes() == Trigger.Nodes.ANY;
    return trigger.metric()
        + (any ? " of no node is " : " of all nodes is not ")
        + trigger.limit()
        + (unknown < nodes.size() ? ", but " + bound(trigger, seen, nodes) : "")
        + (unknown > 0 ? ", and unknown of " + Counted.of(unknown, "node") : "");
  }

  /** The value that decides about a trigger: the least of all or the greatest. */
  private static String bound(Trigger trigger, Observation.Usable seen, List<NodeState> nodes) {
    double[] known =
        nodes.stream()
            .mapToDouble(n -> value(trigger, n, seen))
            .filter(v -> !Double.isNaN(v))
            .sorted()
            .toArray();
    boolean greatest = (trigger.above() != null) == (trigger.nodes() == Trigger.Nodes.ANY);
    return greatest
        ? "at most " + trigger.metric().text(known[known.length - 1])
        : "at least " + trigger.metric().text(known[0]);
  }

  /** A node's value; NaN where it is unknown. */
  private static double value(Trigger trigger, NodeState node, Observation.Usable seen) {
    double cpu = seen.cpu().getOrDefault(node.id(), Double.NaN);
    double usage = seen.usage().getOrDefault(node.id(), Double.NaN);
    NodeGauges gauges = node.gauges();
    return switch (trigger.metric()) {
      case CPU -> cpu;
      case USAGE -> usage;
      case IOWAIT -> Math.max(0, usage - cpu);
      case LOAD5 -> known(node.usage().load5());
      case HEAP -> known(gauges.heapUsedBytes()) / known(gauges.heapMaxBytes());
      case COMPACTIONS -> known(gauges.compactionQueue());
      case FLUSHES -> known(gauges.flushQueue());
    };
  }

  /** Of engines and machines that do not tell it the values are negative. */
  private static double known(double value) {
    return value >= 0 ? value : Double.NaN;
  }
}
