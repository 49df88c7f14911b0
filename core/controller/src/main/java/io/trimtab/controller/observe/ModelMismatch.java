package io.trimtab.controller.observe;

import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.models.usage.NodeKind;
import io.trimtab.models.usage.UsageModel;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Whether a model is of other nodes than a cluster's, or of another kind of I/O wait: what is
 * predicted is then not what will be observed.
 */
public final class ModelMismatch {
  private ModelMismatch() {}

  /**
   * The first thing in which a live node differs from the model's nodes: engine, its version,
   * cores, heap, cache, disk reads, the source of I/O wait. What a node does not tell is not
   * compared.
   *
   * @param name of the model, as the first word of the clause
   * @return one line, with what would change it; empty if nothing differs
   */
  public static Optional<String> of(String name, UsageModel model, ClusterSnapshot seen) {
    return of(name, measured(model), seen).or(() -> WaitMismatch.of(model, seen));
  }

  /** The same without caches, for what sets their sizes itself. */
  public static Optional<String> besidesCache(String name, UsageModel model, ClusterSnapshot seen) {
    Map<String, String> measured = measured(model);
    measured.remove(NodeKind.CACHE.key());
    return of(name, measured, seen).or(() -> WaitMismatch.of(model, seen));
  }

  /**
   * Only what holds for nodes of any size: engine, its version, the source of I/O wait. For models
   * of nodes that are not the cluster's.
   */
  public static Optional<String> besidesHardware(
      String name, UsageModel model, ClusterSnapshot seen) {
    Map<String, String> measured = measured(model);
    measured.keySet().retainAll(Set.of(NodeKind.ENGINE.key(), NodeKind.VERSION.key()));
    return of(name, measured, seen)
        .or(() -> WaitMismatch.of(model, seen).map(clause -> name + ": " + clause));
  }

  private static Optional<String> of(
      String name, Map<String, String> measured, ClusterSnapshot seen) {
    return seen.liveNodes().stream()
        .flatMap(node -> clause(name, measured, seen, node).stream())
        .findFirst();
  }

  private static Optional<String> clause(
      String name, Map<String, String> measured, ClusterSnapshot seen, NodeState node) {
    return NodeKind.difference(measured, kind(seen, node))
        .map(
            of ->
                ("%s is of nodes with %s; %s has %s"
                        + "; build it anew on such a node: trimtab model build")
                    .formatted(name, of.measured(), node.id(), of.its()));
  }

  private static Map<String, String> measured(UsageModel model) {
    Map<String, String> measured = new TreeMap<>(model.fingerprint());
    measured.put(NodeKind.ENGINE.key(), model.engine());
    return measured;
  }

  private static Map<String, String> kind(ClusterSnapshot seen, NodeState node) {
    Map<String, String> kind = new TreeMap<>();
    kind.put(NodeKind.ENGINE.key(), seen.engine());
    kind.put(NodeKind.VERSION.key(), seen.version());
    put(kind, NodeKind.CORES, node.usage().limits().cores(), 0.001);
    put(kind, NodeKind.HEAP, node.gauges().heapMaxBytes(), 1);
    put(kind, NodeKind.CACHE, node.gauges().cacheMaxBytes(), 1);
    put(kind, NodeKind.DISK_READS, node.usage().limits().readsPerSecond(), 0);
    return kind;
  }

  /** Where it is known. */
  private static void put(Map<String, String> kind, NodeKind of, double value, double least) {
    if (Double.isFinite(value) && value >= least) {
      kind.put(of.key(), BigDecimal.valueOf(value).toPlainString());
    }
  }
}
