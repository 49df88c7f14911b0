package io.trimtab.controller.split;

import io.trimtab.controller.RandomCluster;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.engineapi.snapshot.SplitHint;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A cluster of three nodes and one table; keys are numbers below 65,536. */
final class World {
  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  static final int NODES = 3;

  final List<PartitionState> partitions = new ArrayList<>();
  final Map<PartitionId, Rates> rates = new HashMap<>();
  final List<SplitHint> hints = new ArrayList<>();
  Instant now = START;

  void add(String name, int node, int from, int to, double load) {
    PartitionId id = new PartitionId("t", name);
    partitions.add(
        new PartitionState(
            id,
            Optional.of(node(node)),
            PartitionCounters.ZERO,
            1 << 20,
            1,
            32768,
            new KeyRange(
                from == 0 ? RowKey.EMPTY : key(from), to == 65_536 ? RowKey.EMPTY : key(to))));
    rates.put(id, new Rates(load / 2, 0, 0, load / 2));
  }

  /** A whole table. */
  void add(String table, String name, int node, double load) {
    PartitionId id = new PartitionId(table, name);
    partitions.add(
        new PartitionState(
            id, Optional.of(node(node)), PartitionCounters.ZERO, 1 << 20, 1, 32768, KeyRange.ALL));
    rates.put(id, new Rates(load / 2, 0, 0, load / 2));
  }

  void hint(String name, SplitHint.Verdict verdict, int key, double left) {
    hints.add(
        new SplitHint(
            new PartitionId("t", name), verdict, key(key), left, 0.01, 5_000, "as it is"));
  }

  Observation.Usable seen() {
    Map<NodeId, Double> load = new HashMap<>();
    for (PartitionState p : partitions) {
      load.merge(p.node().orElseThrow(), rates.get(p.id()).total(), Double::sum);
    }
    List<NodeState> nodes = new ArrayList<>();
    Map<NodeId, Double> usage = new HashMap<>();
    for (int i = 0; i < NODES; i++) {
      nodes.add(RandomCluster.node(node(i), Profile.READ_WRITE, true));
      usage.put(node(i), Math.min(1, load.getOrDefault(node(i), 0.0) / 1_000));
    }
    ClusterSnapshot snapshot =
        new ClusterSnapshot(
            now,
            "world",
            "hbase",
            Ownership.ASSIGNED,
            "2.6.4",
            2,
            nodes,
            partitions,
            0,
            List.of(),
            new BalancerState(true, true),
            List.of());
    return new Observation.Usable(snapshot, rates, usage, usage, hints);
  }

  static NodeId node(int i) {
    return new NodeId("node" + i + ":16020");
  }

  static RowKey key(int number) {
    return RowKey.of(new byte[] {(byte) (number >> 8), (byte) number});
  }
}
