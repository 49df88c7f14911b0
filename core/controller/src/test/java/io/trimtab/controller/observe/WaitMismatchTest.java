package io.trimtab.controller.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.RandomCluster;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.WaitSource;
import io.trimtab.models.usage.UsageModel;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class WaitMismatchTest {
  private static UsageModel model(String source) {
    var fingerprint = new TreeMap<String, String>();
    if (!source.isEmpty()) {
      fingerprint.put(UsageModel.WAIT_SOURCE, source);
    }
    return ModelMismatchTest.of("hbase", fingerprint);
  }

  private static NodeState node(String name, NodeUsage usage) {
    return new NodeState(
        new NodeId(name), 1, true, false, Optional.empty(), false, usage, NodeGauges.UNKNOWN);
  }

  private static NodeUsage from(WaitSource source) {
    return new NodeUsage(0.1, 0, 0.2, 1, source);
  }

  private static ClusterSnapshot seen(NodeState... nodes) {
    return RandomCluster.snapshot(List.of(nodes), List.of());
  }

  @Test
  void aModelOfTheSameKindOfWaitFits() {
    ClusterSnapshot seen =
        seen(
            node("n1:1", from(WaitSource.DELAY_ACCOUNTING)),
            // It has not been seen twice yet.
            node("n2:1", NodeUsage.UNKNOWN));
    assertThat(WaitMismatch.of(model("DELAY_ACCOUNTING"), seen)).isEmpty();
    assertThat(WaitMismatch.of(model(""), seen(node("n1:1", NodeUsage.UNKNOWN)))).isEmpty();
    assertThat(WaitMismatch.of(model(""), seen(node("n1:1", from(WaitSource.UNKNOWN))))).isEmpty();
  }

  @Test
  void aModelOfAnotherKindIsToldInOneClause() {
    ClusterSnapshot seen =
        seen(
            node("n1:1", from(WaitSource.DELAY_ACCOUNTING)),
            node("n2:1", from(WaitSource.READS_BY_LIMIT)));
    assertThat(WaitMismatch.of(model("DELAY_ACCOUNTING"), seen))
        .contains(
            "the model's I/O wait is from the block-I/O delay of the node's tasks, that of these"
                + " nodes from the block-I/O delay of the node's tasks (1 of 2), reads ÷ read"
                + " limit, a fallback that measures no wait (1 of 2)");
  }

  @Test
  void aModelThatDoesNotTellIsOfAnotherKind() {
    assertThat(WaitMismatch.of(model(""), seen(node("n1:1", from(WaitSource.MACHINE)))))
        .contains(
            "the model's I/O wait is from a source that was not recorded, that of these nodes from"
                + " the I/O wait of the entire machine");
  }
}
