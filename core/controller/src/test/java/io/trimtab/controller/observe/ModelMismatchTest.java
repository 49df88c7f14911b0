package io.trimtab.controller.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.RandomCluster;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeLimits;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.WaitSource;
import io.trimtab.models.usage.UsageModel;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ModelMismatchTest {
  private static final long HEAP = 400L << 20;
  private static final long CACHE = 220L << 20;

  /** What would change it. */
  private static final String ANEW = "; build it anew on such a node: trimtab model build";

  private static UsageModel model(String engine, String... more) {
    Map<String, String> all =
        new TreeMap<>(
            Map.of(
                "engineVersion", "2.6.4",
                "cores", "2.0",
                "heapBytes", Long.toString(HEAP),
                "cacheBytes", Long.toString(CACHE),
                "diskReadsPerSecond", "150",
                "ioWait", "PRESSURE"));
    for (int i = 0; i < more.length; i += 2) {
      all.put(more[i], more[i + 1]);
    }
    return of(engine, all);
  }

  /** A model of which only what it was measured on matters. */
  static UsageModel of(String engine, Map<String, String> measuredOn) {
    return new UsageModel(
        UsageModel.SCHEMA,
        engine,
        new TreeMap<>(measuredOn),
        0.02,
        List.of(new UsageModel.ReadPoint(1, 0.5, 1_000, List.of())),
        List.of(),
        null,
        null);
  }

  private static NodeState node(String name, NodeLimits limits, long heap, long cache) {
    return new NodeState(
        new NodeId(name),
        1,
        true,
        false,
        Optional.empty(),
        false,
        new NodeUsage(0.1, 0, 0.2, 1, WaitSource.PRESSURE, limits),
        new NodeGauges(-1, -1, heap, -1, -1, -1, cache, -1, -1, -1, -1, -1, Map.of()));
  }

  private static NodeState alike(String name) {
    return node(name, new NodeLimits(2, 150), HEAP, CACHE);
  }

  private static ClusterSnapshot seen(NodeState... nodes) {
    return RandomCluster.snapshot(Arrays.asList(nodes), List.of());
  }

  private static Optional<String> compared(NodeState... nodes) {
    return ModelMismatch.of("model.json", model("hbase"), seen(nodes));
  }

  @Test
  void theNodeAndTheFirstThingInWhichItDiffersAreNamed() {
    assertThat(compared(alike("node1"), node("node2", new NodeLimits(8, 0), HEAP, CACHE)))
        .contains("model.json is of nodes with 2 cores; node2 has 8" + ANEW);
    assertThat(compared(node("node1", new NodeLimits(2, 150), 2 * HEAP, 2 * CACHE)))
        .contains("model.json is of nodes with 400 MiB of heap; node1 has 800 MiB" + ANEW);
    assertThat(compared(node("node1", new NodeLimits(2, 150), HEAP, CACHE / 2)))
        .contains("model.json is of nodes with 220 MiB of cache; node1 has 110 MiB" + ANEW);
    assertThat(compared(node("node1", new NodeLimits(2, 0), HEAP, CACHE)))
        .contains(
            "model.json is of nodes with 150 disk reads a second; node1 has no such limit" + ANEW);
    assertThat(ModelMismatch.of("it", model("cassandra"), seen(alike("node1"))))
        .contains("it is of nodes with cassandra; node1 has hbase" + ANEW);
    assertThat(
            ModelMismatch.of("it", model("hbase", "engineVersion", "2.5.8"), seen(alike("node1"))))
        .contains("it is of nodes with engine version 2.5.8; node1 has 2.6.4" + ANEW);
  }

  @Test
  void alikeNodesAndUnknownOnesAreNot() {
    assertThat(compared(alike("node1"), alike("node2"))).isEmpty();
    assertThat(compared(node("node1", NodeLimits.UNKNOWN, -1, -1))).isEmpty();
    assertThat(compared(node("node1", NodeLimits.ofCores(2), HEAP, CACHE))).isEmpty();
  }

  @Test
  void whoSetsCachesDoesNotCompareThem() {
    ClusterSnapshot small = seen(node("node1", new NodeLimits(2, 150), HEAP, CACHE / 5));
    assertThat(ModelMismatch.besidesCache("it", model("hbase"), small)).isEmpty();
    assertThat(ModelMismatch.besidesCache("it", model("hbase", "cores", "1"), small))
        .contains("it is of nodes with 1 core; node1 has 2" + ANEW);
  }

  @Test
  void nodesOfAnySizeHaveTheirVersionAndTheirKindOfWait() {
    ClusterSnapshot big = seen(node("node1", new NodeLimits(8, 0), 4 * HEAP, 4 * CACHE));
    assertThat(ModelMismatch.besidesHardware("it", model("hbase"), big)).isEmpty();
    assertThat(ModelMismatch.besidesHardware("it", model("hbase", "engineVersion", "2.5.8"), big))
        .contains("it is of nodes with engine version 2.5.8; node1 has 2.6.4" + ANEW);
    assertThat(
            ModelMismatch.besidesHardware("it", model("hbase", "ioWait", "READS_BY_LIMIT"), big)
                .orElseThrow())
        .startsWith("it: the model's I/O wait is from reads ÷ read limit");
  }

  @Test
  void nodesThatAreAlikeMayHaveAnotherKindOfWait() {
    UsageModel other = model("hbase", "ioWait", "MACHINE");
    assertThat(ModelMismatch.of("it", other, seen(alike("node1"))).orElseThrow())
        .startsWith("the model's I/O wait is from the I/O wait of the entire machine");
    assertThat(ModelMismatch.besidesCache("it", other, seen(alike("node1")))).isPresent();
  }
}
