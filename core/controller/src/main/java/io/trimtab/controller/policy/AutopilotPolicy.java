package io.trimtab.controller.policy;

import io.trimtab.controller.choice.Choices;
import io.trimtab.controller.choice.Saturation;
import io.trimtab.controller.observe.Maintenance;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.place.UsableNodes;
import io.trimtab.controller.plan.PlanFactory;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.UsageSettings;
import io.trimtab.controller.split.SplitPlanner;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.models.outlook.Outlook;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Weighs all that could be done against each other: moves, splits, profiles, compactions, nodes
 * more or fewer, and all partitions grouped anew. Takes the cheapest that brings every node below
 * the target usage, if that saves more over the horizon than it costs.
 */
public final class AutopilotPolicy implements Policy {
  private static final PlanFactory PLANS = new PlanFactory("autopilot");

  /** Usage that differs by less is told once. */
  private static final double SAME = 0.02;

  @Override
  public String name() {
    return PLANS.policy();
  }

  @Override
  public Set<Need> needs() {
    return Set.of(Need.HINTS, Need.HISTOGRAMS, Need.RECORD);
  }

  @Override
  public Set<Need> uses(Settings settings) {
    return Set.of(Need.MODEL);
  }

  @Override
  public Decision decide(Observation.Usable seen, PolicyState state, Settings settings) {
    return decide(seen, state, settings, Veto.NONE);
  }

  @Override
  public Decision decide(Observation.Usable seen, PolicyState state, Settings settings, Veto veto) {
    DecisionContext context = new DecisionContext(seen, state, settings);
    List<NodeState> nodes = UsableNodes.of(seen);
    if (nodes.isEmpty() || seen.snapshot().partitions().isEmpty()) {
      return context.hold("there are no partitions, or no usable nodes", "");
    }
    return context.placement().assignsPartitions()
        ? assigned(context, nodes, veto)
        : new RingChoice(context, nodes, veto).decide(PLANS);
  }

  private static Decision assigned(DecisionContext context, List<NodeState> nodes, Veto veto) {
    Choices.Situation situation = new Choices.Situation(context);
    Settings settings = context.settings();
    double high = settings.health().high();
    double most = most(context, nodes);
    // A node is asked for before it is needed, as far as the forecast is sure.
    double ahead = most * rise(context);
    int live = context.seen().snapshot().liveNodes().size();
    int upTo = nodes.size() + Math.max(0, settings.guard().maxNodes() - live);
    if (ahead > high) {
      Optional<Decision> waits = awaited(context, nodes, most, high * most / ahead);
      if (waits.isPresent()) {
        return waits.get();
      }
      Choices choices = Choices.relief(situation, upTo);
      if (Math.max(most, choices.mostNow()) > high) {
        return relieve(context, choices, most, veto);
      }
    }
    int least = Math.max(1, Math.min(nodes.size(), context.fewest().nodes()));
    least = Math.max(least, nodes.size() - context.mostLeaving(nodes.size() - least));
    if (nodes.size() > least && spare(context, nodes)) {
      Optional<String> emptied = Maintenance.emptied(context.seen().snapshot());
      if (emptied.isPresent()) {
        return rest(context, situation, nodes, most, veto)
            .orElseGet(() -> context.hold(emptied.get() + ", so no node is given back yet", ""));
      }
      Choices choices = Choices.saving(situation, least);
      Choices.Settled settled = choices.settle(chosen -> act(context, choices, chosen, most), veto);
      if (settled.act().isPresent()) {
        // What may not be given back must not keep the rest from being done.
        return settled.refused()
            ? rest(context, situation, nodes, most, veto).orElse(settled.act().get())
            : settled.act().get();
      }
    }
    return rest(context, situation, nodes, most, veto).orElseGet(() -> context.holdHealthy(most));
  }

  /**
   * What can be done without is not planned around: if all nodes that are used too much do work
   * beside serving, what they need without it shows when it has ended.
   *
   * @param over usage above which a node is used too much, or will be
   */
  private static Optional<Decision> awaited(
      DecisionContext context, List<NodeState> nodes, double most, double over) {
    List<NodeState> full =
        nodes.stream().filter(n -> context.seen().usage().get(n.id()) > over).toList();
    boolean all = full.stream().noneMatch(n -> n.maintenance().isEmpty());
    return context.settings().choice().awaitMaintenance() && all
        ? Maintenance.of(full)
            .map(
                busy ->
                    context.hold(
                        String.format(
                            Locale.ROOT,
                            "the most used node is at %.2f, but %s; it is waited for",
                            most,
                            busy),
                        "choice.awaitMaintenance"))
        : Optional.empty();
  }

  private static Decision relieve(
      DecisionContext context, Choices choices, double most, Veto veto) {
    Choices.Settled settled = choices.settle(chosen -> act(context, choices, chosen, most), veto);
    if (settled.act().isPresent()) {
      return settled.act().get();
    }
    int weighed = settled.alternatives().size();
    return new Decision.Hold(
        String.format(Locale.ROOT, "the most used node is at %.2f, but ", most)
            + (weighed == 0
                ? "no move, split, profile or node would relieve it"
                : "none of " + Counted.of(weighed, "alternative") + " is worth its price"),
        "choice.horizon",
        context.state(),
        settled.alternatives());
  }

  private static Decision.Act act(
      DecisionContext context, Choices choices, Choices.Chosen chosen, double most) {
    PolicyState before = context.state();
    int step = Saturation.next(Saturation.isReached(most), before.step());
    List<PolicyState.Classified> classes = PolicyState.classified(choices.partitions());
    double expected = choices.mostNow();
    String summary =
        String.format(
            Locale.ROOT,
            "%s: the most used node is at %.2f%s, then %.2f (target: %.2f), predicted from %s",
            chosen.title(),
            most,
            expected > most + SAME
                ? String.format(Locale.ROOT, ", expected at %.2f", expected)
                : "",
            chosen.predicted(),
            context.settings().usage().target(),
            choices.basis());
    Decision.Act act =
        PLANS.plan(
            context.seen().snapshot(),
            chosen.actions(),
            summary,
            chosen.resizes() ? 1 : chosen.gain(),
            before
                .next(step, false, classes)
                .after(chosen.actions(), context.seen().snapshot().takenAt()));
    // Not of the load that is foreseen: what is measured soon after could not be compared with it.
    return act.predicting(chosen.usage());
  }

  private static double most(DecisionContext context, List<NodeState> nodes) {
    return nodes.stream().mapToDouble(n -> context.seen().usage().get(n.id())).max().orElse(0);
  }

  /** How much the load of some table will surely rise, at least 1. */
  private static double rise(DecisionContext context) {
    return context.seen().outlooks().values().stream()
        .mapToDouble(Outlook::low)
        .reduce(1, Math::max);
  }

  /** Whether a node fewer could do, if everything were shared out evenly. */
  private static boolean spare(DecisionContext context, List<NodeState> nodes) {
    UsageSettings usage = context.settings().usage();
    double sum = nodes.stream().mapToDouble(n -> context.seen().usage().get(n.id())).sum();
    return sum / (nodes.size() - 1) <= usage.target() * (1 - usage.margin());
  }

  /** When there is nothing else to do. */
  private static Optional<Decision> rest(
      DecisionContext context,
      Choices.Situation situation,
      List<NodeState> nodes,
      double most,
      Veto veto) {
    return merges(context, nodes).or(() -> upkeep(context, situation, most, veto));
  }

  private static Optional<Decision> upkeep(
      DecisionContext context, Choices.Situation situation, double most, Veto veto) {
    return Choices.upkeep(situation)
        .flatMap(
            choices -> choices.settle(chosen -> act(context, choices, chosen, most), veto).act());
  }

  /** What was split and is cold by now is merged. */
  private static Optional<Decision> merges(DecisionContext context, List<NodeState> nodes) {
    List<Action.Merge> merges =
        SplitPlanner.merges(context.seen(), nodes, context.state(), context.settings());
    return merges.isEmpty()
        ? Optional.empty()
        : Optional.of(SplitPlanner.act(context.seen(), merges, context.state(), PLANS.policy()));
  }
}
