package io.trimtab.controller.health;

import io.trimtab.controller.RandomCluster;
import io.trimtab.controller.observe.Observation;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeRead;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Clusters of which some nodes could not be read: node i has a partition p-i of table t-i. */
public final class UnreadCluster {
  private UnreadCluster() {}

  public static NodeId id(int node) {
    return new NodeId("n" + node + ":1");
  }

  public static PartitionId partition(int node) {
    return new PartitionId("t" + node, "p" + node);
  }

  private static String gap(int node) {
    return "node " + id(node) + " has not answered in 15 s";
  }

  /**
   * A snapshot.
   *
   * @param usage of every node that could be read
   * @param unread of the nodes, which have no figures
   */
  public static ClusterSnapshot of(
      Ownership ownership, int nodes, double usage, Integer... unread) {
    Set<Integer> silent = Set.of(unread);
    List<NodeState> states = new ArrayList<>();
    List<PartitionState> partitions = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      boolean read = !silent.contains(i);
      NodeState node =
          new NodeState(
              id(i),
              1,
              true,
              false,
              read ? Optional.of(Profile.HOMOGENEOUS) : Optional.empty(),
              true,
              read ? new NodeUsage(usage, 0, 0, 0) : NodeUsage.UNKNOWN,
              NodeGauges.UNKNOWN);
      states.add(read ? node : node.with(NodeRead.failed(gap(i))));
      if (read || ownership == Ownership.ASSIGNED) {
        partitions.add(
            new PartitionState(
                partition(i),
                Optional.of(id(i)),
                read ? Optional.of(PartitionCounters.ZERO) : Optional.empty(),
                1 << 20,
                1,
                65_536,
                KeyRange.ALL));
      }
    }
    return new ClusterSnapshot(
        RandomCluster.NOW,
        "test",
        ownership == Ownership.ASSIGNED ? "hbase" : "cassandra",
        ownership,
        "1",
        1,
        states,
        partitions,
        0,
        List.of(),
        BalancerState.PAUSED,
        silent.stream().sorted().map(UnreadCluster::gap).toList());
  }

  /** What is seen of it, every node's usage as it tells it. */
  public static Observation.Usable seen(ClusterSnapshot snapshot) {
    Map<NodeId, Double> usage = new HashMap<>();
    snapshot.nodes().forEach(node -> usage.put(node.id(), node.usage().server()));
    return new Observation.Usable(snapshot, Map.of(), usage, usage, List.of());
  }
}
