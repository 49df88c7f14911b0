package io.trimtab.contract.autopilot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.contract.SlowedNode;
import io.trimtab.controller.guard.Guard;
import io.trimtab.controller.health.LostNodes;
import io.trimtab.controller.observe.History;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.policy.Decider;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.PlaceSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.engineapi.snapshot.SplitHint;
import io.trimtab.lab.cluster.LabNode;
import io.trimtab.runtime.Executor;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.testkit.TestPlans;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Controllers, masters and servers that die while a plan is carried out, or stand still. */
@Tag("beside-others")
class FaultsAutopilotIT extends AutopilotCluster {
  /** One of three nodes may be silent, and a look that has waited for it is not too old. */
  private static final Settings TWO_OF_THREE =
      Settings.defaults()
          .with(Policies.MET_1)
          .with(ObserveSettings.builder().period(Duration.ofSeconds(10)).samples(3).build())
          .with(PlaceSettings.builder().whenHealthy(true).build())
          .with(GuardSettings.builder().badNodesMax(0.34).build());

  private static final long BETWEEN_LOOKS_MS = 3_000;

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
              KilledControllers.fatal(plan).size(),
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

  /** As between plans: who looks is told, and begins anew once all regions are served. */
  @Test
  void aRegionServerThatDiesBeginsTheSamplesAnewWhenItsRegionsAreServed() throws Exception {
    ClusterSnapshot before = whole(s -> s.liveNodes().size() == 3);
    NodeId dies = other(before.liveNodes().stream().map(NodeState::id).toList(), nodeOfMeta());
    assertThat(on(before, dies)).isNotEmpty();
    LostNodes lost = LostNodes.NONE.append(History.EMPTY, before, TWO_OF_THREE.pace());
    History history = History.EMPTY.append(before, TWO_OF_THREE.observe());
    partitionsGoUnserved();
    lab.killNode(dies);

    String it = "node " + dies;
    List<String> waits = new ArrayList<>();
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (lost.loss().filter(l -> l.lost().contains(dies) && l.unserved() == 0).isEmpty()) {
      assertThat(System.nanoTime()).as("%s", waits).isLessThan(deadline);
      ClusterSnapshot seen = engine.snapshot();
      lost = lost.append(history, seen, TWO_OF_THREE.pace());
      History kept = lost.beginsAnew() ? history.again() : history;
      history = kept.append(seen, TWO_OF_THREE.observe());
      lost.waits().ifPresent(why -> waits.add(why.reason()));
    }

    assertThat(history.samples()).isOne();
    assertThat(waits)
        .anyMatch(why -> why.startsWith(it + " can't be read"))
        .anyMatch(why -> why.startsWith(it + " was lost, and ") && why.contains("not served"));
    lab.startNode(dies, LIMIT);
    whole(s -> s.liveNodes().size() == 3);
  }

  /** Users' partitions are away while the model is made, and back before the balancer may move. */
  @Test
  void aNodeIsMeasuredOutOfServiceAndPutBackAlsoAfterAKill() throws Exception {
    NodeId node = partition(whole(s -> true), "r", 0).node().orElseThrow();
    // With the smallest cache, which what is measured has to fill.
    engine.applyProfile(node, Profile.WRITE, LIMIT);
    ClusterSnapshot before = whole(s -> true);
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
    engine.pauseBalancer(LIMIT);
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

  /**
   * What was seen and decided while a server stood still.
   *
   * @param askedS seconds that questions to all plug-ins took
   */
  private record Standstill(ClusterSnapshot seen, double askedS, Decider.NextStep decided) {}

  /**
   * For less than its session's time, so that the cluster takes it for alive. The server of
   * hbase:meta is another one: without it nobody knows where regions are.
   */
  @Test
  void aRegionServerThatStandsStillIsLeftAloneAndTheOthersArePlannedWith() throws Exception {
    engine.pauseBalancer(LIMIT);
    ClusterSnapshot before = whole(s -> s.liveNodes().size() == 3);
    List<NodeId> nodes = before.liveNodes().stream().map(NodeState::id).toList();
    NodeId silent = other(nodes, nodeOfMeta());
    NodeId one = other(nodes, silent);
    NodeId two = other(nodes, one);
    History history = History.EMPTY;
    for (int i = 1; i < TWO_OF_THREE.observe().samples(); i++) {
      history = history.append(whole(s -> true), TWO_OF_THREE.observe());
      pause(BETWEEN_LOOKS_MS);
    }

    Standstill still = standingStill(silent, history);

    ClusterSnapshot seen = still.seen();
    assertThat(seen.unreadNodes()).extracting(NodeState::id).containsExactly(silent);
    assertThat(seen.clusterGaps()).isEmpty();
    assertThat(seen.liveNodes()).hasSize(3);
    assertThat(still.askedS()).as("the silent one is not asked").isLessThan(5);
    assertThat(guarded(seen, TWO_OF_THREE, one, two)).isInstanceOf(Guard.Verdict.Pass.class);
    String its = "involves node " + silent;
    assertThat(refused(seen, TWO_OF_THREE, one, silent).reason()).contains(its);
    assertThat(refused(seen, TWO_OF_THREE, silent, two).reason()).contains(its);
    assertThat(refused(seen, Settings.defaults(), one, two).setting())
        .isEqualTo("guard.badNodesMax");
    assertPlannedWithout(silent, still);

    ClusterSnapshot again = whole(s -> s.liveNodes().size() == 3);
    assertThat(again.node(silent).map(NodeState::incarnation))
        .as("the same process")
        .isEqualTo(before.node(silent).map(NodeState::incarnation));
    assertThat(placement(again)).isEqualTo(placement(before));
    assertThat(guarded(again, TWO_OF_THREE, silent, two)).isInstanceOf(Guard.Verdict.Pass.class);
    engine.setBalancer(ON);
  }

  private static NodeId nodeOfMeta() throws IOException {
    try (Admin admin = admin();
        RegionLocator meta = admin.getConnection().getRegionLocator(TableName.META_TABLE_NAME)) {
      HRegionLocation at = meta.getRegionLocation(HConstants.EMPTY_START_ROW, true);
      return new NodeId(at.getServerName().getAddress().toString());
    }
  }

  /** Waits for nothing but the server's page: a session ends 13 to 20 s after its process stops. */
  private static Standstill standingStill(NodeId silent, History history) throws Exception {
    LabNode node =
        lab.nodes().stream().filter(n -> n.id().equals(silent)).findFirst().orElseThrow();
    long pid = node.pid("regionserver").orElseThrow();
    try (SlowedNode standing = SlowedNode.standing(pid)) {
      ClusterSnapshot seen = engine.snapshot();
      long seenNs = System.nanoTime();
      List<SplitHint> hints = engine.splitHints();
      List<BlockHistogram> blocks = engine.histograms();
      double askedS = (System.nanoTime() - seenNs) / 1e9;
      ObserveSettings settings = TWO_OF_THREE.observe();
      Instant now = Instant.now();
      Observation all = Observation.of(history.append(seen, settings), now, settings);
      assertThat(all).as("%s", all).isInstanceOf(Observation.Usable.class);
      return new Standstill(
          seen,
          askedS,
          Decider.decide(
              new Decider.Context(
                  ((Observation.Usable) all).with(hints).withBlocks(blocks),
                  new TreeMap<>(),
                  PolicyState.INITIAL,
                  TWO_OF_THREE,
                  Decider.Past.NONE,
                  Optional.of(NodeCapacity.of(0)),
                  true,
                  now)));
    }
  }

  /** What the guard says of a move of some partition. */
  private static Guard.Verdict guarded(
      ClusterSnapshot seen, Settings settings, NodeId from, NodeId to) {
    PartitionState any = on(seen, from).get(0);
    Plan plan = TestPlans.of("p", seen, new Action.Move(any.id(), from, to));
    Optional<NodeCapacity> offer = Optional.of(NodeCapacity.of(0));
    return Guard.check(plan, seen, Optional.empty(), offer, settings, seen.takenAt());
  }

  private static Guard.Verdict.Refuse refused(
      ClusterSnapshot seen, Settings settings, NodeId from, NodeId to) {
    Guard.Verdict verdict = guarded(seen, settings, from, to);
    assertThat(verdict).isInstanceOf(Guard.Verdict.Refuse.class);
    return (Guard.Verdict.Refuse) verdict;
  }

  private static List<PartitionState> on(ClusterSnapshot seen, NodeId node) {
    return seen.partitions().stream().filter(p -> p.node().equals(Optional.of(node))).toList();
  }

  /** The tenants of the two others are grouped, as on a cluster of two. */
  private static void assertPlannedWithout(NodeId silent, Standstill still) {
    assertThat(still.decided()).as("%s", still.decided()).isInstanceOf(Decider.Go.class);
    Plan plan = ((Decider.Go) still.decided()).act().plan();
    List<String> its = new ArrayList<>(List.of(silent.name()));
    on(still.seen(), silent).forEach(p -> its.add(p.id().toString()));
    assertThat(its).as("it serves something").hasSizeGreaterThan(1);
    assertThat(plan.actions(Action.Move.class)).as(plan.summary()).isNotEmpty();
    assertThat(plan.actions(Action.SetBlockSize.class)).isEmpty();
    for (PlannedAction planned : plan.actions()) {
      String action = planned.action().toString();
      assertThat(its).as(action).noneMatch(action::contains);
    }
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
