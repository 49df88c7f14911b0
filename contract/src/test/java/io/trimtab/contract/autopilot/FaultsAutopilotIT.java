package io.trimtab.contract.autopilot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.lab.cluster.LabNode;
import io.trimtab.runtime.Executor;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.journal.PlanOutcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Controllers, masters and servers that die while a plan is carried out. */
@Tag("beside-others")
class FaultsAutopilotIT extends AutopilotCluster {
  /** Before and after one action of every kind; the walk over every point is in memory. */
  @Test
  void controllersKilledAroundEveryKindOfActionAreFollowedByOneThatFinishes() throws Exception {
    try (SpareTable spare = SpareTable.create(lab.clientProperties(), "spare")) {
      ClusterSnapshot made = whole(s -> s.partitions().size() == 9 + SpareTable.REGIONS);
      List<NodeId> nodes = made.nodes().stream().map(NodeState::id).toList();
      NodeId stays = partition(made, "u", 0).node().orElseThrow();
      NodeId leaves = other(nodes, stays);
      NodeId changed = other(nodes, leaves);
      spare.gather(engine, made, stays, LIMIT);
      ClusterSnapshot before = whole(s -> true);
      Action.AddNode add = new Action.AddNode(1, Profile.READ);
      List<Action> actions = new ArrayList<>();
      actions.add(new Action.SetBlockSize("s", partition(before, "s", 0).blockSizeBytes(), 16384));
      actions.add(
          new Action.Reconfigure(
              changed, Profile.HOMOGENEOUS, Profile.READ_WRITE, Action.ApplyMode.ONLINE));
      actions.add(add);
      actions.addAll(spare.cutAndMerged(before, changed));
      actions.add(new Action.DrainNode(leaves));
      for (PartitionState p : before.partitions()) {
        if (p.node().equals(Optional.of(leaves))) {
          actions.add(new Action.Move(p.id(), leaves, add.placeholder()));
        }
      }
      actions.add(new Action.Compact(partition(before, "u", 0).id(), Action.Compact.ALWAYS));
      actions.add(new Action.RemoveNode(leaves));
      Plan plan = LeftPlan.begin(engine, before, ON, actions);
      Path deaths = Files.write(home.resolve("deaths"), KilledControllers.passed(plan));

      Map<PartitionId, Optional<NodeId>> placed = new HashMap<>();
      List<String> died =
          KilledControllers.untilDone(
              home,
              labName(),
              deaths,
              point -> {
                // Once it is given back, HBase's balancer may move any of them.
                if (point.equals("before-restore")) {
                  placed.putAll(placement(whole(s -> true)));
                }
              });

      assertThat(died).containsAll(KilledControllers.fatal(plan));
      ClusterSnapshot after =
          whole(
              s -> s.liveNodes().size() == 3 && s.node(leaves).filter(NodeState::alive).isEmpty());
      assertThat(lab.nodes()).as("the request for a node was killed and repeated").hasSize(3);
      NodeId added =
          lab.nodes().stream()
              .map(LabNode::id)
              .filter(n -> !nodes.contains(n))
              .findFirst()
              .orElseThrow();
      for (Action.Move move : plan.actions(Action.Move.class)) {
        assertThat(placed).containsEntry(move.partition(), Optional.of(added));
      }
      assertThat(after.node(changed).flatMap(NodeState::profile)).contains(Profile.READ_WRITE);
      assertThat(partition(after, "s", 0).blockSizeBytes()).isEqualTo(16384);
      spare.assertCutAndMerged(after);
    }
  }

  @Test
  void aMasterThatRestartsDuringAPlanDelaysItOnly() throws Exception {
    ClusterSnapshot before = whole(s -> true);
    Plan plan = shuffle(before);

    Executor.Outcome outcome =
        resume(
            point -> {
              if (point.equals("action-started-3")) {
                lab.restartMaster(LIMIT);
              }
            });

    assertThat(outcome.how()).as("%s", outcome).isEqualTo(PlanOutcome.DONE);
    assertMoved(whole(s -> true), plan);
  }

  /** Nothing is lost, the plan ends one way or the other, and says what went wrong. */
  @Test
  void aRegionServerThatDiesDuringAPlanLeavesAWholeCluster() throws Exception {
    ClusterSnapshot before = whole(s -> true);
    Plan plan = shuffle(before);
    NodeId victim = ((Action.Move) plan.actions().get(2).action()).to();

    Executor.Outcome outcome =
        resume(
            point -> {
              if (point.equals("action-started-3")) {
                partitionsGoUnserved();
                lab.killNode(victim);
              }
            });

    assertThat(outcome.how()).as("%s", outcome).isIn(PlanOutcome.DONE, PlanOutcome.ABANDONED);
    if (!outcome.done()) {
      assertThat(outcome.why()).contains(victim.name());
    }
    whole(s -> s.partitions().stream().allMatch(p -> p.node().isPresent()));
    lab.startNode(victim, LIMIT);
    whole(s -> s.liveNodes().size() == 3);
  }

  /** Users' partitions are away while the model is made, and back before the balancer may move. */
  @Test
  void aNodeIsMeasuredOutOfServiceAndPutBackAlsoAfterAKill() throws Exception {
    ClusterSnapshot before = whole(s -> true);
    NodeId node = partition(before, "r", 0).node().orElseThrow();
    MeasuredNode measured = new MeasuredNode(lab, engine, node, LIMIT);
    Map<PartitionId, Optional<NodeId>> placed = new HashMap<>();
    Path file = home.resolve("node.json");

    Executor.Outcome outcome =
        measured.during(
            before,
            point -> {
              if (point.equals("moved-back")) {
                placed.putAll(placement(seen()));
              }
            },
            live -> {
              assertThat(placement(whole(s -> true))).doesNotContainValue(Optional.of(node));
              measured.build(live, file);
            });

    assertThat(outcome.how()).as("%s", outcome).isEqualTo(PlanOutcome.DONE);
    assertThat(placed).containsAllEntriesOf(placement(before));
    assertThat(Files.readString(file)).contains("\"engineVersion\"", "\"heapBytes\"", "2.6.");
    assertThat(whole(s -> true).partitions())
        .noneMatch(p -> p.id().table().startsWith(MeasuredNode.PREFIX));

    // The next one is killed, and the autopilot finds what it has left.
    engine.setBalancer(BalancerState.PAUSED);
    ClusterSnapshot again = whole(s -> true);
    assertThatThrownBy(
            () ->
                measured.during(
                    again,
                    point -> {
                      if (point.equals("work-ended")) {
                        throw new MeasuredNode.Killed();
                      }
                    },
                    live -> {}))
        .isInstanceOf(MeasuredNode.Killed.class);
    assertThat(placement(whole(s -> true))).doesNotContainValue(Optional.of(node));
    placed.clear();
    resume(
        point -> {
          if (point.equals("moved-back")) {
            placed.putAll(placement(seen()));
          }
        });

    assertThat(placed).containsAllEntriesOf(placement(again));
    measured.putBack();
    engine.setBalancer(ON);
  }

  private static ClusterSnapshot seen() {
    try {
      return engine.snapshot();
    } catch (EngineException e) {
      throw new AssertionError(e);
    }
  }

  private static Executor.Outcome resume(FaultPoints faults) throws EngineException {
    return LeftPlan.resume(lab, engine, LIMIT, faults);
  }
}
