package io.trimtab.controller.ring;

import io.trimtab.controller.ahead.Foreseen;
import io.trimtab.controller.choice.predict.UsageBasis;
import io.trimtab.controller.learn.NodeLoads;
import io.trimtab.controller.observe.ModelMismatch;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.SlowNode;
import io.trimtab.controller.place.UsagePrediction;
import io.trimtab.controller.place.UsagePrediction.Origin;
import io.trimtab.controller.place.UsageSource;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.models.outlook.Outlook;
import io.trimtab.models.usage.UsageEstimate;
import io.trimtab.models.usage.UsageModel.Load;
import io.trimtab.models.usage.UsagePredictor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What nodes of a ring use when they are asked for more or less of what they are asked for now. By
 * what requests cost, where that is certain enough, a node uses as much as before for being awake,
 * and the rest goes with the load; else all of it does.
 */
public final class RingUsage {
  /** Of what is predicted, for nodes whose shares differ. */
  private static final double UNCERTAIN = 0.1;

  /** Usage of each node; less that may come is no reason to keep one (ours). */
  private static final double MATTERS = 0.05;

  /** So that usages that differ in their last digits are alike. */
  static final double ROUNDING = 1e-9;

  /**
   * What requests cost.
   *
   * @param of by node
   */
  private record Costs(Function<NodeId, UsageEstimate> of, Origin origin) {}

  private final Observation.Usable seen;
  private final List<NodeId> counted;

  /** Empty where nothing is certain enough. */
  private final Optional<Costs> costs;

  /** What each node uses for what it is asked for now. */
  private final Map<NodeId, Double> now;

  private final String text;

  private RingUsage(
      Observation.Usable seen,
      List<NodeId> counted,
      Optional<Costs> costs,
      Map<NodeId, Double> now,
      String text) {
    this.seen = seen;
    this.counted = counted;
    this.costs = costs;
    this.now = now;
    this.text = text;
  }

  /**
   * Of nodes that are usable. What slow ones use says little of how much is asked for; nor does
   * what a node uses that has just started, as long as there are others.
   */
  public static RingUsage of(Observation.Usable seen, List<NodeState> nodes) {
    Set<NodeId> avoided = seen.slow().stream().map(SlowNode::node).collect(Collectors.toSet());
    List<NodeId> working =
        nodes.stream().map(NodeState::id).filter(id -> !avoided.contains(id)).toList();
    List<NodeId> warm = working.stream().filter(id -> !seen.cold().contains(id)).toList();
    List<NodeId> counted = warm.isEmpty() ? working : warm;
    List<String> doubts = new ArrayList<>();
    for (Costs known : known(seen)) {
      Optional<String> doubt = doubt(seen, nodes, known);
      if (doubt.isEmpty()) {
        String told = known.origin() == Origin.BUILT ? warning(seen) : "";
        return new RingUsage(seen, counted, Optional.of(known), seen.usage(), told);
      }
      doubts.add(doubt.get());
    }
    String why = doubts.isEmpty() ? "" : "; by shares alone, as " + String.join(", and ", doubts);
    return new RingUsage(seen, counted, Optional.empty(), seen.usage(), why);
  }

  /** What there is, the best first: a built model, unless it is of other nodes. */
  private static List<Costs> known(Observation.Usable seen) {
    List<Costs> all = new ArrayList<>();
    seen.learned()
        .ifPresent(learned -> all.add(new Costs(node -> learned.of(node.name()), Origin.LEARNED)));
    seen.model()
        .map(UsagePredictor::new)
        .map(model -> new Costs(node -> model, Origin.BUILT))
        .ifPresent(model -> all.add(UsageSource.isOfOthers(seen) ? all.size() : 0, model));
    return all;
  }

  /** Of what the built model is of, if that is not the ring's nodes. */
  private static String warning(Observation.Usable seen) {
    return seen.model()
        .flatMap(model -> ModelMismatch.besidesCache("the built model", model, seen.snapshot()))
        .map(clause -> "; warning: " + clause)
        .orElse("");
  }

  /** Why what requests cost is not used, if so. */
  private static Optional<String> doubt(
      Observation.Usable seen, List<NodeState> nodes, Costs known) {
    for (Map.Entry<NodeId, Load> node : NodeLoads.of(seen, nodes).entrySet()) {
      UsageEstimate costs = known.of().apply(node.getKey());
      // Either with all of the load or, of what remains when it is shared, with none.
      for (Load load : List.of(node.getValue(), Load.NONE)) {
        Optional<String> refused = refused(costs, load);
        if (refused.isPresent()) {
          return refused;
        }
        if (costs.deviation(load) > UsageSource.DEVIATION_MAX) {
          String what =
              known.origin() == Origin.BUILT ? "what the model says of" : "what requests cost on";
          return Optional.of(
              "%s %s is not certain enough (%s)"
                  .formatted(what, node.getKey(), costs.uncertainty(load)));
        }
      }
    }
    return Optional.empty();
  }

  /** Where the load has a kind of request that a model was not built for. */
  private static Optional<String> refused(UsageEstimate costs, Load load) {
    try {
      costs.usage(load);
      return Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.of(e.getMessage());
    }
  }

  /**
   * Usage of a node.
   *
   * @param factor what it is asked for, as a multiple of what it is now
   */
  public double at(NodeId node, double factor) {
    double used = now.get(node);
    double idle = Math.min(used, costs.map(known -> known.of().apply(node).idle()).orElse(0.0));
    return idle + factor * (used - idle);
  }

  /** Standard deviation of what a node uses for being awake; 0 where that is not told apart. */
  double idleDeviation(NodeId node) {
    return costs.map(known -> known.of().apply(node).deviation(Load.NONE)).orElse(0.0);
  }

  /**
   * The same for a single node, of which an idle share that is taken for too large hides what is
   * asked: with a tenth of it in doubt, as of all that is predicted.
   */
  double idleDoubt(NodeId node) {
    return Math.hypot(idleDeviation(node), UNCERTAIN * at(node, 0));
  }

  /** Whether a node's usage tells how much is asked for. */
  boolean counts(NodeId node) {
    return counted.contains(node);
  }

  /** What a node uses for what it is asked for now. */
  double beyondIdle(NodeId node) {
    return at(node, 1) - at(node, 0);
  }

  /** Usage of the most used node, likewise. */
  public double most(double factor) {
    return counted.stream().mapToDouble(node -> at(node, factor)).max().orElse(0);
  }

  /** Mean usage of the nodes, likewise. */
  double mean(double factor) {
    return counted.stream().mapToDouble(node -> at(node, factor)).average().orElse(0);
  }

  /** How many nodes are used more than that, likewise. */
  int over(double factor, double limit) {
    return (int) counted.stream().filter(node -> at(node, factor) > limit + ROUNDING).count();
  }

  /**
   * The same once nodes have other caches of rows. Of their contents only the hit ratio is known
   * ({@link RowHits}).
   *
   * @param actions those that configure nodes
   * @return empty where it is not known well enough what a miss costs, or how much is missed
   */
  Optional<RingUsage> configured(List<PlannedAction> actions) {
    Map<NodeId, Double> then = new HashMap<>(now);
    // Of all at once: it takes a look at every partition.
    Map<NodeId, Load> loads =
        costs.isPresent() ? NodeLoads.of(seen, seen.snapshot().liveNodes()) : Map.of();
    for (PlannedAction planned : actions) {
      Optional<Action.Reconfigure> change = planned.action().as(Action.Reconfigure.class);
      if (change.isEmpty()) {
        continue;
      }
      Optional<Double> less = saved(change.get(), loads);
      if (less.isEmpty()) {
        return Optional.empty();
      }
      then.computeIfPresent(change.get().node(), (id, used) -> Math.max(0, used - less.get()));
    }
    return Optional.of(new RingUsage(seen, counted, costs, then, text));
  }

  /**
   * What a node uses less with another cache, in [−1, 1] or so; empty if it is not known. Of range
   * reads as many blocks are missed as before: no cache of rows answers them.
   *
   * @param loads what each live node is asked for
   */
  private Optional<Double> saved(Action.Reconfigure change, Map<NodeId, Load> loads) {
    Optional<NodeState> known =
        seen.snapshot()
            .node(change.node())
            .filter(node -> loads.containsKey(node.id()))
            .filter(node -> NodeLoads.knowsHits(seen, node))
            .filter(node -> node.gauges().cacheBytes(change.from()) > 0);
    if (costs.isEmpty() || known.isEmpty()) {
      return Optional.empty();
    }
    NodeState node = known.get();
    Load asked = loads.get(node.id());
    Load then =
        RowHits.with(
            asked, node.gauges().cacheBytes(change.from()), node.gauges().cacheBytes(change.to()));
    UsageEstimate its = costs.get().of().apply(node.id());
    return refused(its, then).isPresent() || its.deviation(then) > UsageSource.DEVIATION_MAX
        ? Optional.empty()
        : Optional.of(its.usage(asked) - its.usage(then));
  }

  /** The same with a standard deviation to spare. */
  public double atWorst(double factor) {
    return counted.stream()
        .mapToDouble(
            node -> {
              double usage = at(node, factor);
              return usage + Math.hypot(UNCERTAIN * usage, (factor - 1) * idleDeviation(node));
            })
        .max()
        .orElse(0);
  }

  /**
   * Usage of each node when there are others: each has its share of the load of now, and one that
   * joins as much as the average of those that work.
   *
   * @param then the nodes that there are then, those that join by their placeholders
   * @param working nodes of now that do as much as they should
   * @param share what a node does then of what it does now
   */
  public UsagePrediction after(List<NodeId> then, List<NodeId> working, double share) {
    double average = working.stream().mapToDouble(n -> at(n, share)).average().orElse(0);
    SortedMap<NodeId, Double> predicted = new TreeMap<>();
    then.forEach(n -> predicted.put(n, seen.usage().containsKey(n) ? at(n, share) : average));
    return new UsagePrediction(origin(), predicted);
  }

  /**
   * How much more will be asked for, of all tables by their requests; at least 1. That of tables
   * that next to nobody asks for now is no multiple of anything: see {@link #idleRise}.
   */
  public double more(Foreseen foreseen) {
    double asked = 0;
    double then = 0;
    for (Map.Entry<String, Double> table : requests().entrySet()) {
      if (table.getValue() >= Outlook.NOTHING) {
        asked += table.getValue();
        then += table.getValue() * foreseen.factor(table.getKey());
      }
    }
    return asked > 0 ? then / asked : 1;
  }

  /** By table, requests a second. */
  private Map<String, Double> requests() {
    Map<String, Double> requests = new HashMap<>();
    seen.rates().forEach((id, rates) -> requests.merge(id.table(), rates.total(), Double::sum));
    return requests;
  }

  /**
   * Why nodes are kept for tables that next to nobody asks for now, as a clause; empty if nothing
   * that matters is foreseen of them: by what reads usually cost, as nothing is known of theirs.
   *
   * @param nodes that share it
   */
  Optional<String> idleRise(Foreseen foreseen, int nodes) {
    Map<String, Double> rises = new TreeMap<>();
    requests().entrySet().stream()
        .filter(table -> table.getValue() < Outlook.NOTHING)
        .forEach(
            table ->
                rises.put(
                    table.getKey(),
                    foreseen.rate(table.getKey(), table.getValue()) - table.getValue()));
    double all = rises.values().stream().mapToDouble(Double::doubleValue).sum();
    Load each = Load.withoutScans(1, all / Math.max(1, nodes), 0, 0);
    return UsageBasis.Requests.usual(each, UsageBasis.Requests.MISSES) < MATTERS
        ? Optional.empty()
        : rises.entrySet().stream()
            .max(Map.Entry.comparingByValue())
            .map(
                most ->
                    String.format(
                        Locale.ROOT,
                        "table %s, with next to no requests now, is expected to have %.0f more a"
                            + " second within %s",
                        most.getKey(),
                        most.getValue(),
                        foreseen.minutes()));
  }

  /** What usage is predicted from. */
  public Origin origin() {
    return costs.map(Costs::origin).orElse(Origin.REQUESTS);
  }

  /**
   * Why what requests cost is not used although something is known of it, or that it is of other
   * nodes; to end a sentence.
   */
  public String text() {
    return text;
  }
}
