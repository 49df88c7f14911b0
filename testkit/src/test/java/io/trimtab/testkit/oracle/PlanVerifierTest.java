package io.trimtab.testkit.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeSetting;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.testkit.Seeds;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.InMemoryCluster;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Each rule bites: for each a plan, or a state, that breaks it and no other. */
class PlanVerifierTest extends PlanFixture {
  private static Action.Reconfigure restart(NodeId node) {
    return new Action.Reconfigure(
        node, Profile.HOMOGENEOUS, Profile.READ, Action.ApplyMode.RESTART);
  }

  private void good(Action... actions) {
    assertThat(PlanVerifier.violations(plan(actions), now())).isEmpty();
  }

  private void bad(String text, Action... actions) {
    assertThat(PlanVerifier.violations(plan(actions), now()))
        .as("%s", List.of(actions))
        .isNotEmpty()
        .allSatisfy(v -> assertThat(v).contains(text));
  }

  /** What follows from it is told too. */
  private void worse(String text, Action... actions) {
    assertThat(PlanVerifier.violations(plan(actions), now())).anyMatch(v -> v.contains(text));
  }

  @Test
  void partitionsAreNamedAsTheyAreAtThatStep() {
    good(move(0, B));
    bad("does not exist at that step", new Action.Move(new PartitionId("t", "x"), A, B));
    bad("is on node001:16020, not on", new Action.Move(part(0).id(), B, C));
    bad("is moved to where it is", move(0, A));
    bad("does not exist", split(0, "02"), move(0, B));
    bad("does not exist", new Action.Compact(new PartitionId("t", "x"), 0.5));
  }

  @Test
  void nodesAreNamedAsTheyAreAtThatStep() {
    worse("does not exist at that step", move(0, new NodeId("x:1")));
    worse("does not exist at that step", move(0, NEW), new Action.AddNode(1, Profile.READ));
    good(new Action.AddNode(1, Profile.READ), move(0, NEW));
    bad("new node number 1 is named new-2", new Action.AddNode(2, Profile.READ));
    bad(
        "new node number 2 is named new-1",
        new Action.AddNode(1, Profile.READ),
        new Action.AddNode(1, Profile.READ));
    cluster.kill(C);
    cluster.clock().advance(Duration.ofMinutes(2));
    bad("is dead", move(0, C.equals(part(0).node().orElseThrow()) ? A : C));
  }

  @Test
  void nothingGoesToADrainingNodeAndDrainedNodesLeave() throws EngineException {
    bad("was drained and neither removed", new Action.DrainNode(C));
    cluster.engine().setDraining(C, true);
    bad("is draining", move(0, C));
  }

  @Test
  void aNodeIsEmptiedBeforeItRestartsOrLeaves() {
    List<Action> actions = new ArrayList<>();
    bad("restarts and still serves 3 partitions", restart(A));
    worse("is removed and still serves 2", new Action.RemoveNode(C), move(0, B));
    actions.add(new Action.DrainNode(C));
    for (int i = 0; i < now().partitions().size(); i++) {
      if (part(i).node().orElseThrow().equals(C)) {
        actions.add(move(i, A));
      }
    }
    actions.add(new Action.RemoveNode(C));
    good(actions.toArray(Action[]::new));
  }

  @Test
  void thereAreNeverFewerNodesThanCopies() {
    cluster = new InMemoryCluster(ClusterSpec.ring(1, 2, 2, ringTable()));
    bad("fewer than 2 copies", new Action.RemoveNode(new NodeId("node001:9042")));
  }

  private static TableSpec ringTable() {
    return TableSpec.of("k.t", 1, 1_000_000, Access.reads(10));
  }

  @Test
  void nothingMovesTwiceExceptForARestart() {
    PartitionId p = part(0).id();
    bad("moved twice", move(0, B), new Action.Move(p, B, C));
    bad("moved twice", move(0, B), new Action.Move(p, B, A));
    List<Action> away = new ArrayList<>();
    List<Action> back = new ArrayList<>();
    for (int i = 0; i < now().partitions().size(); i++) {
      if (part(i).node().orElseThrow().equals(A)) {
        away.add(move(i, B));
        back.add(new Action.Move(part(i).id(), B, A));
      }
    }
    away.add(restart(A));
    away.addAll(back);
    good(away.toArray(Action[]::new));
  }

  @Test
  void stepsAreNumberedAndExplained() {
    Action action = move(0, B);
    assertThat(violations(new PlannedAction(2, action, "a", "b", "c", "d")))
        .containsExactly("step 2 (move): steps must be numbered 1, 2, …");
    assertThat(violations(new PlannedAction(1, action, "", "b", "c", "d")))
        .containsExactly("step 1 (move): its reason is not a line of text");
    assertThat(violations(new PlannedAction(1, action, "a", null, "c", "d")))
        .containsExactly("step 1 (move): its effect is not a line of text");
    assertThat(violations(new PlannedAction(1, action, "a", "b", "c\nc", "d")))
        .containsExactly("step 1 (move): its cost is not a line of text");
    assertThat(violations(new PlannedAction(1, action, "a", "b", "c", " ")))
        .containsExactly("step 1 (move): its undo is not a line of text");
  }

  private List<String> violations(PlannedAction planned) {
    return PlanVerifier.violations(plan(List.of(planned)), now());
  }

  @Test
  void thePlanIsOfThatSnapshot() {
    ClusterSnapshot now = now();
    Plan right = plan(move(0, B));
    assertThat(
            PlanVerifier.violations(
                new Plan("p", "other", Instant.EPOCH, "t", "", -1, right.actions()), now))
        .hasSize(4);
    assertThat(PlanVerifier.violations(right.with(List.of()), now))
        .containsExactly("the plan has no action");
  }

  @Test
  void splitsAreStrictlyInsideAndMergesOfNeighbours() {
    good(split(0, "02"));
    bad("not strictly inside", split(1, part(1).range().start().hex()));
    bad("not strictly inside", split(0, "ff"));
    PartitionState p = part(0);
    RowKey key = new RowKey("02");
    bad("the left share is", new Action.Split(p.id(), key, 1, A, B));
    KeyRange both = new KeyRange(part(0).range().start(), part(1).range().end());
    RowKey boundary = part(1).range().start();
    good(new Action.Merge(part(0).id(), part(1).id(), both, boundary));
    bad("not neighbours", new Action.Merge(part(0).id(), part(2).id(), both, boundary));
    bad("not neighbours", new Action.Merge(part(1).id(), part(0).id(), both, boundary));
    bad("of two tables", new Action.Merge(part(5).id(), part(6).id(), both, boundary));
    bad("the range of both", new Action.Merge(part(0).id(), part(1).id(), both, key));
  }

  @Test
  void changesAreFromWhatThereIs() {
    Action.ApplyMode online = Action.ApplyMode.ONLINE;
    good(new Action.Reconfigure(A, Profile.HOMOGENEOUS, Profile.READ, online));
    bad("not Profile[name=WRITE", new Action.Reconfigure(A, Profile.WRITE, Profile.READ, online));
    bad(
        "has that profile already",
        new Action.Reconfigure(A, Profile.HOMOGENEOUS, Profile.HOMOGENEOUS, online));
    good(new Action.SetBlockSize("t", 65_536, 32_768));
    bad("is 65536, not 1", new Action.SetBlockSize("t", 1, 32_768));
    bad("can't become 0", new Action.SetBlockSize("t", 65_536, 0));
    bad("does not exist", new Action.SetBlockSize("x", 65_536, 1));
    bad("has no key cache", new Action.SetNode(A, NodeSetting.KEY_CACHE, 1, 2));
    bad("can't be asked for", new Action.Compact(part(0).id(), 1.5));
  }

  @Test
  void ringsHaveRulesOfTheirOwn() {
    cluster = new InMemoryCluster(ClusterSpec.ring(1, 3, 2, ringTable()));
    NodeId node = now().nodes().get(0).id();
    NodeId other = now().nodes().get(1).id();
    good(new Action.SetNode(node, NodeSetting.KEY_CACHE, 50, 60));
    bad("is 50, not 49", new Action.SetNode(node, NodeSetting.KEY_CACHE, 49, 60));
    bad("can't become -1", new Action.SetNode(node, NodeSetting.KEY_CACHE, 50, -1));
    good(new Action.Cleanup(node), new Action.RemoveNode(other));
    bad("does not exist", new Action.RemoveNode(other), new Action.Cleanup(other));
    bad("nothing can be moved", move(0, other));
    bad("nothing can be moved", new Action.DrainNode(node));
    bad("is alive, and is not replaced", new Action.ReplaceNode(1, node, Profile.READ));
    cluster.kill(node);
    good(new Action.ReplaceNode(1, node, Profile.READ));
  }

  @Test
  void groupedPlansFillNodesEqually() {
    // Seven on three nodes of one profile: three at most.
    assertThat(PlanVerifier.violationsOfGrouped(plan(move(0, B)), now())).isEmpty();
    assertThat(PlanVerifier.violationsOfGrouped(plan(move(0, B), move(2, B)), now()))
        .containsExactly("at the end: node node002:16020 has 4 partitions, its share is 3");
  }

  @Test
  void theFailureTellsThePlanAndTheSeed() {
    assertThatThrownBy(() -> PlanVerifier.require(plan(move(0, A)), now(), 42))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("step 1 (move): partition")
        .hasMessageContaining("1. Move[")
        .hasMessageContaining("replay with -Dtrimtab.seed=42");
    PlanVerifier.require(plan(move(0, B)), now(), 42);
    assertThatThrownBy(
            () ->
                Seeds.forEach(
                    5,
                    seed -> {
                      if (seed == 3) {
                        throw new IllegalStateException("broken");
                      }
                    }))
        .hasMessageContaining("seed 3: broken")
        .hasMessageContaining("replay with -Dtrimtab.seed=3");
  }
}
