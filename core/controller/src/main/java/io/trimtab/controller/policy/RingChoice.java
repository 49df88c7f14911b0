package io.trimtab.controller.policy;

import io.trimtab.controller.choice.Saturation;
import io.trimtab.controller.observe.Classifier;
import io.trimtab.controller.place.EvenSpread;
import io.trimtab.controller.place.UsagePrediction;
import io.trimtab.controller.plan.PlanFactory;
import io.trimtab.controller.ring.RingProfiles;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.models.outlook.Outlook;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * The decision where tokens own the data: nodes can be configured, and be more or fewer. With n
 * instead of m nodes each has m/n of the load.
 */
final class RingChoice {
  /** Of what is predicted, for nodes whose shares differ. */
  private static final double UNCERTAIN = 0.1;

  private final DecisionContext context;
  private final List<NodeState> nodes;
  private final double most;

  RingChoice(DecisionContext context, List<NodeState> nodes) {
    this.context = context;
    this.nodes = nodes;
    this.most = nodes.stream().mapToDouble(n -> context.seen().usage().get(n.id())).max().orElse(0);
  }

  Decision decide(PlanFactory plans) {
    double high = context.settings().health().high();
    return most * foreseen(Outlook::low) > high ? grow(plans) : shrink(plans);
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
    PolicyState state = context.state();
    boolean saturated = Saturation.isReached(most);
    double asked = most * foreseen(Outlook::low) * (saturated ? Saturation.asked(state.step()) : 1);
    int wanted = (int) Math.ceil(nodes.size() * asked / settings.usage().target() - 1e-9);
    int then = Math.min(settings.guard().maxNodes(), Math.max(nodes.size() + 1, wanted));
    if (then <= nodes.size()) {
      return context.hold(
          String.format(
              Locale.ROOT,
              "a node is at %.2f, but %s the most allowed",
              most,
              Counted.are(nodes.size(), "node")),
          "guard.maxNodes");
    }
    List<NodeId> all = new ArrayList<>(nodes.stream().map(NodeState::id).toList());
    all.addAll(DecisionContext.joining(then - nodes.size()));
    int step = Saturation.next(saturated, state.step());
    DecisionContext next =
        new DecisionContext(
            context.seen(), state.next(step, state.first(), state.classes()), settings);
    return predicting(EvenSpread.decide(next, all, List.of(), text(then), plans), all);
  }

  private Decision shrink(PlanFactory plans) {
    Settings settings = context.settings();
    FewestNodes least = context.fewest();
    int then = nodes.size() - 1;
    double limit = settings.usage().target() * (1 - settings.usage().margin());
    if (then < least.nodes()
        || predicted(then) * foreseen(Outlook::high) * (1 + UNCERTAIN) > limit) {
      return context.holdHealthy(most);
    }
    List<NodeId> present = nodes.stream().map(NodeState::id).toList();
    NodeId leaves = context.leaves(present);
    List<NodeId> staying = present.stream().filter(n -> !n.equals(leaves)).toList();
    return predicting(
        EvenSpread.decide(context, staying, List.of(leaves), text(then), plans), staying);
  }

  /** Each node has its share of the load of now; one that joins has as much as the average. */
  private Decision predicting(Decision decision, List<NodeId> then) {
    if (!(decision instanceof Decision.Act act)) {
      return decision;
    }
    Map<NodeId, Double> now = context.seen().usage();
    double average = nodes.stream().mapToDouble(n -> now.get(n.id())).average().orElse(0);
    double share = (double) nodes.size() / then.size();
    SortedMap<NodeId, Double> usage = new TreeMap<>();
    then.forEach(n -> usage.put(n, share * now.getOrDefault(n, average)));
    return act.predicting(new UsagePrediction(UsagePrediction.Origin.REQUESTS, usage));
  }

  /** How much more will be asked for, of all tables by their requests; at least 1. */
  private double foreseen(ToDoubleFunction<Outlook> which) {
    Map<String, Double> requests = new HashMap<>();
    context
        .seen()
        .rates()
        .forEach((id, rates) -> requests.merge(id.table(), rates.total(), Double::sum));
    double now = 0;
    double then = 0;
    for (Map.Entry<String, Double> table : requests.entrySet()) {
      Outlook outlook = context.seen().outlooks().get(table.getKey());
      now += table.getValue();
      then += table.getValue() * (outlook == null ? 1 : which.applyAsDouble(outlook));
    }
    return now > 0 ? Math.max(1, then / now) : 1;
  }

  private double predicted(int number) {
    return most * nodes.size() / Math.max(1, number);
  }

  private String text(int then) {
    return String.format(
        Locale.ROOT,
        "the most used of %s is at %.2f, with %d at %.2f (target: %.2f)",
        Counted.of(nodes.size(), "node"),
        most,
        then,
        predicted(then),
        context.settings().usage().target());
  }
}
