package io.trimtab.lab.testbed;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is measured on a node of a live cluster is of its own tables only. */
class LiveNodeTest {
  private static final NodeId NODE = new NodeId("n1:1");
  private static final List<String> OWN = List.of("trimtab_model_1_m");

  private static PartitionState partition(String table, String name, NodeId at) {
    return new PartitionState(
        new PartitionId(table, name),
        Optional.of(at),
        new PartitionCounters(0, 0, 0, 0),
        1,
        1,
        65_536,
        KeyRange.ALL);
  }

  private static ClusterSnapshot seen(PartitionState... partitions) {
    return new ClusterSnapshot(
        Instant.EPOCH,
        "c",
        "hbase",
        Ownership.ASSIGNED,
        "2.6.4",
        2,
        List.of(),
        List.of(partitions),
        0,
        List.of(),
        BalancerState.PAUSED,
        List.of());
  }

  @Test
  void partitionsOfOthersEndTheMeasurement() {
    PartitionState own = partition(OWN.get(0), "m", NODE);
    PartitionState elsewhere = partition("users", "u", new NodeId("n2:1"));
    assertThatCode(() -> LiveNode.refuseStrangers(seen(own, elsewhere), NODE, OWN))
        .doesNotThrowAnyException();

    assertThatThrownBy(
            () -> LiveNode.refuseStrangers(seen(own, partition("users", "u", NODE)), NODE, OWN))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("partition users/u has come to node n1:1")
        .hasMessageContaining("--resume");
  }
}
