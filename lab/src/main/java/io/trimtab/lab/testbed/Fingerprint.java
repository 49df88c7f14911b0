package io.trimtab.lab.testbed;

import io.trimtab.config.Bytes;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeLimits;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.lab.cluster.Lab;
import io.trimtab.models.usage.NodeKind;
import io.trimtab.models.usage.UsageModel;
import java.math.BigDecimal;
import java.util.Map;
import java.util.TreeMap;

/** What a node is, as models of it record it. */
final class Fingerprint {
  private Fingerprint() {}

  /**
   * Of a lab's first node. Cores, memory and disk reads are those in force, whatever was asked for:
   * limits must be on.
   *
   * @param pageCache that the node keeps
   */
  static Map<String, String> of(Engine engine, Lab lab, Bytes pageCache) throws EngineException {
    ClusterSnapshot snapshot = engine.snapshot();
    NodeState node = snapshot.liveNodes().get(0);
    Map<String, String> all = told(snapshot.version(), node);
    all.put(NodeKind.CPU.key(), Machine.processor());
    long memory = lab.memoryLimit();
    if (memory > 0) {
      all.put(NodeKind.MEMORY.key(), new Bytes(memory).toString());
    }
    all.put(NodeKind.PAGE_CACHE.key(), pageCache.toString());
    all.put(NodeKind.DISK.key(), lab.diskKind());
    all.put(Testbed.ISOLATION, lab.status().isolation());
    return all;
  }

  /** What the engine tells of any node, wherever it runs. */
  static Map<String, String> told(String version, NodeState node) {
    NodeLimits limits = node.usage().limits();
    Map<String, String> all = new TreeMap<>();
    all.put(NodeKind.VERSION.key(), version);
    put(all, NodeKind.CORES, limits.cores());
    all.put(NodeKind.HEAP.key(), Long.toString(node.gauges().heapMaxBytes()));
    all.put(NodeKind.CACHE.key(), Long.toString(node.gauges().cacheMaxBytes()));
    put(all, NodeKind.DISK_READS, limits.readsPerSecond());
    all.put(UsageModel.WAIT_SOURCE, node.usage().waitSource().name());
    return all;
  }

  /** Nothing where it is not known. */
  private static void put(Map<String, String> all, NodeKind kind, double value) {
    if (Double.isFinite(value)) {
      all.put(kind.key(), BigDecimal.valueOf(value).stripTrailingZeros().toPlainString());
    }
  }
}
