package io.trimtab.controller;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.Copies;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.models.usage.CostLearner;
import io.trimtab.models.usage.CostSample;
import io.trimtab.models.usage.LearnedNodes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Rings as an observer sees them: node i of n has the given usage. */
public final class Rings {
  private Rings() {}

  public static Observation.Usable seen(double... usage) {
    return seen(Optional.empty(), new Rates(100, 0, 0, 10), usage);
  }

  public static Observation.Usable seen(Optional<Profile> profile, Rates asked, double... usage) {
    List<NodeState> nodes = new ArrayList<>();
    List<PartitionState> tables = new ArrayList<>();
    Map<NodeId, Double> used = new HashMap<>();
    Map<PartitionId, Rates> rates = new HashMap<>();
    for (int i = 0; i < usage.length; i++) {
      NodeId id = new NodeId("n" + i + ":9042");
      NodeUsage now = new NodeUsage(usage[i], 0, 0, usage[i]);
      nodes.add(
          new NodeState(id, 1, true, false, profile, profile.isPresent(), now, NodeGauges.UNKNOWN));
      used.put(id, usage[i]);
      PartitionId table = new PartitionId("k.t", id.name());
      tables.add(
          new PartitionState(
              table, Optional.of(id), PartitionCounters.ZERO, 1, 1, 16384, KeyRange.ALL));
      rates.put(table, asked);
    }
    return new Observation.Usable(
        snapshot(Instant.EPOCH, nodes, tables), rates, used, used, List.of());
  }

  /** A ring of two copies, read whole. */
  public static ClusterSnapshot snapshot(
      Instant at, List<NodeState> nodes, List<PartitionState> partitions) {
    return new ClusterSnapshot(
        at,
        "ring",
        "cassandra",
        Ownership.TOKENS,
        "5.0.9",
        2,
        nodes,
        partitions,
        0,
        List.of(),
        BalancerState.PAUSED,
        List.of());
  }

  /** The same cluster, some of whose nodes store so much for each of their partitions. */
  public static Observation.Usable storing(
      Observation.Usable seen, Predicate<NodeId> nodes, long bytesEach) {
    ClusterSnapshot now = seen.snapshot();
    List<PartitionState> tables =
        now.partitions().stream()
            .map(p -> p.node().filter(nodes).isPresent() ? sized(p, bytesEach) : p)
            .toList();
    return seen.on(now.with(now.nodes(), tables, now.gaps()));
  }

  private static PartitionState sized(PartitionState p, long bytes) {
    return new PartitionState(
        p.id(), p.node(), p.counters(), bytes, p.locality(), p.blockSizeBytes(), p.range());
  }

  /** The same with other nodes, or another number of copies. */
  static Observation.Usable with(Observation.Usable seen, List<NodeState> nodes, int copies) {
    return with(seen, nodes, copies, copies);
  }

  /** The same with other nodes, or other numbers of copies. */
  static Observation.Usable with(
      Observation.Usable seen, List<NodeState> nodes, int copies, int leastCopies) {
    ClusterSnapshot s = seen.snapshot();
    ClusterSnapshot other =
        s.with(nodes, s.partitions(), s.gaps())
            .settled()
            .with(new Copies(leastCopies, copies, new TreeMap<>()));
    return new Observation.Usable(other, seen.rates(), seen.usage(), seen.usage(), List.of());
  }

  /** Nodes of which it is learned what they use for being awake, and 5 ms of the disk a miss. */
  public static Optional<LearnedNodes> learned(double awake) {
    CostLearner learner = CostLearner.NOTHING;
    for (int i = 0; i < 400; i++) {
      double reads = 20 + i % 100;
      double misses = reads * (i % 13) / 13;
      double updates = i % 37;
      double cpu = awake + 2e-3 * reads + 1e-3 * updates;
      learner = learner.with(new CostSample(reads, 0, 0, misses, updates, cpu, 5e-3 * misses));
    }
    return Optional.of(LearnedNodes.alike(learner.costs()));
  }
}
