package io.trimtab.controller.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeSetting;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.testkit.TestPlans;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What is left of a plan is judged on what the plan itself makes of the cluster by then. */
class PreconditionsTest {
  private static final NodeId A = new NodeId("a:1");
  private static final NodeId B = new NodeId("b:1");
  private static final NodeId NEW = new NodeId("new-1");
  private static final PartitionId P = new PartitionId("t", "p");
  private static final RowKey KEY = RowKey.of(new byte[] {5});
  private static final Profile READ = Profile.READ;
  private static final Profile WRITE = Profile.WRITE;

  private static NodeState node(NodeId id, boolean draining) {
    return new NodeState(
        id,
        1,
        true,
        draining,
        Optional.of(READ),
        true,
        NodeUsage.UNKNOWN,
        NodeGauges.UNKNOWN,
        Map.of(NodeSetting.KEY_CACHE, 10));
  }

  private static PartitionState partition(PartitionId id, NodeId at) {
    return new PartitionState(
        id, Optional.of(at), PartitionCounters.ZERO, 1, 1, 1 << 16, KeyRange.ALL);
  }

  private static ClusterSnapshot cluster(List<NodeState> nodes, List<PartitionState> partitions) {
    return new ClusterSnapshot(
        Instant.EPOCH,
        "c",
        "hbase",
        Ownership.ASSIGNED,
        "2",
        1,
        nodes,
        partitions,
        0,
        List.of(),
        BalancerState.PAUSED,
        List.of());
  }

  private static ClusterSnapshot usual() {
    return cluster(List.of(node(A, false), node(B, false)), List.of(partition(P, A)));
  }

  private static Optional<String> violated(ClusterSnapshot now, Action... actions) {
    return Preconditions.violatedByRest(TestPlans.steps(actions), now, Map.of());
  }

  private static Action restart(NodeId node) {
    return new Action.Reconfigure(node, READ, WRITE, Action.ApplyMode.RESTART);
  }

  /** Emptied, restarted and filled again: the last move's source and target are only then right. */
  @Test
  void aRollingRestartIsJudgedStepByStep() {
    Action[] all = {
      new Action.DrainNode(A),
      new Action.Move(P, A, B),
      restart(A),
      new Action.Move(P, B, A),
      new Action.Reconfigure(A, WRITE, READ, Action.ApplyMode.ONLINE)
    };
    assertThat(violated(usual(), all)).isEmpty();
    ClusterSnapshot drained =
        cluster(List.of(node(A, true), node(B, false)), List.of(partition(P, A)));
    assertThat(violated(drained, all[1], all[2], all[3])).isEmpty();
    assertThat(violated(drained, new Action.Move(P, A, B), new Action.Move(P, B, A)))
        .hasValueSatisfying(v -> assertThat(v).contains("a:1 was closed"));
  }

  @Test
  void nodesThatThePlanAddsAreThereByThen() {
    Action add = new Action.AddNode(1, READ);
    Action[] onIt = {new Action.Move(P, A, NEW), new Action.Cleanup(NEW), new Action.RemoveNode(A)};
    assertThat(violated(usual(), add, onIt[0], onIt[1], onIt[2])).isEmpty();
    assertThat(violated(usual(), onIt)).isPresent();
    ClusterSnapshot added =
        cluster(
            List.of(node(A, false), node(B, false), node(new NodeId("c:1"), false)),
            List.of(partition(P, A)));
    assertThat(
            Preconditions.violatedByRest(
                TestPlans.steps(onIt), added, Map.of(NEW, new NodeId("c:1"))))
        .isEmpty();
  }

  @Test
  void whatIsMissingForTheLastActionEndsThePlanBeforeItsNext() {
    Action first = new Action.Move(P, A, B);
    assertThat(violated(usual(), first, new Action.Move(new PartitionId("t", "q"), A, B)))
        .hasValueSatisfying(v -> assertThat(v).contains("t/q no longer exists"));
    assertThat(violated(usual(), first, new Action.Move(P, A, B))).isEmpty();
    assertThat(violated(usual(), new Action.RemoveNode(B), first))
        .hasValueSatisfying(v -> assertThat(v).contains("b:1 is no longer in the cluster"));
  }

  @Test
  void whatANodeHasIsAsThePlanFoundOrMadeIt() {
    for (Action.ApplyMode way : Action.ApplyMode.values()) {
      assertThat(violated(usual(), new Action.Reconfigure(A, READ, WRITE, way))).isEmpty();
      assertThat(violated(usual(), new Action.Reconfigure(A, WRITE, READ, way))).isEmpty();
      Profile other = Profile.HOMOGENEOUS;
      Action changed = new Action.Reconfigure(A, other, WRITE, way);
      assertThat(violated(usual(), changed))
          .contains(
              "the memory of node a:1 was changed by somebody else: block cache 55 %, memstore"
                  + " 10 %");
      assertThat(Preconditions.violated(TestPlans.steps(changed), usual(), Map.of())).isPresent();
    }
    NodeSetting cache = NodeSetting.KEY_CACHE;
    assertThat(violated(usual(), new Action.SetNode(A, cache, 10, 20))).isEmpty();
    assertThat(violated(usual(), new Action.SetNode(A, cache, 5, 10))).isEmpty();
    assertThat(violated(usual(), new Action.SetNode(A, cache, 5, 20)))
        .contains("the key cache of node a:1 was changed by somebody else: it is 10, not 5");
    NodeSetting unread = NodeSetting.COMPACTION_THROUGHPUT;
    assertThat(violated(usual(), new Action.SetNode(A, unread, 5, 20))).isEmpty();
  }

  /** Else the half that is to leave a node would stay there, or come to it. */
  @Test
  void aPartitionThatWasMovedIsNotSplit() {
    Action split = new Action.Split(P, KEY, 0.5, A, B);

    assertThat(violated(usual(), split)).isEmpty();
    for (NodeId there : List.of(B, NEW)) {
      ClusterSnapshot moved =
          cluster(
              List.of(node(A, false), node(B, false), node(NEW, false)),
              List.of(partition(P, there)));
      assertThat(violated(moved, split))
          .contains(
              "partition t/p was moved by somebody else: it is on %s, not on a:1".formatted(there));
    }
    // By the plan itself.
    assertThat(violated(usual(), new Action.Move(P, A, B), split)).isPresent();
    assertThat(violated(usual(), new Action.Move(P, A, B), new Action.Split(P, KEY, 0.5, B, A)))
        .isEmpty();
  }

  /** The engine serves its partitions elsewhere: nobody has moved them. */
  @Test
  void whereANodeWasLostItIsNamed() {
    ClusterSnapshot lost =
        cluster(List.of(node(B, false), node(NEW, false)), List.of(partition(P, B)));

    assertThat(violated(lost, new Action.Move(P, A, NEW)))
        .contains("node a:1 is dead or no longer in the cluster, and partition t/p is on b:1");
    assertThat(violated(lost, new Action.Split(P, KEY, 0.5, A, NEW)))
        .contains("node a:1 is dead or no longer in the cluster, and partition t/p is on b:1");
  }

  @Test
  void aBlockSizeThatSomebodyHasChangedIsLeft() {
    assertThat(violated(usual(), new Action.SetBlockSize("t", 1 << 16, 1 << 14))).isEmpty();
    // It was interrupted after this change.
    assertThat(violated(usual(), new Action.SetBlockSize("t", 1 << 14, 1 << 16))).isEmpty();
    assertThat(violated(usual(), new Action.SetBlockSize("t", 1 << 15, 1 << 14)))
        .contains(
            "the block size of table t was changed by somebody else: it is 65536 bytes, not 32768");
    assertThat(violated(usual(), new Action.SetBlockSize("u", 1 << 16, 1 << 14)))
        .contains("table u no longer exists");
  }
}
