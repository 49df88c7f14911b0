package io.trimtab.controller.policy;

import io.trimtab.controller.choice.Alternative;
import io.trimtab.controller.choice.Choices;
import io.trimtab.controller.choice.Saturation;
import io.trimtab.controller.maintenance.EmptiedNodes;
import io.trimtab.controller.maintenance.Waiting;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.place.UsableNodes;
import io.trimtab.controller.plan.PlanFactory;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.UsageSettings;
import io.trimtab.controller.split.SplitPlanner;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.models.outlook.Outlook;
import io.trimtab.models.usage.EvenShare;
import java.util.ArrayList;
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

  private final Veto veto;

  AutopilotPolicy() {
    this(Veto.NONE);
  }

  private AutopilotPolicy(Veto veto) {
    this.veto = veto;
  }

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
  public Policy heeding(Veto other) {
    return new AutopilotPolicy(other);
  }

  @Override
  public Decision decide(Observation.Usable seen, PolicyState state, Settings settings) {
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
      Waiting waiting = waiting(context, nodes, high * most / ahead);
      boolean may = mayWait(context, most);
      if (may && waiting.what().isPresent()) {
        return await(context, waiting, most);
      }
      Choices choices = Choices.relief(situation, upTo);
      if (Math.max(most, choices.mostNow()) > high) {
        return relieve(context, choices, most, waiting.ignored(may), veto);
      }
    }
    int least = Math.max(1, Math.min(nodes.size(), context.fewest().nodes()));
    least = Math.max(least, nodes.size() - context.mostLeaving(nodes.size() - least));
    if (nodes.size() > least && spare(context, nodes)) {
      Optional<String> emptied = EmptiedNodes.first(context.seen().snapshot());
      if (emptied.isPresent()) {
        return rest(context, situation, nodes, most, veto)
            .orElseGet(() -> context.hold(emptied.get() + ", so no node is given back yet", ""));
      }
      Choices choices = Choices.saving(situation, least);
      Choices.Settled saving = choices.settle(chosen -> act(context, choices, chosen, most), veto);
      if (saving.act().isPresent()) {
        // What may not be given back must not keep the rest from being done.
        return saving.refusal().isEmpty()
            ? saving.act().get()
            : rest(context, situation, nodes, most, veto)
                .map(rest -> instead(context, saving, rest, veto))
                .orElse(saving.act().get());
      }
    }
    return rest(context, situation, nodes, most, veto).orElseGet(() -> context.holdHealthy(most));
  }

  /** What else there is to do; if that is refused, too, both refusals are told. */
  private static Decision instead(
      DecisionContext context, Choices.Settled saving, Decision rest, Veto veto) {
    Optional<String> refusal =
        rest instanceof Decision.Act act ? veto.refusal(act) : Optional.empty();
    if (refusal.isEmpty()) {
      return rest;
    }
    List<Alternative> all = new ArrayList<>(saving.alternatives());
    all.addAll(rest.weighed());
    if (refusal.equals(saving.refusal())) {
      return saving.act().orElseThrow().with(all);
    }
    String reason =
        "to give nodes back is refused: %s; to %s is refused: %s"
            .formatted(
                saving.refusal().orElseThrow(),
                ((Decision.Act) rest).plan().actions().get(0).action().kind(),
                refusal.get());
    return new Decision.Hold(reason, "", context.state(), all);
  }

  /**
   * What can be done without is not planned around: if all nodes that are used too much do work
   * beside serving, what they need without it shows when it has ended.
   *
   * @param over usage above which a node is used too much, or will be
   */
  private static Waiting waiting(DecisionContext context, List<NodeState> nodes, double over) {
    List<NodeId> full =
        nodes.stream()
            .map(NodeState::id)
            .filter(id -> context.seen().usage().get(id) > over)
            .toList();
    return Waiting.ofAll(
        full,
        context.seen().busy(),
        context.seen().snapshot().takenAt(),
        context.settings().choice().horizon());
  }

  /** On a node that is used to its limit requests fail meanwhile. */
  private static boolean mayWait(DecisionContext context, double most) {
    return context.settings().choice().awaitMaintenance() && !Saturation.isReached(most);
  }

  private static Decision await(DecisionContext context, Waiting waiting, double most) {
    return context.hold(
        String.format(
            Locale.ROOT,
            "the most used node is at %.2f, but %s; it is waited for %s",
            most,
            waiting.what().orElseThrow(),
            waiting.until()),
        "choice.awaitMaintenance");
  }

  private static Decision relieve(
      DecisionContext context, Choices choices, double most, Optional<String> ignored, Veto veto) {
    Choices.Settled settled =
        choices.settle(chosen -> act(context, choices, chosen, most, ignored), veto);
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
    return act(context, choices, chosen, most, Optional.empty());
  }

  /**
   * The plan.
   *
   * @param ignored what it does not wait for, a clause
   */
  private static Decision.Act act(
      DecisionContext context,
      Choices choices,
      Choices.Chosen chosen,
      double most,
      Optional<String> ignored) {
    PolicyState before = context.state();
    List<PolicyState.Classified> classes = PolicyState.classified(choices.partitions());
    double expected = choices.mostNow();
    String summary =
        String.format(
            Locale.ROOT,
            "%s: the most used node is at %.2f%s, then %.2f (target: %.2f), predicted from %s%s",
            chosen.title(),
            most,
            expected > most + SAME
                ? String.format(Locale.ROOT, ", expected at %.2f", expected)
                : "",
            chosen.predicted(),
            context.settings().usage().target(),
            choices.basis(),
            ignored.map(clause -> "; " + clause).orElse(""));
    Decision.Act act =
        PLANS.plan(
            context.seen().snapshot(),
            chosen.actions(),
            summary,
            chosen.resizes() ? 1 : chosen.gain(),
            before
                .next(before.step(), false, classes)
                .after(Saturation.isReached(most))
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
    double then = EvenShare.usage(0, sum, nodes.size(), nodes.size() - 1.0);
    return then <= usage.target() * (1 - usage.margin());
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
