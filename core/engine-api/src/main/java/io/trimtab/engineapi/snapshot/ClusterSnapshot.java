package io.trimtab.engineapi.snapshot;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.PartitionId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A cluster at one moment; an immutable value.
 *
 * @param takenAt when its counters began to be read, by the controller's clock: rates are
 *     differences of counters by differences of this
 * @param clusterId the cluster's own unique id
 * @param engine {@code hbase}, {@code cassandra}
 * @param ownership what decides which node has which data
 * @param version the engine's version
 * @param replication copies of each datum; the cluster must not have fewer nodes than this
 * @param nodes live and dead nodes, by name
 * @param partitions users' partitions, by id (no system tables); empty where tokens own the data
 * @param partitionsInTransition partitions that are being moved, opened or closed now
 * @param blockers why nothing may be changed now, a sentence each in the engine's own terms, as
 *     "the master is initialising"; empty where the cluster takes orders
 * @param balancer the engine's own movers
 * @param gaps what could not be read, a sentence each; empty for a whole snapshot
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
