package io.trimtab.controller.learn;

import io.trimtab.controller.observe.Rates;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.models.usage.CostSample;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What nodes served and used between two snapshots, to learn from. */
public final class CostSamples {
  private CostSamples() {}

  /**
   * By node; without nodes of which something is not known, or that were changed in between: one
   * that restarted, or on which a partition was opened or closed.
   */
  public static Map<NodeId, CostSample> between(ClusterSnapshot earlier, ClusterSnapshot now) {
    double seconds = now.secondsSince(earlier);
    if (!(seconds > 0)) {
      return Map.of();
    }
    Map<NodeId, Rates> sums = new HashMap<>();
    Set<NodeId> changed = new HashSet<>();
    for (PartitionState p : now.partitions()) {
      if (p.node().isEmpty()) {
        continue;
      }
      Rates rates = Rates.between(earlier, now, p.id()).orElse(null);
      if (rates == null) {
        changed.add(p.node().get());
      } else {
        sums.merge(p.node().get(), rates, Rates::plus);
      }
    }
    for (PartitionState p : earlier.partitions()) {
      p.node()
          .filter(n -> !now.partition(p.id()).flatMap(PartitionState::node).equals(p.node()))
          .ifPresent(changed::add);
    }
    Map<NodeId, CostSample> samples = new TreeMap<>();
    for (NodeState node : now.liveNodes()) {
      NodeState before = earlier.node(node.id()).orElse(null);
      if (before != null && !changed.contains(node.id())) {
        sample(before, node, sums.getOrDefault(node.id(), Rates.ZERO), seconds, samples);
      }
    }
    return samples;
  }

  private static void sample(
      NodeState before,
      NodeState node,
      Rates rates,
      double seconds,
      Map<NodeId, CostSample> samples) {
    NodeGauges then = before.gauges();
    NodeGauges now = node.gauges();
    double cpu = node.usage().cpu();
    double disk = node.usage().ioWait();
    boolean known =
        then.cacheMisses() >= 0
            && now.cacheMisses() >= then.cacheMisses()
            && Double.isFinite(cpu)
            && Double.isFinite(disk);
    if (known && before.incarnation() == node.incarnation()) {
      samples.put(
          node.id(),
          new CostSample(
              rates.pointReads(),
              rates.scanCalls(),
              rates.rowsScanned(),
              (now.cacheMisses() - then.cacheMisses()) / seconds,
              rates.writes(),
              cpu,
              disk));
    }
  }
}
