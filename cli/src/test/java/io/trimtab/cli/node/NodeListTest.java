package io.trimtab.cli.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.Removable;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NodeListTest {
  private static final NodeId A = new NodeId("a:16020");
  private static final NodeId B = new NodeId("b:16020");

  private static NodeState node(NodeId id) {
    return new NodeState(
        id, 1, true, false, Optional.empty(), true, NodeUsage.UNKNOWN, NodeGauges.UNKNOWN);
  }

  private static final ClusterSnapshot SEEN =
      new ClusterSnapshot(
          Instant.EPOCH,
          "test",
          "hbase",
          Ownership.ASSIGNED,
          "2.6.4",
          1,
          List.of(node(A), node(B)),
          List.of(),
          0,
          List.of(),
          BalancerState.PAUSED,
          List.of());

  @Test
  void whichNodesCanBeGivenBackNowIsToldUnlessItIsAll() {
    String rule = "only the last pod goes";
    assertThat(NodeList.given(Removable.ALL, SEEN)).isEmpty();
    assertThat(NodeList.given(Removable.inTurn(List.of(List.of(B, A)), rule), SEEN))
        .hasValue("can be given back now: b:16020; only the last pod goes");
    assertThat(NodeList.given(Removable.only(List.of(), rule), SEEN))
        .hasValue("no node can be given back now; only the last pod goes");
  }

  @Test
  void whichNodesCanBeRestartedWithAnotherProfileIsToldUnlessItIsAll() {
    String rule = "the others are not its own";
    assertThat(NodeList.restarted(NodeCapacity.Reconfigurable.ALL, SEEN)).isEmpty();
    assertThat(NodeList.restarted(NodeCapacity.Reconfigurable.only(List.of(B), rule), SEEN))
        .hasValue("can be restarted with another profile: b:16020; the others are not its own");
    assertThat(NodeList.restarted(NodeCapacity.Reconfigurable.only(List.of(), rule), SEEN))
        .hasValue("no node can be restarted with another profile; the others are not its own");
  }
}
