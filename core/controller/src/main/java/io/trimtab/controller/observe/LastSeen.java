package io.trimtab.controller.observe;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.engineapi.snapshot.ReadTime;
import io.trimtab.engineapi.snapshot.RequestTimes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Each node as it was last read, so that one that does not answer is neither idle nor empty. An
 * immutable value. Nodes that leave the cluster are forgotten.
 */
public final class LastSeen {
  public static final LastSeen NOTHING = new LastSeen(Map.of());

  private final Map<NodeId, Seen> nodes;

  /**
   * A node.
   *
   * @param partitions its own, where a snapshot lacks those of a node that was not read
   */
  private record Seen(NodeState state, ReadTime at, List<PartitionState> partitions) {}

  private LastSeen(Map<NodeId, Seen> nodes) {
    this.nodes = nodes;
  }

  /** With the nodes that could be read in one more snapshot. */
  public LastSeen append(ClusterSnapshot seen) {
    Map<NodeId, List<PartitionState>> partitions = new HashMap<>();
    if (seen.ownership().toldByNodes()) {
      for (PartitionState p : seen.partitions()) {
        p.node().ifPresent(n -> partitions.computeIfAbsent(n, id -> new ArrayList<>()).add(p));
      }
    }
    Map<NodeId, Seen> next = new TreeMap<>();
    for (NodeState node : seen.nodes()) {
      NodeId id = node.id();
      if (node.alive() && node.readable()) {
        List<PartitionState> own = List.copyOf(partitions.getOrDefault(id, List.of()));
        next.put(id, new Seen(node, seen.readTime(), own));
      } else if (node.alive() && nodes.containsKey(id)) {
        next.put(id, nodes.get(id));
      }
    }
    return new LastSeen(next);
  }

  /**
   * A snapshot in which nodes that could not be read are as they were last seen, with the time
   * since then. Counters and response times stay unknown: what they were says nothing of now.
   */
  public ClusterSnapshot fill(ClusterSnapshot seen) {
    if (seen.unreadNodes().stream().noneMatch(node -> nodes.containsKey(node.id()))) {
      return seen;
    }
    List<NodeState> filled = new ArrayList<>();
    List<PartitionState> partitions = new ArrayList<>(seen.partitions());
    for (NodeState node : seen.nodes()) {
      Seen known = node.alive() && !node.readable() ? nodes.get(node.id()) : null;
      filled.add(known == null ? node : asOf(known, node, seen));
      if (known != null) {
        known.partitions().stream()
            .filter(p -> seen.partition(p.id()).isEmpty())
            .map(LastSeen::uncounted)
            .forEach(partitions::add);
      }
    }
    partitions.sort(Comparator.comparing(PartitionState::id));
    return seen.with(filled, partitions, seen.gaps());
  }

  /** What others tell of the node is of now: its place, its machine, and with HBase its process. */
  private static NodeState asOf(Seen known, NodeState now, ClusterSnapshot seen) {
    NodeState then = known.state();
    return new NodeState(
        now.id(),
        now.incarnation() > 0 ? now.incarnation() : then.incarnation(),
        true,
        now.draining() || then.draining(),
        now.profile().or(then::profile),
        then.onlineProfile(),
        now.usage().known() ? now.usage() : then.usage(),
        then.gauges().with(RequestTimes.UNKNOWN),
        then.settings(),
        now.dataCentre(),
        now.rack(),
        Optional.empty(),
        now.maintenance(),
        now.read().since(seen.readTime().secondsSince(known.at())));
  }

  private static PartitionState uncounted(PartitionState p) {
    return new PartitionState(
        p.id(),
        p.node(),
        Optional.empty(),
        p.sizeBytes(),
        p.locality(),
        p.blockSizeBytes(),
        p.range());
  }
}
