package io.trimtab.controller.policy;

import io.trimtab.controller.guard.MostNodes;
import io.trimtab.controller.observe.Classifier;
import io.trimtab.controller.observe.ModelMismatch;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.place.PartitionItems;
import io.trimtab.controller.place.PlacementInput;
import io.trimtab.controller.place.TargetState;
import io.trimtab.controller.place.UsableNodes;
import io.trimtab.controller.place.UsagePacking;
import io.trimtab.controller.place.UsagePrediction;
import io.trimtab.controller.plan.PlanBuilder;
import io.trimtab.controller.plan.PlanFactory;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.TableSettings;
import io.trimtab.controller.settings.UsageSettings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.models.usage.UsagePredictor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Places partitions by predicted server usage, on the fewest nodes that the target allows (Cruz
 * 2016, ch. 6). A node's usage with a set of partitions is predicted from their merged block
 * histograms and a measured model, before anything is moved. Nodes keep their profiles. Partitions
 * that stay where they are count on their nodes, and the others are placed around them: the target
 * is asked of the nodes that a placement can relieve.
 */
public final class UsagePolicy implements Policy {
  private static final PlanFactory PLANS = new PlanFactory("usage");

  @Override
  public String name() {
    return "usage";
  }

  @Override
  public Set<Need> needs() {
    return Set.of(Need.HISTOGRAMS, Need.MODEL);
  }

  @Override
  public Decision decide(Observation.Usable seen, PolicyState state, Settings settings) {
    List<NodeState> nodes = UsableNodes.of(seen);
    if (nodes.isEmpty() || seen.snapshot().partitions().isEmpty()) {
      return new Decision.Hold("there are no partitions, or no usable nodes", "", state);
    }
    if (!new DecisionContext(seen, state, settings).placement().assignsPartitions()) {
      return new Decision.Hold(
          "tokens place the data, and this policy places partitions: choose one that adds and"
              + " removes nodes, such as autopilot",
          "policy",
          state);
    }
    if (seen.model().isEmpty()) {
      return new Decision.Hold("no model of what loads use was given", "usage.model", state);
    }
    Optional<String> unknown = PartitionItems.unknown(seen);
    if (unknown.isPresent()) {
      return new Decision.Hold(unknown.get(), "", state);
    }
    double cache = nodes.stream().mapToDouble(n -> n.gauges().cacheMaxBytes()).min().orElse(-1);
    if (!(cache > 0)) {
      return new Decision.Hold("the size of a node's block cache is unknown", "", state);
    }
    try {
      return decide(new DecisionContext(seen, state, settings), nodes, cache);
    } catch (IllegalArgumentException e) {
      return new Decision.Hold(
          "the model can't predict this: " + e.getMessage(), "usage.model", state);
    }
  }

  private static Decision decide(DecisionContext context, List<NodeState> nodes, double cache) {
    Observation.Usable seen = context.seen();
    Settings settings = context.settings();
    UsageSettings usage = settings.usage();
    UsagePredictor model = new UsagePredictor(seen.model().orElseThrow());
    UsageLoads loads = new UsageLoads(context, model, PartitionItems.of(seen, usage), nodes, cache);
    if (!loads.movable() && loads.keeping().size() == nodes.size()) {
      return context.hold("no partition may be moved", keeps(context));
    }
    List<NodeId> preferred = preferred(seen, nodes, loads.keeping());
    UsagePacking.Packed packed = fewest(context, loads, preferred, nodes.size());
    int nodeCount = packed.usage().length;
    List<NodeId> leaving = UsableNodes.leaving(seen, preferred, nodes.size() - nodeCount);
    double now = loads.now();
    double then = packed.mostPlaced();
    String description =
        String.format(
                Locale.ROOT,
                "highest predicted usage of %s: %.2f, with %s: %.2f (target: %.2f)%s%s",
                Counted.of(nodes.size(), "node"),
                now,
                Counted.of(nodeCount, "node"),
                then,
                usage.target(),
                full(packed),
                ModelMismatch.of(
                        Objects.requireNonNullElse(usage.model(), "the model"),
                        seen.model().orElseThrow(),
                        seen.snapshot())
                    .map(clause -> "; warning: " + clause)
                    .orElse(""))
            + kept(seen, preferred, leaving)
            + scarce(context, packed);
    boolean better = then < now * (1 - settings.place().tolerance());
    if (nodeCount == nodes.size() && (now <= usage.target() || !better)) {
      String why =
          now > usage.target()
              ? "no better placement found: "
              : otherwise(context, nodes).orElse("no need to act: ");
      return new Decision.Hold(why + description, "usage.target", context.state());
    }
    return act(context, nodes, leaving, loads, packed, description, 1 - then / now);
  }

  /**
   * What a node uses that should have nothing to do by the model, to begin a text; empty if none
   * does. The thesis's usage balancer goes by predictions alone (Cruz 2016, §6.2).
   */
  private static Optional<String> otherwise(DecisionContext context, List<NodeState> nodes) {
    Map<NodeId, Double> measured = context.seen().usage();
    return nodes.stream()
        .map(NodeState::id)
        .filter(id -> measured.getOrDefault(id, 0.0) > context.settings().health().high())
        .max(Comparator.comparingDouble(measured::get))
        .map(
            id ->
                String.format(
                    Locale.ROOT,
                    "node %s is measured at %.2f, and this policy goes by predictions alone (policy"
                        + " autopilot corrects them by what is measured): ",
                    id,
                    measured.get(id)));
  }

  /** Which node with fewer bytes stays, and why, to end a description; empty if none does. */
  private static String kept(
      Observation.Usable seen, List<NodeId> preferred, List<NodeId> leaving) {
    return preferred.stream()
        .limit(leaving.size())
        .filter(node -> !leaving.contains(node))
        .findFirst()
        .map(node -> UsableNodes.kept(seen, node))
        .orElse("");
  }

  /** Why no node is added although it takes more, to end a description; empty if one may be. */
  private static String scarce(DecisionContext context, UsagePacking.Packed packed) {
    MostNodes most = context.most();
    boolean lacks =
        most.isProviders()
            && packed.usage().length >= most.nodes()
            && packed.mostPlaced() > context.settings().usage().target();
    return lacks && !most.refusal().isEmpty() ? "; " + most.refusal() : "";
  }

  /** The key that keeps partitions where they are; empty if it is none of a setting. */
  private static String keeps(DecisionContext context) {
    ClusterSnapshot snapshot = context.seen().snapshot();
    List<String> keys =
        snapshot.partitions().stream()
            .map(p -> p.id().table())
            .distinct()
            .flatMap(table -> context.settings().tables().keeps(snapshot, table).stream())
            .map(TableSettings.Kept::setting)
            .toList();
    return keys.stream()
        .filter(key -> !key.isEmpty())
        .findFirst()
        .orElse(keys.isEmpty() ? "stability.returns" : "");
  }

  /** Of nodes that no placement relieves, and that the target is not asked of. */
  private static String full(UsagePacking.Packed packed) {
    int[] full = IntStream.range(0, packed.usage().length).filter(n -> packed.full()[n]).toArray();
    return full.length == 0
        ? ""
        : String.format(
            Locale.ROOT,
            "; not counted: %s with nothing but what stays where it is, up to %.2f",
            Counted.of(full.length, "node"),
            Arrays.stream(full).mapToDouble(n -> packed.usage()[n]).max().orElse(0));
  }

  /**
   * The smallest number of nodes that stays below the target. If there is none, for example because
   * one partition is too much for any node, the smallest number that is about as good as the
   * maximum.
   */
  private static UsagePacking.Packed fewest(
      DecisionContext context, UsageLoads loads, List<NodeId> preferred, int present) {
    Settings settings = context.settings();
    UsageSettings usage = settings.usage();
    // This policy does not enlarge a cluster that is below the minimum.
    int least = Math.max(Math.min(present, context.fewest().nodes()), loads.keeping().size());
    least = Math.max(least, present - context.mostLeaving(present - least));
    int removable = UsableNodes.leaving(context.seen(), preferred, present).size();
    least = Math.max(least, present - removable);
    int most = Math.min(UsagePacking.NODES_TRIED_MAX, Math.max(present, context.most().nodes()));
    most = Math.max(most, loads.keeping().size());
    for (int n = Math.min(least, most); n <= most; n++) {
      double limit = n < present ? usage.target() * (1 - usage.margin()) : usage.target();
      if (loads.mayFit(n, limit)) {
        var packed = loads.pack(n, usage.predictions());
        if (packed.mostPlaced() <= limit) {
          return packed;
        }
      }
    }
    double best = loads.pack(most, 0).mostPlaced();
    int n = present;
    while (n < most && loads.pack(n, 0).mostPlaced() > best * (1 + settings.place().tolerance())) {
      n++;
    }
    return loads.pack(n, usage.predictions());
  }

  private static Decision act(
      DecisionContext context,
      List<NodeState> nodes,
      List<NodeId> leaving,
      UsageLoads loads,
      UsagePacking.Packed packed,
      String description,
      double gain) {
    Observation.Usable seen = context.seen();
    PolicyState state = context.state();
    Settings settings = context.settings();
    int nodeCount = packed.usage().length;
    List<NodeId> stay = new ArrayList<>();
    nodes.stream().map(NodeState::id).filter(n -> !leaving.contains(n)).forEach(stay::add);
    stay.addAll(DecisionContext.joining(nodeCount - stay.size()));
    var in =
        new PlacementInput(
            seen.snapshot(),
            Classifier.classify(seen, state, settings),
            stay,
            settings.place().withoutBlockSizes(),
            settings.tables(),
            seen.frozen());
    List<List<PartitionId>> sets = new ArrayList<>();
    for (int n = 0; n < nodeCount; n++) {
      sets.add(new ArrayList<>());
    }
    for (int i = 0; i < loads.ids().size(); i++) {
      sets.get(packed.nodeOf()[i]).add(loads.ids().get(i));
    }
    TargetState target = TargetState.matched(in, sets);
    List<PlannedAction> actions = new PlanBuilder(target, leaving).build();
    if (actions.isEmpty()) {
      return new Decision.Hold("nothing to change: " + description, "usage.target", state);
    }
    Decision.Act act =
        PLANS.plan(
            seen.snapshot(),
            actions,
            description,
            nodeCount == nodes.size() ? gain : 1,
            state.next(state.step(), false, state.classes()));
    return act.predicting(predicted(loads, packed, target));
  }

  /** By the nodes that sets of partitions have gone to. */
  private static UsagePrediction predicted(
      UsageLoads loads, UsagePacking.Packed packed, TargetState target) {
    PlacementInput in = target.in();
    SortedMap<NodeId, Double> usage = new TreeMap<>();
    in.nodes().forEach(node -> usage.put(node, loads.idle()));
    for (int i = 0; i < loads.ids().size(); i++) {
      int node = target.node(in.partitions().indexOf(loads.ids().get(i)));
      usage.put(in.name(node), packed.usage()[packed.nodeOf()[i]]);
    }
    return new UsagePrediction(UsagePrediction.Origin.BUILT, usage);
  }

  /** The nodes with the fewest bytes to move first, but not those that can't be emptied. */
  private static List<NodeId> preferred(
      Observation.Usable seen, List<NodeState> nodes, List<NodeId> keeping) {
    Map<NodeId, Long> bytes = new HashMap<>();
    for (PartitionState p : seen.snapshot().partitions()) {
      p.node().ifPresent(n -> bytes.merge(n, p.sizeBytes(), Long::sum));
    }
    return nodes.stream()
        .map(NodeState::id)
        .filter(node -> !keeping.contains(node))
        .sorted(
            Comparator.comparingLong((NodeId n) -> bytes.getOrDefault(n, 0L)).thenComparing(n -> n))
        .toList();
  }
}
