package io.trimtab.providers;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Clusters of which only the nodes matter. */
public final class Snapshots {
  public static final String CLUSTER = "c1";

  private Snapshots() {}

  /** With these live nodes and their incarnations. */
  public static ClusterSnapshot of(Map<NodeId, Long> alive) {
    List<NodeState> nodes = new ArrayList<>();
    alive.forEach((node, incarnation) -> nodes.add(node(node, incarnation)));
    return new ClusterSnapshot(
        Instant.now(),
        CLUSTER,
        "hbase",
        Ownership.ASSIGNED,
        "2.6.4",
        1,
        nodes,
        List.of(),
        0,
        List.of(),
        BalancerState.PAUSED,
        List.of());
  }

  private static NodeState node(NodeId id, long incarnation) {
    NodeGauges gauges =
        new NodeGauges(-1, -1, 8L << 30, -1, -1, -1, -1, -1, -1, -1, -1, -1, Map.of());
    return new NodeState(
        id, incarnation, true, false, Optional.of(Profile.READ), false, NodeUsage.UNKNOWN, gauges);
  }
}
