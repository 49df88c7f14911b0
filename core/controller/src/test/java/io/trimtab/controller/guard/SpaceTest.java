package io.trimtab.controller.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.RandomCluster;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.DiskSpace;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** No action's data may fill its destination above the limit; what is unknown refuses nothing. */
class SpaceTest {
  private static final long GIB = 1L << 30;
  private static final Instant NOW = RandomCluster.NOW;
  private static final NodeId A = new NodeId("a:1");
  private static final NodeId B = new NodeId("b:1");
  private static final NodeId C = new NodeId("c:1");
  private static final PartitionId P = new PartitionId("t", "p");
  private static final PartitionId Q = new PartitionId("t", "q");
  private static final RowKey KEY = RowKey.of(new byte[] {1});
  private static final Profile MIXED = Profile.HOMOGENEOUS;

  private static NodeState node(NodeId id, DiskSpace disk) {
    NodeState node = RandomCluster.node(id, MIXED, true);
    return node.with(node.usage(), NodeGauges.UNKNOWN.with(disk));
  }

  private static NodeState dead(NodeId id, DiskSpace disk) {
    NodeState node = node(id, disk);
    return new NodeState(id, 1, false, false, Optional.empty(), false, node.usage(), node.gauges());
  }

  private static DiskSpace disk(long used) {
    return new DiskSpace(1000 * GIB, used * GIB, used * GIB);
  }

  private static DiskSpace stores(long gib) {
    return new DiskSpace(-1, -1, gib * GIB);
  }

  private static PartitionState partition(PartitionId id, NodeId at, long gib) {
    return new PartitionState(
        id, Optional.of(at), PartitionCounters.ZERO, gib * GIB, 1, 65536, KeyRange.ALL);
  }

  /** On node a are p of 100 GiB and q of 50. */
  private static ClusterSnapshot hbase(NodeState... nodes) {
    return RandomCluster.snapshot(
        List.of(nodes), List.of(partition(P, A, 100), partition(Q, A, 50)));
  }

  private static ClusterSnapshot ring(NodeState... nodes) {
    return empty(Ownership.TOKENS, 1, nodes);
  }

  /** A file system that keeps two copies. */
  private static ClusterSnapshot files(NodeState... nodes) {
    return empty(Ownership.ASSIGNED, 2, nodes);
  }

  private static ClusterSnapshot empty(Ownership ownership, int copies, NodeState... nodes) {
    return new ClusterSnapshot(
        NOW,
        "cluster",
        "engine",
        ownership,
        "5.0.9",
        copies,
        List.of(nodes),
        List.of(),
        0,
        List.of(),
        BalancerState.PAUSED,
        List.of());
  }

  private static GuardSettings.Builder limits() {
    return GuardSettings.builder().badNodesMax(1.0);
  }

  private static Plan plan(Action... actions) {
    List<PlannedAction> list = new ArrayList<>();
    for (Action action : actions) {
      list.add(new PlannedAction(list.size() + 1, action, "r", "e", "c", "u"));
    }
    return new Plan("p", "test", NOW, "met", "s", 1, list);
  }

  private static Guard.Verdict check(
      ClusterSnapshot cluster, GuardSettings.Builder guard, Action... actions) {
    Settings settings = Settings.defaults().with(guard.build());
    Guard.Verdict verdict =
        Guard.check(
            plan(actions),
            cluster,
            Optional.empty(),
            Optional.of(NodeCapacity.of(10)),
            settings,
            NOW);
    assertThat(
            Guard.checkUrgent(
                plan(actions), cluster, Optional.of(NodeCapacity.of(10)), settings, NOW))
        .isEqualTo(verdict);
    return verdict;
  }

  private static Guard.Verdict check(ClusterSnapshot cluster, Action... actions) {
    return check(cluster, limits(), actions);
  }

  private static void passes(Guard.Verdict verdict) {
    assertThat(verdict).isInstanceOf(Guard.Verdict.Pass.class);
  }

  private static Guard.Verdict refused(String reason) {
    return new Guard.Verdict.Refuse(reason, "guard.maxDiskUsed");
  }

  private static Guard.Verdict full(NodeId node, String percent) {
    return refused(
        ("the disks of node %s would be %s full with the plan's data and compactions,"
                + " more than 80 %%")
            .formatted(node, percent));
  }

  private static Action move(PartitionId partition) {
    return new Action.Move(partition, A, B);
  }

  private static Action compact(PartitionId partition) {
    return new Action.Compact(partition, Action.Compact.ALWAYS);
  }

  @Test
  void movesMustFit() {
    passes(check(hbase(node(A, disk(0)), node(B, disk(700))), move(P)));
    assertThat(check(hbase(node(A, disk(0)), node(B, disk(701))), move(P)))
        .isEqualTo(full(B, "80.1 %"));
    assertThat(check(hbase(node(A, disk(0)), node(B, disk(700))), move(P), move(Q)))
        .as("together")
        .isEqualTo(full(B, "85 %"));
    passes(
        check(
            hbase(node(A, disk(0)), node(B, disk(700))),
            limits().maxDiskUsed(0.85),
            move(P),
            move(Q)));
    // What goes leaves its files for a while, and a node that only loses is not asked.
    passes(check(hbase(node(A, disk(990)), node(B, disk(0))), move(P)));
  }

  @Test
  void theRightHalfOfASplitMustFit() {
    Action split = new Action.Split(P, KEY, 0.5, A, B);
    passes(check(hbase(node(A, disk(0)), node(B, disk(700))), split));
    assertThat(check(hbase(node(A, disk(0)), node(B, disk(710))), split))
        .isEqualTo(full(B, "81 %"));
  }

  @Test
  void compactionsNeedTheirPartitionsSizeMeanwhile() {
    ClusterSnapshot cluster = hbase(node(A, disk(700)), node(B, disk(600)));
    passes(check(cluster, compact(P)));
    assertThat(check(cluster, compact(P), compact(Q)))
        .as("two run at once")
        .isEqualTo(full(A, "85 %"));
    passes(check(cluster, limits().maxConcurrentMoves(1), compact(P), compact(Q)));
    passes(check(cluster, move(P), compact(P)));
    assertThat(check(hbase(node(A, disk(0)), node(B, disk(650))), move(P), compact(P)))
        .as("where it was moved to, in addition to itself")
        .isEqualTo(full(B, "85 %"));
  }

  @Test
  void whatLeavesMustFitOnTheOthersTogether() {
    Action remove = new Action.RemoveNode(C);
    passes(check(files(node(A, disk(600)), node(B, disk(700)), node(C, disk(300))), remove));
    assertThat(check(files(node(A, disk(600)), node(B, disk(700)), node(C, disk(320))), remove))
        .isEqualTo(
            refused(
                "with the data of node c:1 the disks of the other nodes would be 81 % full,"
                    + " more than 80 %"));
    assertThat(check(files(node(A, disk(900)), node(B, disk(700)), node(C, disk(101))), remove))
        .as("a node above the limit gives none of its excess to others")
        .isInstanceOf(Guard.Verdict.Refuse.class);
    assertThat(check(files(node(A, disk(900)), node(B, disk(850)), node(C, disk(1))), remove))
        .isEqualTo(refused("no other node has room for the data of node c:1 below 80 %"));
  }

  @Test
  void aRingGivesEachOtherNodeAPart() {
    Action remove = new Action.RemoveNode(C);
    passes(check(ring(node(A, disk(600)), node(B, disk(700)), node(C, disk(200))), remove));
    assertThat(check(ring(node(A, disk(0)), node(B, disk(700)), node(C, disk(220))), remove))
        .as("whatever room others have")
        .isEqualTo(
            refused(
                "the disks of node b:1 would be 81 % full with its part of what node c:1 stores,"
                    + " more than 80 %"));
    assertThat(check(ring(node(A, disk(0)), node(B, disk(900)), node(C, disk(1))), remove))
        .as("one above the limit gets its part, too")
        .isInstanceOf(Guard.Verdict.Refuse.class);
    passes(check(ring(node(A, disk(0)), node(B, DiskSpace.UNKNOWN), node(C, disk(200))), remove));
  }

  @Test
  void aNewNodeOfARingHoldsItsShareOfWhatTheOthersStore() {
    Action add = new Action.AddNode(1, MIXED);
    ClusterSnapshot cluster = ring(node(A, stores(900)), node(B, stores(600)));
    passes(check(cluster, add));
    passes(check(cluster, limits().nodeDiskGiB(625), add));
    assertThat(check(cluster, limits().nodeDiskGiB(620), add))
        .isEqualTo(full(new NodeId("new-1"), "80.7 %"));
    assertThat(check(cluster, limits().nodeDiskGiB(620), add, new Action.AddNode(2, MIXED)))
        .as("the first of two has joined before the second has its share")
        .isEqualTo(full(new NodeId("new-1"), "80.7 %"));
    // HBase's new nodes get what is moved to them.
    ClusterSnapshot hbase = hbase(node(A, disk(900)));
    passes(check(hbase, limits().nodeDiskGiB(125), add, new Action.Move(P, A, newNode())));
    assertThat(check(hbase, limits().nodeDiskGiB(124), add, new Action.Move(P, A, newNode())))
        .isEqualTo(full(newNode(), "80.7 %"));
  }

  private static NodeId newNode() {
    return new NodeId("new-1");
  }

  @Test
  void aReplacementHoldsWhatTheDeadNodeStored() {
    Action replace = new Action.ReplaceNode(1, C, MIXED);
    ClusterSnapshot known = ring(node(A, disk(300)), node(B, disk(100)), dead(C, disk(500)));
    passes(check(known, limits().nodeDiskGiB(625), replace));
    assertThat(check(known, limits().nodeDiskGiB(620), replace))
        .isEqualTo(full(newNode(), "80.7 %"));
    ClusterSnapshot unknown =
        ring(node(A, disk(300)), node(B, disk(100)), dead(C, DiskSpace.UNKNOWN));
    passes(check(unknown, limits().nodeDiskGiB(250), replace));
    assertThat(check(unknown, limits().nodeDiskGiB(240), replace))
        .as("as much as the others on average")
        .isEqualTo(full(newNode(), "83.4 %"));
  }

  @Test
  void whatHasBegunOrIsDoneIsNotCountedAgain() {
    Action add = new Action.AddNode(1, MIXED);
    Map<NodeId, NodeId> joined = Map.of(newNode(), C);
    Settings settings = Settings.defaults().with(limits().nodeDiskGiB(590).build());
    ClusterSnapshot grown = ring(node(A, stores(900)), node(B, stores(600)), node(C, stores(400)));
    assertThat(Guard.forbids(plan(add).actions(), grown, joined, settings)).isEmpty();
    assertThat(Guard.forbids(plan(add).actions(), grown, Map.of(), settings)).isPresent();

    Action move = new Action.Move(P, A, newNode());
    ClusterSnapshot full = hbase(node(A, disk(0)), node(C, disk(701)));
    assertThat(Guard.forbids(plan(move).actions(), full, joined, settings))
        .contains((Guard.Verdict.Refuse) full(C, "80.1 %"));

    // A node that leaves a ring goes on, and has given others some of its data already.
    NodeState c = node(C, disk(320));
    NodeState leaving =
        new NodeState(C, 1, true, true, Optional.empty(), false, c.usage(), c.gauges());
    Action remove = new Action.RemoveNode(C);
    passes(check(ring(node(A, disk(600)), node(B, disk(780)), leaving), remove));
  }

  /** A restart empties a node for a moment; its files have not gone meanwhile. */
  @Test
  void whatComesHomeIsThereAlready() {
    Action home = new Action.Move(P, B, A);
    ClusterSnapshot cluster = hbase(node(A, disk(750)), node(B, disk(100)));
    passes(check(cluster, move(P), home));
    assertThat(check(hbase(node(A, disk(750)), node(B, disk(750))), move(P), home))
        .as("away from home it needs room")
        .isEqualTo(full(B, "85 %"));
  }

  @Test
  void unknownFiguresRefuseNothing() {
    NodeState a = node(A, DiskSpace.UNKNOWN);
    NodeState b = node(B, DiskSpace.UNKNOWN);
    Action split = new Action.Split(P, KEY, 0.5, A, B);
    passes(check(hbase(a, b), move(P), split, compact(Q)));
    passes(check(hbase(a, b), limits().nodeDiskGiB(1), move(P)));
    Action remove = new Action.RemoveNode(A);
    passes(check(ring(a, node(B, disk(900))), remove));
    passes(check(files(node(A, disk(900)), node(B, disk(900)), node(C, stores(1))), remove));
    passes(check(ring(a, b), limits().nodeDiskGiB(1), new Action.AddNode(1, MIXED)));
  }

  @Test
  void theSettingIsOnlyForNodesThatDoNotTell() {
    Action remove = new Action.RemoveNode(A);
    ClusterSnapshot cluster = ring(node(A, disk(100)), node(B, disk(600)));
    passes(check(cluster, limits().nodeDiskGiB(1), remove));
    ClusterSnapshot silent = ring(node(A, stores(100)), node(B, stores(600)));
    passes(check(silent, limits().nodeDiskGiB(1000), remove));
    assertThat(check(silent, limits().nodeDiskGiB(800), remove))
        .isInstanceOf(Guard.Verdict.Refuse.class);
  }
}
