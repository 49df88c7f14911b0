package io.trimtab.controller;

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
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.engineapi.snapshot.SplitHint;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Clusters of any shape, from a seed; every failure of a test that uses one names the seed. */
public final class RandomCluster {
  public static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

  public final ClusterSnapshot snapshot;
  public final Map<PartitionId, Rates> rates = new HashMap<>();
  public final Map<NodeId, Double> usage = new HashMap<>();
  final List<SplitHint> hints = new ArrayList<>();

  public RandomCluster(long seed) {
    this(seed, 1 + new Random(seed).nextInt(12), new Random(seed * 31).nextInt(80));
  }

  public RandomCluster(long seed, int nodes, int partitions) {
    Random random = new Random(seed);
    List<NodeState> nodeStates = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      NodeId id = new NodeId("node%03d:16020".formatted(i));
      Profile profile = Profile.STANDARD.get(random.nextInt(Profile.STANDARD.size()));
      nodeStates.add(node(id, profile, random.nextBoolean()));
      usage.put(id, 0.81 + 0.19 * random.nextDouble());
    }
    List<PartitionState> states = new ArrayList<>();
    for (int i = 0; i < partitions; i++) {
      PartitionId id = new PartitionId("t" + i % 7, "p%05d".formatted(i));
      states.add(
          new PartitionState(
              id,
              Optional.of(nodeStates.get(random.nextInt(nodes)).id()),
              PartitionCounters.ZERO,
              random.nextInt(100_000_000),
              1,
              Profile.HOMOGENEOUS.blockSizeBytes(),
              range(i / 7, (partitions - i + 6) / 7)));
      rates.put(id, rates(random));
    }
    snapshot = snapshot(nodeStates, states);
  }

  /** The k-th range of a table; a key is two bytes. */
  private static KeyRange range(int k, int left) {
    RowKey start = k == 0 ? RowKey.EMPTY : RowKey.of(new byte[] {(byte) k, 0});
    RowKey end = left <= 1 ? RowKey.EMPTY : RowKey.of(new byte[] {(byte) (k + 1), 0});
    return new KeyRange(start, end);
  }

  private static Rates rates(Random random) {
    double scale = Math.exp(3 * random.nextGaussian());
    return rates(random.nextInt(5), scale);
  }

  /**
   * What a partition is asked for.
   *
   * @param kind reads, writes, scans, both reads and writes, or nothing; in [0, 4]
   */
  static Rates rates(int kind, double scale) {
    return switch (kind) {
      case 0 -> new Rates(scale, 0, 0, 0);
      case 1 -> new Rates(0, 0, 0, scale);
      case 2 -> new Rates(0, scale, 50 * scale, 0.05 * scale);
      case 3 -> new Rates(scale, 0, 0, scale);
      default -> Rates.ZERO;
    };
  }

  public static NodeState node(NodeId id, Profile profile, boolean online) {
    return new NodeState(
        id,
        1,
        true,
        false,
        Optional.of(profile),
        online,
        new NodeUsage(0.5, 0.1, 0.3, 1),
        NodeGauges.UNKNOWN);
  }

  public static ClusterSnapshot snapshot(List<NodeState> nodes, List<PartitionState> partitions) {
    return new ClusterSnapshot(
        NOW,
        "test",
        "hbase",
        Ownership.ASSIGNED,
        "2.6.4",
        1,
        nodes,
        partitions,
        0,
        List.of(),
        new BalancerState(true, true),
        List.of());
  }

  /** The same, on machines that have had nothing to do for minutes. */
  public static ClusterSnapshot rested(ClusterSnapshot snapshot) {
    List<NodeState> nodes =
        snapshot.nodes().stream()
            .map(node -> node.with(new NodeUsage(0.01, 0, 0, 0.01), node.gauges()))
            .toList();
    return snapshot.with(nodes, snapshot.partitions(), snapshot.gaps());
  }

  Observation.Usable seen() {
    return new Observation.Usable(snapshot, rates, usage, usage, hints);
  }

  Observation.Usable seen(ClusterSnapshot other) {
    Map<NodeId, Double> all = new HashMap<>(usage);
    other.nodes().forEach(n -> all.putIfAbsent(n.id(), 0.9));
    return new Observation.Usable(other, rates, all, all, hints);
  }
}
