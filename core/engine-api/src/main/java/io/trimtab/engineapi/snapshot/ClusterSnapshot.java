package io.trimtab.engineapi.snapshot;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.PartitionId;
import java.time.Instant;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The state of a cluster at one moment; an immutable value.
 *
 * @param takenAt time at which reading it began, by the controller's wall clock, which may jump:
 *     for display and ages only
 * @param clusterId the cluster's own unique id
 * @param engine {@code hbase}, {@code cassandra}
 * @param ownership how data are assigned to nodes
 * @param version the engine's version
 * @param replication the fewest nodes that the cluster may have: the most copies of any users'
 *     data, added over the data centres
 * @param nodes live and dead nodes, by name
 * @param partitions users' partitions, by id (no system tables); empty if tokens own the data
 * @param partitionsInTransition partitions that are being moved, opened or closed
 * @param blockers reasons why nothing may be changed now, one sentence each in the engine's terms,
 *     for example "the master is initialising"; empty if the cluster can be changed
 * @param balancer state of the engine's own balancing
 * @param gaps values that could not be read, one sentence each, those of nodes included; empty if
 *     the snapshot is complete
 * @param readAtNs time at which reading its counters began, not before {@code takenAt}, by a clock
 *     that does not jump, in nanoseconds: only differences between snapshots of one process have a
 *     meaning. Empty in older files
 * @param copies how often the data are kept, by data centre
 * @param fixedTables tables that nothing may be done to, each with the reason in words that stand
 *     after "stays as it is: "; their partitions count as load of the nodes that they are on
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
    List<String> gaps,
    OptionalLong readAtNs,
    Copies copies,
    Map<String, String> fixedTables) {

  public ClusterSnapshot {
    // Older files are of HBase.
    ownership = ownership == null ? Ownership.ASSIGNED : ownership;
    nodes = IndexedList.of(nodes, NodeState::id);
    partitions = IndexedList.of(partitions, PartitionState::id);
    blockers = List.copyOf(blockers);
    gaps = List.copyOf(gaps);
    readAtNs = readAtNs == null ? OptionalLong.empty() : readAtNs;
    copies = copies == null ? Copies.alike(replication) : copies;
    fixedTables =
        fixedTables == null || fixedTables.isEmpty()
            ? Map.of()
            : Collections.unmodifiableMap(new TreeMap<>(fixedTables));
  }

  /** A snapshot of an engine with which something may be done to every table. */
  public ClusterSnapshot(
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
      List<String> gaps,
      OptionalLong readAtNs,
      Copies copies) {
    this(
        takenAt,
        clusterId,
        engine,
        ownership,
        version,
        replication,
        nodes,
        partitions,
        partitionsInTransition,
        blockers,
        balancer,
        gaps,
        readAtNs,
        copies,
        Map.of());
  }

  /** A snapshot of an engine that keeps all data equally often and knows no data centres. */
  public ClusterSnapshot(
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
    this(
        takenAt,
        clusterId,
        engine,
        ownership,
        version,
        replication,
        nodes,
        partitions,
        partitionsInTransition,
        blockers,
        balancer,
        gaps,
        OptionalLong.empty(),
        Copies.alike(replication));
  }

  /** The same with other nodes, partitions and gaps. */
  public ClusterSnapshot with(
      List<NodeState> otherNodes, List<PartitionState> otherPartitions, List<String> otherGaps) {
    return copy(
        c -> {
          c.nodes = otherNodes;
          c.partitions = otherPartitions;
          c.gaps = otherGaps;
        });
  }

  /** The same with no partition in transition. */
  public ClusterSnapshot settled() {
    return copy(c -> c.partitionsInTransition = 0);
  }

  /** The same with other numbers of copies. */
  public ClusterSnapshot with(Copies other) {
    return copy(
        c -> {
          c.copies = other;
          c.replication = other.fewestNodes();
        });
  }

  /** The same, read at another moment. */
  public ClusterSnapshot at(Instant wall, OptionalLong monotonicNs) {
    return copy(
        c -> {
          c.takenAt = wall;
          c.readAtNs = monotonicNs;
        });
  }

  /** The same of a cluster by another id. */
  public ClusterSnapshot named(String otherId) {
    return copy(c -> c.clusterId = otherId);
  }

  /** The same with other tables that nothing may be done to. */
  public ClusterSnapshot withFixed(Map<String, String> tables) {
    return copy(c -> c.fixedTables = tables);
  }

  private ClusterSnapshot copy(Consumer<Copy> change) {
    Copy copy = new Copy(this);
    change.accept(copy);
    return new ClusterSnapshot(
        copy.takenAt,
        copy.clusterId,
        engine,
        ownership,
        version,
        copy.replication,
        copy.nodes,
        copy.partitions,
        copy.partitionsInTransition,
        blockers,
        balancer,
        copy.gaps,
        copy.readAtNs,
        copy.copies,
        copy.fixedTables);
  }

  /** What may be other in a copy. */
  private static final class Copy {
    private Instant takenAt;
    private String clusterId;
    private int replication;
    private List<NodeState> nodes;
    private List<PartitionState> partitions;
    private int partitionsInTransition;
    private List<String> gaps;
    private OptionalLong readAtNs;
    private Copies copies;
    private Map<String, String> fixedTables;

    Copy(ClusterSnapshot same) {
      takenAt = same.takenAt;
      clusterId = same.clusterId;
      replication = same.replication;
      nodes = same.nodes;
      partitions = same.partitions;
      partitionsInTransition = same.partitionsInTransition;
      gaps = same.gaps;
      readAtNs = same.readAtNs;
      copies = same.copies;
      fixedTables = same.fixedTables;
    }
  }

  /** When its counters were read. */
  public ReadTime readTime() {
    return new ReadTime(takenAt, readAtNs);
  }

  /** Seconds between the moments at which counters were read; see {@link ReadTime}. */
  public double secondsSince(ClusterSnapshot earlier) {
    return readTime().secondsSince(earlier.readTime());
  }

  /**
   * Gaps that are not those of nodes which could not be read: they concern everything.
   *
   * @see #unreadNodes()
   */
  public List<String> clusterGaps() {
    Set<String> ofNodes = new HashSet<>();
    unreadNodes().forEach(node -> ofNodes.add(node.read().failure().orElseThrow()));
    return gaps.stream().filter(gap -> !ofNodes.contains(gap)).toList();
  }

  /** Nodes that live and could not be read. */
  public List<NodeState> unreadNodes() {
    return nodes.stream().filter(node -> node.alive() && !node.readable()).toList();
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
