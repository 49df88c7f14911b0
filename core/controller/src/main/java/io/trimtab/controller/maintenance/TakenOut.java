package io.trimtab.controller.maintenance;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.place.UsableNodes;
import io.trimtab.controller.ring.PlacementModel;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.DiskSpace;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Takes a node out of service for a while, and back. It is not closed (drained) meanwhile: to a
 * closed node HBase gives no partition at all, and what is measured there is a partition, too. So
 * its partitions are moved to the others, and later to where they were.
 */
public final class TakenOut {
  /** What plans bear in place of a policy's name. */
  public static final String NAME = "out-of-service";

  /** A rewrite of tables needs their space once more. */
  private static final int REWRITTEN = 2;

  private TakenOut() {}

  /** What becomes of the wish to take a node out. */
  public sealed interface Answer {
    /**
     * It can be taken out.
     *
     * @param plan moves of all its partitions; none if it serves nothing
     * @param usage predicted usage of the other nodes meanwhile, ≥ 0, by node
     */
    record Moves(Plan plan, SortedMap<NodeId, Double> usage) implements Answer {}

    /**
     * It can't.
     *
     * @param setting the key that would change this; empty where none would
     */
    record Refused(String reason, String setting) implements Answer {}
  }

  /**
   * Moves each partition to the node that is used least by then, the hottest first. What a
   * partition uses is the part of its node's usage that it has of the node's requests.
   *
   * @param tablesBytes that the tables of the measurement take at most, one copy; ≥ 0
   */
  public static Answer away(
      Observation.Usable seen, NodeId node, long tablesBytes, Settings settings) {
    ClusterSnapshot now = seen.snapshot();
    Optional<Answer.Refused> refused =
        impossible(now, node, settings.guard())
            .or(() -> lacking(now, node, tablesBytes, settings.guard()));
    if (refused.isPresent()) {
      return refused.get();
    }
    SortedMap<NodeId, Double> usage = new TreeMap<>();
    others(now, node).forEach(o -> usage.put(o.id(), seen.usage().getOrDefault(o.id(), 0.0)));
    List<PartitionState> leaving = hottestFirst(seen, node);
    double requests = leaving.stream().mapToDouble(p -> seen.rates(p.id()).total()).sum();
    double used = seen.usage().getOrDefault(node, 0.0);
    List<PlannedAction> moves = new ArrayList<>();
    for (PartitionState partition : leaving) {
      double part =
          used
              * (requests > 0
                  ? seen.rates(partition.id()).total() / requests
                  : 1.0 / leaving.size());
      NodeId to = least(now, usage, node, part);
      usage.merge(to, part * scale(now, node, to), Double::sum);
      moves.add(move(moves.size() + 1, partition, node, to, "the node is to be measured alone"));
    }
    Optional<Answer.Refused> tooMuch = tooMuch(node, usage, settings);
    return tooMuch.isPresent()
        ? tooMuch.get()
        : new Answer.Moves(
            plan(NAME, now, "node " + node + " is taken out of service", moves), usage);
  }

  /**
   * Moves partitions back to their node. Those that are gone, as after a split, are left as they
   * are; so are all if the node can't take any.
   */
  public static Plan back(ClusterSnapshot now, NodeId node, Collection<PartitionId> home) {
    List<PlannedAction> moves = new ArrayList<>();
    if (now.node(node).filter(UsableNodes::takesLoad).isPresent()) {
      for (PartitionId id : home) {
        Optional<PartitionState> partition =
            now.partition(id).filter(p -> p.node().filter(at -> !at.equals(node)).isPresent());
        partition.ifPresent(
            p ->
                moves.add(
                    move(moves.size() + 1, p, p.node().orElseThrow(), node, "it was here before")));
      }
    }
    return plan("back-in-service", now, "node " + node + " is back in service", moves);
  }

  /** What can't be, whatever the load. */
  private static Optional<Answer.Refused> impossible(
      ClusterSnapshot now, NodeId node, GuardSettings guard) {
    if (!PlacementModel.of(now).assignsPartitions()) {
      return refused(
          "a node of a ring always owns its part of the data, so that it can't be taken out of"
              + " service while it is a member",
          "");
    }
    Optional<NodeState> state = now.node(node);
    if (state.isEmpty()) {
      return refused(
          "there is no node %s; there are %s"
              .formatted(
                  node, String.join(", ", now.nodes().stream().map(n -> n.id().name()).toList())),
          "");
    }
    if (!state.get().alive()) {
      return refused("node " + node + " is dead", "");
    }
    if (!state.get().readable()) {
      return refused("node %s can't be read: %s".formatted(node, failure(state.get())), "");
    }
    if (state.get().draining()) {
      return refused("node " + node + " is closed for partitions, also for those of a test", "");
    }
    int serving = others(now, node).size();
    return serving < guard.minNodes()
        ? refused(
            "%s would serve without node %s, fewer than %d"
                .formatted(Counted.of(serving, "node"), node, guard.minNodes()),
            "guard.minNodes")
        : Optional.empty();
  }

  private static String failure(NodeState node) {
    return node.read().failure().orElse("");
  }

  /**
   * Whether the disks have room for the tables: the node itself has the first copy, and the file
   * system shares the others out. What is not known refuses nothing.
   */
  private static Optional<Answer.Refused> lacking(
      ClusterSnapshot now, NodeId node, long tablesBytes, GuardSettings guard) {
    List<NodeState> live = now.liveNodes();
    double first = (double) REWRITTEN * tablesBytes;
    double other = first * (now.replication() - 1) / Math.max(1, live.size() - 1);
    for (NodeState state : live) {
      DiskSpace disk = state.gauges().disk();
      if (guard.nodeDiskGiB() != null) {
        disk = disk.orOf((long) guard.nodeDiskGiB() << 30);
      }
      double more = state.id().equals(node) ? first : other;
      double share = (disk.usedBytes() + more) / disk.capacityBytes();
      if (disk.known() && more > 0 && share > guard.maxDiskUsed()) {
        return refused(
            "the disks of node %s would be %s full with the tables of the measurement, more than %s"
                .formatted(state.id(), percent(share), percent(guard.maxDiskUsed())),
            "guard.maxDiskUsed");
      }
    }
    return Optional.empty();
  }

  private static Optional<Answer.Refused> tooMuch(
      NodeId node, Map<NodeId, Double> usage, Settings settings) {
    double target = settings.usage().target();
    return usage.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .filter(most -> most.getValue() > target)
        .flatMap(
            most ->
                refused(
                    "without node %s, node %s would be at %s, more than the target of %s"
                        .formatted(node, most.getKey(), percent(most.getValue()), percent(target)),
                    "usage.target"));
  }

  private static Optional<Answer.Refused> refused(String reason, String setting) {
    return Optional.of(new Answer.Refused(reason, setting));
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.0f %%", 100 * share);
  }

  private static List<NodeState> others(ClusterSnapshot now, NodeId node) {
    return now.nodes().stream()
        .filter(UsableNodes::takesLoad)
        .filter(other -> !other.id().equals(node))
        .toList();
  }

  private static List<PartitionState> hottestFirst(Observation.Usable seen, NodeId node) {
    return seen.snapshot().partitions().stream()
        .filter(p -> p.node().filter(node::equals).isPresent())
        .sorted(
            Comparator.comparingDouble((PartitionState p) -> -seen.rates(p.id()).total())
                .thenComparing(PartitionState::id))
        .toList();
  }

  /** The node that would be used least with the partition; of equal ones the first by name. */
  private static NodeId least(
      ClusterSnapshot now, SortedMap<NodeId, Double> usage, NodeId from, double part) {
    NodeId best = usage.firstKey();
    double lowest = Double.POSITIVE_INFINITY;
    for (Map.Entry<NodeId, Double> node : usage.entrySet()) {
      double then = node.getValue() + part * scale(now, from, node.getKey());
      if (then < lowest) {
        lowest = then;
        best = node.getKey();
      }
    }
    return best;
  }

  /** By how much more the same work uses of another node, by their cores; 1 if not known. */
  private static double scale(ClusterSnapshot now, NodeId from, NodeId to) {
    double ratio = cores(now, from) / cores(now, to);
    return Double.isFinite(ratio) && ratio > 0 ? ratio : 1;
  }

  private static double cores(ClusterSnapshot now, NodeId node) {
    return now.node(node).map(n -> n.usage().limits().cores()).orElse(Double.NaN);
  }

  private static PlannedAction move(
      int step, PartitionState partition, NodeId from, NodeId to, String reason) {
    return new PlannedAction(
        step,
        new Action.Move(partition.id(), from, to),
        reason,
        "served by node " + to,
        "briefly unavailable; %d MiB read from disk again"
            .formatted(Math.round(partition.sizeBytes() / 1048576.0)),
        "move back to " + from);
  }

  private static Plan plan(
      String name, ClusterSnapshot now, String summary, List<PlannedAction> moves) {
    return new Plan(
        name + "-" + now.takenAt().toEpochMilli(),
        now.clusterId(),
        now.takenAt(),
        NAME,
        summary,
        0,
        moves);
  }
}
