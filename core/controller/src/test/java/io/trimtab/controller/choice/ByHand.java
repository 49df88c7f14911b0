package io.trimtab.controller.choice;

import io.trimtab.controller.RandomCluster;
import io.trimtab.controller.choice.layout.ClusterLoad;
import io.trimtab.controller.choice.layout.Layout;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.policy.DecisionContext;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeLimits;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.engineapi.snapshot.WaitSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A cluster that a test puts together, node by node. */
final class ByHand {
  static final double BLOCK = 33_000;

  /** As large as a thousand blocks. */
  private static final NodeGauges GAUGES =
      new NodeGauges(
          -1, -1, 1L << 30, -1, -1, -1, 1_000 * (long) BLOCK, -1, -1, -1, -1, -1, Map.of());

  private final List<NodeState> nodes = new ArrayList<>();
  private final List<PartitionState> partitions = new ArrayList<>();
  private final Map<PartitionId, Rates> rates = new TreeMap<>();
  private final Map<NodeId, Double> usage = new TreeMap<>();
  private final Map<NodeId, Double> cpu = new TreeMap<>();

  NodeId node(String name, Profile profile, double cores, double itsCpu, double itsWait) {
    NodeId id = new NodeId(name + ":1");
    NodeUsage used =
        new NodeUsage(itsCpu, 0, itsWait, 1, WaitSource.UNKNOWN, new NodeLimits(cores, Double.NaN));
    nodes.add(RandomCluster.node(id, profile, true).with(used, GAUGES));
    usage.put(id, itsCpu + itsWait);
    cpu.put(id, itsCpu);
    return id;
  }

  NodeId node(String name, Profile profile, double used) {
    return node(name, profile, Double.NaN, used, 0);
  }

  /** Closes a node for partitions, as somebody does who takes it out of service. */
  void close(NodeId node) {
    nodes.replaceAll(
        n ->
            n.id().equals(node)
                ? new NodeState(n.id(), 1, true, true, n.profile(), true, n.usage(), n.gauges())
                : n);
  }

  PartitionId partition(NodeId at, String table, Rates its, int blockBytes) {
    return partition(at, table, its, blockBytes, 1 << 20);
  }

  PartitionId partition(NodeId at, String table, Rates its, int blockBytes, long sizeBytes) {
    PartitionId id = new PartitionId(table, "p%03d".formatted(partitions.size()));
    partitions.add(
        new PartitionState(
            id, Optional.of(at), PartitionCounters.ZERO, sizeBytes, 1, blockBytes, KeyRange.ALL));
    rates.put(id, its);
    return id;
  }

  PartitionId reads(NodeId at, String table, double perSecond) {
    return partition(at, table, new Rates(perSecond, 0, 0, 0), 32 << 10);
  }

  Observation.Usable seen() {
    return new Observation.Usable(
        RandomCluster.snapshot(nodes, partitions), rates, usage, cpu, List.of());
  }

  static ClusterLoad load(Observation.Usable seen, Settings settings) {
    return new ClusterLoad(new DecisionContext(seen, PolicyState.INITIAL, settings));
  }

  /** The index of a node in a layout. */
  static int index(Layout layout, NodeId node) {
    return layout.present().filter(n -> layout.name(n).equals(node)).findFirst().orElseThrow();
  }

  /** The index of a partition. */
  static int index(ClusterLoad load, PartitionId partition) {
    return load.partitions().indexOf(partition);
  }
}
