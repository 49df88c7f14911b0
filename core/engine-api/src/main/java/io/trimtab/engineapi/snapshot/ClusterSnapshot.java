package io.trimtab.engineapi.snapshot;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.PartitionId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The state of a cluster at one moment; an immutable value.
 *
 * @param takenAt time at which reading its counters began, by the controller's clock: rates are
 *     differences of counters divided by differences of this time
 * @param clusterId the cluster's own unique id
 * @param engine {@code hbase}, {@code cassandra}
 * @param ownership how data are assigned to nodes
 * @param version the engine's version
 * @param replication number of copies of the data; the cluster must not have fewer nodes than this
 * @param nodes live and dead nodes, by name
 * @param partitions users' partitions, by id (no system tables); empty if tokens own the data
 * @param partitionsInTransition partitions that are being moved, opened or closed
 * @param blockers reasons why nothing may be changed now, one sentence each in the engine's terms,
 *     for example "the master is initialising"; empty if the cluster can be changed
 * @param balancer state of the engine's own balancing
 * @param gaps values that could not be read, one sentence each; empty if the snapshot is complete
 */
public record ClusterSnapshot(
    Instant takenAt,
    String clusterId,
    String engine,
    Ownership ownership,
    String version,
    int replication,
    List<NodeState> nodes,
    List<PartitionState> partitions,
    int partitionsInTransition,
    List<String> blockers,
    BalancerState balancer,
    List<String> gaps) {

  public ClusterSnapshot {
    // Older files are of HBase.
    ownership = ownership == null ? Ownership.ASSIGNED : ownership;
    nodes = IndexedList.of(nodes, NodeState::id);
    partitions = IndexedList.of(partitions, PartitionState::id);
    blockers = List.copyOf(blockers);
    gaps = List.copyOf(gaps);
  }

  public List<NodeState> liveNodes() {
    return nodes.stream().filter(NodeState::alive).toList();
  }

  public Optional<NodeState> node(NodeId id) {
    return IndexedList.find(nodes, id);
  }

  public Optional<PartitionState> partition(PartitionId id) {
    return IndexedList.find(partitions, id);
  }
}
