package io.trimtab.controller.split;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.place.UsableNodes;
import io.trimtab.controller.plan.PlanFactory;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.DecisionContext;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.SplitSettings;
import io.trimtab.controller.settings.TableSettings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.engineapi.snapshot.SplitHint;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Splits what no placement could balance, where its requests halve (Cruz 2016, ch. 4); see {@link
 * MergePlanner} for what becomes of it.
 *
 * <p>A partition is split when it is on an overloaded node and either would overload a node all by
 * itself, or has more requests than nodes have on average: then the fullest node has more than the
 * average wherever the partition is.
 */
public final class SplitPlanner {
  private SplitPlanner() {}

  /**
   * What could be split.
   *
   * @param actions in the order of their load, at most {@code split.maxSplits}
   * @param gain predicted fall of the fullest of the nodes concerned, relative, in [0, 1]
   * @param refusal why the heaviest of the others is not split, to be put behind a sentence; empty
   *     where there is none
   */
  public record Proposal(List<Action.Split> actions, double gain, String refusal) {
    /** Where there are no partitions that could be split. */
    public static final Proposal NONE = new Proposal(List.of(), 0, "");
  }

  public static Proposal splits(
      Observation.Usable seen,
      List<NodeState> nodes,
      List<NodeId> overloaded,
      PolicyState state,
      Settings settings) {
    Map<NodeId, Double> load = load(seen, nodes);
    double mean = load.values().stream().mapToDouble(Double::doubleValue).average().orElse(0);
    Map<PartitionId, SplitHint> hints = new HashMap<>();
    seen.hints().forEach(h -> hints.put(h.partition(), h));
    List<PartitionState> heavy =
        seen.snapshot().partitions().stream()
            .filter(p -> p.node().filter(overloaded::contains).isPresent())
            .filter(p -> tooHeavy(seen, p, load, mean, settings))
            .sorted(
                Comparator.comparingDouble((PartitionState p) -> -seen.rates(p.id()).total())
                    .thenComparing(PartitionState::id))
            .toList();
    List<Action.Split> actions = new ArrayList<>();
    String refusal = "";
    double before = 0;
    Map<NodeId, Double> after = new HashMap<>(load);
    for (PartitionState p : heavy) {
      SplitHint hint = hints.getOrDefault(p.id(), SplitHint.unknown(p.id()));
      String why = refusal(p, hint, nodes, state, settings, seen);
      if (!why.isEmpty()) {
        refusal =
            refusal.isEmpty()
                ? "; " + p.id() + " has more load than a node should carry, but " + why
                : refusal;
        continue;
      }
      if (actions.size() == settings.split().maxSplits()) {
        break;
      }
      NodeId at = p.node().orElseThrow();
      NodeId to = target(nodes, after, at);
      double right = (1 - hint.leftShare()) * seen.rates(p.id()).total();
      before = Math.max(before, Math.max(load.get(at), load.get(to)));
      after.merge(at, -right, Double::sum);
      after.merge(to, right, Double::sum);
      actions.add(new Action.Split(p.id(), hint.key(), hint.leftShare(), at, to));
    }
    double fullest =
        actions.stream()
            .mapToDouble(a -> Math.max(after.get(a.at()), after.get(a.rightTo())))
            .max()
            .orElse(0);
    double gain = before > 0 ? Math.max(0, 1 - fullest / before) : 0;
    return new Proposal(actions, gain, refusal);
  }

  private static boolean tooHeavy(
      Observation.Usable seen,
      PartitionState p,
      Map<NodeId, Double> load,
      double mean,
      Settings settings) {
    NodeId node = p.node().orElseThrow();
    double own = seen.rates(p.id()).total();
    if (own <= 0) {
      return false;
    }
    double ownUsage = seen.usage().get(node) * own / load.get(node);
    return ownUsage > settings.health().high() || own > (1 + settings.place().tolerance()) * mean;
  }

  /** Why a partition must not be split, whatever its load; empty if it may be. */
  public static String refusal(
      DecisionContext context, List<NodeState> nodes, PartitionState p, SplitHint hint) {
    return refusal(p, hint, nodes, context.state(), context.settings(), context.seen());
  }

  private static String refusal(
      PartitionState p,
      SplitHint hint,
      List<NodeState> nodes,
      PolicyState state,
      Settings settings,
      Observation.Usable seen) {
    if (!settings.split().enabled()) {
      return "splits are switched off (split.enabled)";
    }
    Optional<TableSettings.Kept> kept = settings.tables().keeps(seen.snapshot(), p.id().table());
    if (kept.isPresent()) {
      String setting = kept.get().setting();
      return "its table " + kept.get().reason() + (setting.isEmpty() ? "" : " (" + setting + ")");
    }
    if (nodes.size() < 2) {
      return "there is no second node for its half";
    }
    if (hint.refusal().isPresent()) {
      return hint.refusal().get();
    }
    if (!p.range().splitsAt(hint.key())) {
      return "the key where its requests halve is not inside it";
    }
    boolean mergedLately =
        state.boundaries().stream()
            .anyMatch(
                b ->
                    !b.split()
                        && b.table().equals(p.id().table())
                        && p.range().splitsAt(b.key())
                        && young(b, seen, settings.split()));
    return mergedLately ? "it was merged a short while ago (split.hysteresis)" : "";
  }

  static boolean young(
      PolicyState.Boundary boundary, Observation.Usable seen, SplitSettings settings) {
    Instant now = seen.snapshot().takenAt();
    return Duration.between(boundary.at(), now).compareTo(settings.hysteresis()) < 0;
  }

  static Map<NodeId, Double> load(Observation.Usable seen, List<NodeState> nodes) {
    Map<NodeId, Double> load = new HashMap<>();
    nodes.forEach(n -> load.put(n.id(), 0.0));
    for (PartitionState p : seen.snapshot().partitions()) {
      p.node()
          .filter(load::containsKey)
          .ifPresent(n -> load.merge(n, seen.rates(p.id()).total(), Double::sum));
    }
    return load;
  }

  /** The least loaded other node configured as the partition's own is; else the least loaded. */
  private static NodeId target(List<NodeState> nodes, Map<NodeId, Double> load, NodeId at) {
    NodeState own = nodes.stream().filter(n -> n.id().equals(at)).findFirst().orElseThrow();
    Comparator<NodeState> best =
        Comparator.comparing((NodeState n) -> !alike(own, n))
            .thenComparingDouble(n -> load.get(n.id()))
            .thenComparing(NodeState::id);
    return nodes.stream()
        .filter(n -> !n.id().equals(at))
        .filter(n -> load.get(n.id()) + 1e-9 < load.get(at))
        .min(best)
        .or(() -> nodes.stream().filter(n -> !n.id().equals(at)).min(best))
        .orElseThrow()
        .id();
  }

  private static boolean alike(NodeState a, NodeState b) {
    return a.profile().isPresent()
        && b.profile().isPresent()
        && a.profile().get().sameMemory(b.profile().get());
  }

  /**
   * The split of one partition that a person orders, whatever its load.
   *
   * @param to where the right half goes; empty for the least loaded other node
   * @throws IllegalArgumentException where there is no such partition or node, or the key is not
   *     strictly inside the partition
   */
  public static Decision.Act ordered(
      Observation.Usable seen,
      PartitionId partition,
      RowKey key,
      double leftShare,
      Optional<NodeId> to) {
    PartitionState p =
        seen.snapshot()
            .partition(partition)
            .filter(found -> found.node().isPresent())
            .orElseThrow(() -> new IllegalArgumentException(partition + " is served by no node"));
    if (!p.range().splitsAt(key)) {
      throw new IllegalArgumentException(
          "the key " + key + " is not strictly inside " + partition + ", " + p.range());
    }
    List<NodeState> nodes = UsableNodes.of(seen);
    NodeId at = p.node().get();
    if (to.isPresent() && nodes.stream().noneMatch(n -> n.id().equals(to.get()))) {
      throw new IllegalArgumentException(to.get() + " is no node that takes partitions");
    }
    Map<NodeId, Double> load = load(seen, nodes);
    NodeId right = to.orElseGet(() -> nodes.size() < 2 ? at : target(nodes, load, at));
    double goes = right.equals(at) ? 0 : (1 - leftShare) * seen.rates(partition).total();
    double gain = load.get(at) > 0 ? goes / load.get(at) : 0;
    var split = new Action.Split(partition, key, leftShare, at, right);
    return act(seen, List.of(split), gain, PolicyState.INITIAL, "ordered");
  }

  /** A plan of splits. */
  public static Decision.Act act(
      Observation.Usable seen,
      List<Action.Split> splits,
      double gain,
      PolicyState next,
      String policy) {
    List<PlannedAction> actions = steps(seen, splits);
    String what =
        actions.size() == 1
            ? splits.get(0).partition() + " has more load than a node should carry alone"
            : actions.size() + " partitions have more load than a node should carry alone";
    return new PlanFactory(policy)
        .plan(seen.snapshot(), actions, what, gain, next.after(actions, seen.snapshot().takenAt()));
  }

  /** The steps of a plan that begins with splits. */
  public static List<PlannedAction> steps(Observation.Usable seen, List<Action.Split> splits) {
    List<PlannedAction> actions = new ArrayList<>();
    splits.forEach(split -> actions.add(planned(actions.size() + 1, split, seen)));
    return actions;
  }

  private static PlannedAction planned(int step, Action.Split split, Observation.Usable seen) {
    double load = seen.rates(split.partition()).total();
    return new PlannedAction(
        step,
        split,
        String.format(
            Locale.ROOT, "%.0f requests per second on one partition; this key halves them", load),
        String.format(
            Locale.ROOT,
            "%.0f stay, %.0f go to %s",
            split.leftShare() * load,
            (1 - split.leftShare()) * load,
            split.rightTo()),
        "briefly unavailable; both halves are compacted",
        "merge the halves");
  }
}
