package io.trimtab.controller.split;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.plan.PlanFactory;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.models.outlook.Outlook;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Merges what {@link SplitPlanner} has split, once both halves are cold. */
public final class MergePlanner {
  private static final Duration A_DAY = Duration.ofDays(1);

  private MergePlanner() {}

  /** Where a partition of a table begins. */
  private record Start(String table, RowKey key) {}

  /**
   * By table, how many times as much as now it was asked for at the most within the last day;
   * infinite for one that hardly is now, as nothing tells by which partitions.
   */
  private static Map<String, Double> rises(Observation.Usable seen) {
    Map<String, Double> highest = seen.ahead().highest().apply(A_DAY);
    Map<String, Double> rises = new HashMap<>();
    seen.snapshot()
        .partitions()
        .forEach(p -> rises.merge(p.id().table(), seen.rates(p.id()).total(), Double::sum));
    rises.replaceAll(
        (table, now) -> {
          double most = Math.max(now, highest.getOrDefault(table, now));
          if (now < Outlook.NOTHING) {
            return most > Outlook.NOTHING ? Double.POSITIVE_INFINITY : 1;
          }
          return most / now;
        });
    return rises;
  }

  /**
   * Requests a second of a node on average.
   *
   * @param rises by table, as a multiple of now; tables of which that is infinite do not count
   */
  private static double mean(
      Observation.Usable seen, List<NodeState> nodes, ToDoubleFunction<String> rises) {
    Set<NodeId> counted = nodes.stream().map(NodeState::id).collect(Collectors.toSet());
    double sum = 0;
    for (PartitionState p : seen.snapshot().partitions()) {
      double rise = rises.applyAsDouble(p.id().table());
      if (Double.isFinite(rise) && p.node().filter(counted::contains).isPresent()) {
        sum += rise * seen.rates(p.id()).total();
      }
    }
    return nodes.isEmpty() ? 0 : sum / nodes.size();
  }

  /**
   * Neighbours that this autopilot once made of one partition, and that are cold: by what is asked
   * for now, and if all tables were asked for as much as at the most within the last day. Else what
   * is split by day would be merged each night.
   *
   * @return at most {@code guard.maxMerges}; the others are left to the next plans
   */
  public static List<Action.Merge> merges(
      Observation.Usable seen, List<NodeState> nodes, PolicyState state, Settings settings) {
    if (!settings.split().enabled()
        || state.boundaries().stream().noneMatch(PolicyState.Boundary::split)) {
      return List.of();
    }
    Map<String, Double> rises = rises(seen);
    double mean = mean(seen, nodes, table -> 1);
    double meanByDay = mean(seen, nodes, rises::get);
    Map<String, Map<RowKey, PartitionState>> byEnd = new HashMap<>();
    for (PartitionState p : seen.snapshot().partitions()) {
      byEnd.computeIfAbsent(p.id().table(), t -> new HashMap<>()).put(p.range().end(), p);
    }
    Set<Start> made = new HashSet<>();
    state.boundaries().stream()
        .filter(b -> b.split() && !SplitPlanner.young(b, seen, settings.split()))
        .forEach(b -> made.add(new Start(b.table(), b.key())));
    List<Action.Merge> merges = new ArrayList<>();
    Set<PartitionId> taken = new HashSet<>();
    for (PartitionState right : seen.snapshot().partitions()) {
      PartitionState left = byEnd.get(right.id().table()).get(right.range().start());
      if (left == null
          || !made.contains(new Start(right.id().table(), right.range().start()))
          || !left.range().touches(right.range())
          || settings.tables().keeps(seen.snapshot(), right.id().table()).isPresent()) {
        continue;
      }
      double rise = rises.get(right.id().table());
      double together = seen.rates(left.id()).total() + seen.rates(right.id()).total();
      boolean cold =
          together <= settings.split().cold() * mean
              && Double.isFinite(rise)
              && rise * together <= settings.split().cold() * meanByDay;
      boolean free = !taken.contains(left.id()) && !taken.contains(right.id());
      // The rest is as cold when the next plan is made.
      if (cold && free && merges.size() < settings.guard().maxMerges()) {
        taken.add(left.id());
        taken.add(right.id());
        merges.add(
            new Action.Merge(
                left.id(),
                right.id(),
                new KeyRange(left.range().start(), right.range().end()),
                right.range().start()));
      }
    }
    return merges;
  }

  /** A plan of merges. */
  public static Decision.Act act(
      Observation.Usable seen, List<Action.Merge> merges, PolicyState next, String policy) {
    List<PlannedAction> actions = new ArrayList<>();
    for (Action.Merge merge : merges) {
      actions.add(
          new PlannedAction(
              actions.size() + 1,
              merge,
              "both were split from each other under load, and are cold",
              "one partition fewer",
              "briefly unavailable",
              "split at " + merge.boundary()));
    }
    // It pays in partitions, which is not what the gain measures.
    return new PlanFactory(policy)
        .plan(
            seen.snapshot(),
            actions,
            "split partitions are cold",
            1,
            next.after(actions, seen.snapshot().takenAt()));
  }
}
