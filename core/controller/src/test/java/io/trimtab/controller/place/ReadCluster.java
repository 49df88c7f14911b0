package io.trimtab.controller.place;

import io.trimtab.controller.RandomCluster;
import io.trimtab.controller.observe.Frozen;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A cluster whose partitions are read uniformly, and whose nodes cache a thousand blocks each. */
public final class ReadCluster {
  /** Of a node, in bytes. */
  public static final long CACHE = 1_000 * (long) UsagePackingTest.BLOCK;

  public final List<NodeState> nodes = new ArrayList<>();
  public final List<PartitionState> partitions = new ArrayList<>();
  public final Map<PartitionId, Rates> rates = new HashMap<>();
  public final Map<NodeId, Double> usage = new HashMap<>();
  public final List<BlockHistogram> blocks = new ArrayList<>();
  public final Set<PartitionId> frozen = new HashSet<>();

  public ReadCluster(int count) {
    for (int i = 0; i < count; i++) {
      node(false);
    }
  }

  public ReadCluster node(boolean draining) {
    NodeId id = new NodeId("node" + nodes.size() + ":1");
    nodes.add(
        new NodeState(
            id,
            1,
            true,
            draining,
            Optional.of(Profile.HOMOGENEOUS),
            true,
            NodeUsage.UNKNOWN,
            new NodeGauges(-1, -1, -1, -1, -1, -1, CACHE, -1, -1, -1, -1, -1, Map.of())));
    usage.put(id, 0.5);
    return this;
  }

  /**
   * Adds a partition to a node.
   *
   * @param size in blocks
   * @param reads a second
   */
  public ReadCluster with(String table, int node, int size, double reads) {
    PartitionId id = new PartitionId(table, "p" + partitions.size());
    partitions.add(
        new PartitionState(
            id,
            Optional.of(nodes.get(node).id()),
            PartitionCounters.ZERO,
            (long) (size * UsagePackingTest.BLOCK),
            1,
            32 << 10,
            new KeyRange(RowKey.of(new byte[] {(byte) partitions.size()}), RowKey.EMPTY)));
    rates.put(id, new Rates(reads, 0, 0, 0));
    blocks.add(
        BlockHistogram.ofReads(
            id, List.of(new BlockHistogram.Bin(500, size)), UsagePackingTest.BLOCK));
    return this;
  }

  /** The same, of table {@code t}. */
  public ReadCluster with(int node, int size, double reads) {
    return with("t", node, size, reads);
  }

  public PartitionId id(int partition) {
    return partitions.get(partition).id();
  }

  public Observation.Usable seen() {
    return new Observation.Usable(
            RandomCluster.snapshot(nodes, partitions), rates, usage, usage, List.of())
        .with(blocks, UsagePackingTest.model())
        .with(new Frozen(frozen, Set.of()));
  }
}
