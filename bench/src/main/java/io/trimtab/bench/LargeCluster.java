package io.trimtab.bench;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntToDoubleFunction;

/** What is seen of a large cluster: nodes, partitions of 200 tables at random on them, rates. */
final class LargeCluster {
  private static final int TABLES = 200;

  final Random random = new Random(1);
  final List<NodeState> nodes = new ArrayList<>();
  private final Map<NodeId, Double> usage = new HashMap<>();
  private final List<PartitionState> partitions = new ArrayList<>();
  private final Map<PartitionId, Rates> rates = new HashMap<>();

  /** Adds a node. */
  void node(Profile profile, boolean online, NodeGauges gauges) {
    int i = nodes.size();
    NodeId id = new NodeId("10.0.%d.%d:16020".formatted(i / 250, i % 250));
    NodeUsage used = new NodeUsage(0.8, 0.1, 0.1, 1);
    nodes.add(new NodeState(id, 1, true, false, Optional.of(profile), online, used, gauges));
  }

  /** Adds a partition; returns its name. */
  PartitionId partition(int node, long bytes, Rates rate) {
    int i = partitions.size();
    PartitionId id = new PartitionId("table" + i % TABLES, "%032x".formatted(i * 2_654_435_761L));
    partitions.add(
        new PartitionState(
            id,
            Optional.of(nodes.get(node).id()),
            PartitionCounters.ZERO,
            bytes,
            1,
            32768,
            KeyRange.ALL));
    rates.put(id, rate);
    return id;
  }

  /**
   * @param used by node, its usage
   */
  Observation.Usable seen(IntToDoubleFunction used) {
    for (int n = 0; n < nodes.size(); n++) {
      usage.put(nodes.get(n).id(), used.applyAsDouble(n));
    }
    return new Observation.Usable(
        new ClusterSnapshot(
            Instant.EPOCH,
            "bench",
            "hbase",
            Ownership.ASSIGNED,
            "2.6.4",
            3,
            nodes,
            partitions,
            0,
            List.of(),
            new BalancerState(true, true),
            List.of()),
        rates,
        usage,
        usage,
        List.of());
  }
}
