package io.trimtab.controller.agreement;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.RandomCluster;
import io.trimtab.controller.Rings;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.models.usage.CostLearner;
import io.trimtab.models.usage.CostSample;
import io.trimtab.models.usage.LearnedNodes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Four nodes that each serve 600 reads a second, of 1 ms and 2 ms for a miss. */
class NodesByCostsTest {
  private static final int NODES = 4;
  private static final double IDLE = 0.02;
  private static final double READ = 1e-3;
  private static final double MISS = 2e-3;
  private static final double READS = 600;
  private static final double MISSES = 60;
  private static final double TARGET = 0.7;

  private static CostLearner learned() {
    CostLearner learner = CostLearner.NOTHING;
    for (int i = 0; i < 240; i++) {
      double reads = 100 + 3 * i;
      double misses = 20 * (i % 7);
      double used = IDLE + READ * reads + MISS * misses;
      learner = learner.with(new CostSample(reads, 0, 0, misses, 0, used, 0));
    }
    return learner;
  }

  private static NodeId id(int node) {
    return new NodeId("n" + node + ":9042");
  }

  /**
   * What is seen.
   *
   * @param misses of 1,000 blocks since the nodes have started
   * @param leaving the last of the nodes
   */
  private static Observation.Usable seen(int misses, boolean leaving) {
    NodeGauges gauges =
        new NodeGauges(-1, -1, -1, 1_000 - misses, misses, -1, -1, -1, -1, -1, -1, -1, Map.of());
    List<NodeState> nodes = new ArrayList<>();
    List<PartitionState> partitions = new ArrayList<>();
    Map<NodeId, Double> used = new HashMap<>();
    Map<PartitionId, Rates> rates = new HashMap<>();
    for (int i = 0; i < NODES; i++) {
      double usage = IDLE + READ * READS + MISS * MISSES;
      boolean drains = leaving && i == NODES - 1;
      nodes.add(
          new NodeState(
              id(i),
              1,
              true,
              drains,
              Optional.empty(),
              false,
              new NodeUsage(usage, 0, 0, 0),
              gauges));
      used.put(id(i), usage);
      PartitionId part = new PartitionId("t", "p" + i);
      partitions.add(
          new PartitionState(
              part, Optional.of(id(i)), PartitionCounters.ZERO, 1 << 20, 1, 65_536, KeyRange.ALL));
      rates.put(part, new Rates(READS, 0, 0, 0));
    }
    ClusterSnapshot snapshot = Rings.snapshot(RandomCluster.NOW, nodes, partitions);
    return new Observation.Usable(snapshot, rates, used, used, List.of())
        .with(Optional.of(LearnedNodes.alike(learned().costs())));
  }

  /** A hit ratio since the start may be that of another load, or of caches that were cold. */
  @Test
  void theNumberOfNodesDoesNotDependOnTheHitRatioSinceTheStart() {
    for (int misses : new int[] {0, 100, 300}) {
      NodesByCosts by = NodesByCosts.of(seen(misses, false), TARGET);
      // 4 · 0.72 beyond idle, of which a node may have 0.68.
      assertThat(by.needed()).as("%d misses: %s", misses, by.why()).isPresent();
      assertThat(by.needed().orElseThrow().nodes()).as("%d misses", misses).isEqualTo(5);
    }
  }

  @Test
  void whatIsOnNodesThatAreNotCountedOnIsNotLeftOut() {
    NodesByCosts by = NodesByCosts.of(seen(100, true), TARGET);
    assertThat(by.needed()).isEmpty();
    assertThat(by.why())
        .isEqualTo("partitions that are asked for are on nodes that can't be counted on");

    Observation.Usable all = seen(100, false);
    ClusterSnapshot now = all.snapshot();
    List<NodeState> read = now.nodes().subList(0, NODES - 1);
    List<PartitionState> theirs = now.partitions().subList(0, NODES - 1);
    assertThat(NodesByCosts.of(all.on(now.with(read, theirs, List.of())), TARGET).needed())
        .as("one that could not be read")
        .isEmpty();
  }
}
