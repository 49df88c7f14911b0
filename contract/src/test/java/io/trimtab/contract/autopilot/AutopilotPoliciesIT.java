package io.trimtab.contract.autopilot;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.UsageSettings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.journal.PredictionLedger;
import io.trimtab.runtime.journal.PredictionLedger.PredictionResult;
import io.trimtab.runtime.ports.StateDir;
import io.trimtab.runtime.ports.SystemPorts;
import io.trimtab.workload.AcknowledgedWrites;
import io.trimtab.workload.Verifier;
import io.trimtab.workload.WorkloadRun;
import io.trimtab.workload.WorkloadSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** More of the policy autopilot on a real cluster; see {@code ./trimtab test --policies}. */
@Tag("policies")
class AutopilotPoliciesIT extends AutopilotCluster.Limited {
  /** A table whose blocks fit into the caches of nodes for reading only. */
  private static final String LARGE = "large";

  private static final WorkloadSpec QUIET =
      new WorkloadSpec(
          null, null, List.of(tenant("r", 1, 10.0), tenant("u", 1, 10.0), tenant("s", 1, 10.0)));

  /** Usage that a cached read a second causes, and one of which half the blocks are read. */
  private static final double CACHED = 0.0003;

  private static final double HALF_CACHED = 0.0009;

  /** Controllers that it takes for a plan of which some points are fatal. */
  private static final int KILLED = 3;

  /** Has most of what is there served by one node, which is asked for more than it can serve. */
  private NodeId hotNode() throws Exception {
    // HBase's own balancer would be as quick.
    engine.pauseBalancer(LIMIT);
    NodeId hot = gather(whole(s -> true), "r", "u");
    lab.limitNodes(true);
    WorkloadRun load = ask(PolicyAutopilotIT.TWO_BUSY);
    Map<String, Double> served = served(load);
    for (String tenant : List.of("r", "u")) {
      load.admit(tenant, PolicyAutopilotIT.MORE * served.get(tenant));
    }
    engine.setBalancer(ON);
    return hot;
  }

  /** By a second plan at most, as the first one is made from what a full node tells. */
  @Test
  @Timeout(value = 13, unit = TimeUnit.MINUTES)
  void theClusterIsLeftAloneSoon() throws Exception {
    hotNode();

    TightNodes.Settling settled =
        TightNodes.Settling.runUntilMeasured(
            lab, engine, TightNodes.keeping(3), 1, FaultPoints.NONE);

    assertThat(settled.plans()).hasSizeBetween(1, 2);
    TightNodes.assertNothingReturns(settled.plans());
    assertForeseen(whole(s -> true).clusterId());
  }

  /** What was predicted, against what was measured when caches had filled after the plan. */
  private static void assertForeseen(String clusterId) {
    List<PredictionResult> lines = PredictionLedger.of(StateDir.of(clusterId).journals().acted());
    assertThat(lines).isNotEmpty();
    assertThat(lines.get(lines.size() - 1).known()).isTrue();
    for (PredictionResult line : lines) {
      System.out.printf(
          "predicted from %s: %.2f, measured: %.2f, mean error of all nodes: %.2f%n",
          line.from(), line.predicted(), line.measured(), line.meanError());
      assertThat(line.kinds()).contains("move");
      assertThat(line.predicted()).isLessThan(0.75);
      // One that the next plan has overtaken is not measured.
      assertThat(line.known()).isEqualTo(!line.overtaken());
      if (line.known()) {
        // A full node does not tell how much more it is asked for.
        assertThat(line.error()).isBetween(-0.35, 0.35);
      }
    }
  }

  /** The first one decides the plan, and dies in the middle of it. */
  @Test
  @Timeout(value = 12, unit = TimeUnit.MINUTES)
  void aPlanOfTheAutopilotIsFinishedByWhoeverFollows() throws Exception {
    ClusterSnapshot before = whole(s -> true);
    NodeId hot = hotNode();
    Path deaths = Files.write(home.resolve("deaths-autopilot"), survived());

    List<String> died =
        KilledControllers.untilDone(
            home, labName(), deaths, KILLED, Optional.empty(), point -> {}, "3");

    assertThat(died).contains("action-performed-1", "action-started-2", "plan-ended");
    Plan plan = begun(before.clusterId());
    assertThat(plan.policy()).isEqualTo(Policies.AUTOPILOT.name());
    // What holds the balancer back between plans outlives the controllers.
    Map<PartitionId, Optional<NodeId>> placed = placement(whole(s -> true));
    Map<PartitionId, NodeId> wanted = new HashMap<>();
    plan.actions(Action.Move.class).forEach(move -> wanted.put(move.partition(), move.to()));
    assertThat(plan.actions(Action.Move.class)).extracting(Action.Move::from).contains(hot);
    wanted.forEach((p, node) -> assertThat(placed).containsEntry(p, Optional.of(node)));

    TightNodes.Settling next =
        TightNodes.Settling.run(lab, engine, TightNodes.keeping(3), 0, FaultPoints.NONE);

    List<Plan> all = new ArrayList<>(List.of(plan));
    all.addAll(next.plans());
    assertThat(next.plans()).hasSizeLessThan(2);
    TightNodes.assertNothingReturns(all);
  }

  /** All points of a plan but one during an action, one before another, and the plan's end. */
  private static List<String> survived() {
    List<String> survived =
        new ArrayList<>(List.of("plan-started", "balancer-paused", "before-restore", "restored"));
    for (int step = 1; step <= 60; step++) {
      for (String moment : List.of("started", "performed", "ended")) {
        survived.add("action-" + moment + "-" + step);
      }
    }
    survived.removeAll(List.of("action-performed-1", "action-started-2"));
    return survived;
  }

  private static Plan begun(String clusterId) {
    List<Entry.PlanStarted> begun =
        StateDir.of(clusterId).journals().acted().stream()
            .filter(Entry.PlanStarted.class::isInstance)
            .map(Entry.PlanStarted.class::cast)
            .toList();
    return begun.get(begun.size() - 1).plan();
  }

  /**
   * Nodes that are configured for writing, and a table that was written and is read now: of what is
   * read most is not cached.
   */
  @Test
  @Timeout(value = 12, unit = TimeUnit.MINUTES)
  void nodesAreConfiguredForReadingWhereTheLoadTurnsToIt() throws Exception {
    for (NodeState node : whole(s -> true).nodes()) {
      engine.applyProfile(node.id(), Profile.WRITE, LIMIT);
    }
    ask(QUIET);
    WorkloadSpec reads = large("read: 1.0");
    Map<String, AcknowledgedWrites> ledgers = load(reads);
    try (Admin admin = admin();
        WorkloadRun writing =
            WorkloadRun.start(large("update: 1.0"), target(), ledgers, samples -> {})) {
      pause(5_000);
      finish(writing);
      // What is in memstores is read from there.
      admin.flush(TableName.valueOf(LARGE));
      lab.limitNodes(true);
      try (WorkloadRun reading = WorkloadRun.start(reads, target(), ledgers, samples -> {})) {
        becomesReading(reading);
        lab.limitNodes(false);
        finish(reading);
      }
      assertThat(new Verifier(target()).verify(reads, ledgers).right()).isTrue();
    } finally {
      drop(LARGE);
    }
  }

  /** No node is used too much; without the agreement it would be left as it is. */
  @Test
  @Timeout(value = 8, unit = TimeUnit.MINUTES)
  void anAgreementThatIsMissedTakesANode() throws Exception {
    whole(s -> s.liveNodes().size() == 3);
    WorkloadSpec spec = tenant("agreement", "read: 0.7, update: 0.3", 3, 100);
    LiveAgreement agreement = new LiveAgreement(home, LiveAgreement.NEVER_KEPT, spec);
    List<Plan> plans = new ArrayList<>();
    LoopListener listener =
        new LoopListener() {
          @Override
          public void planned(Plan plan, boolean act) {
            System.out.println(plan.summary());
            plans.add(plan);
          }
        };
    ControlLoop loop =
        new ControlLoop(
            engine,
            Optional.of(lab.provider()),
            agreement.watched(TightNodes.between(3, 4)),
            listener,
            SystemPorts.ports(),
            FaultPoints.NONE);
    try {
      underLoad(spec, agreement, () -> agreement.onePlan(loop));
    } finally {
      drop("agreement");
    }

    assertThat(plans).hasSize(1);
    assertThat(plans.get(0).summary()).contains("agreement: throughput ");
    assertThat(plans.get(0).actions(Action.AddNode.class)).hasSize(1);
    assertThat(plans.get(0).actions(Action.Move.class)).isNotEmpty();
    whole(s -> s.liveNodes().size() == 4);
  }

  private static void drop(String table) throws Exception {
    try (Admin admin = admin()) {
      admin.disableTable(TableName.valueOf(table));
      admin.deleteTable(TableName.valueOf(table));
    }
  }

  private void becomesReading(WorkloadRun reading) throws Exception {
    Path model = KnownCosts.write(home.resolve("misses.json"), CACHED, HALF_CACHED);
    Settings settings =
        TightNodes.keeping(3)
            .with(
                UsageSettings.builder().model(model.toString()).target(TightNodes.TARGET).build());
    Map<String, Double> before = served(reading);
    // A full node with misses; without them it serves that with room to spare.
    reading.admit(LARGE, PolicyAutopilotIT.MORE * before.get(LARGE));

    TightNodes.Settling settled =
        TightNodes.Settling.run(lab, engine, settings, 1, FaultPoints.NONE);

    assertThat(settled.outcome().orElseThrow().how()).isEqualTo(PlanOutcome.DONE);
    Plan first = settled.plans().get(0);
    assertThat(first.actions(Action.Reconfigure.class))
        .as("profiles in %s", first.summary())
        .isNotEmpty()
        .allSatisfy(
            one ->
                assertThat(one.to().cacheFraction())
                    .isGreaterThan(Profile.WRITE.cacheFraction() + 0.2));
    TightNodes.assertNothingReturns(settled.plans());
    ClusterSnapshot after = whole(s -> true);
    for (Action.Reconfigure one : first.actions(Action.Reconfigure.class)) {
      assertThat(after.node(one.node()).flatMap(NodeState::profile).orElseThrow())
          .as("%s", one)
          .matches(has -> has.cacheFraction() > Profile.WRITE.cacheFraction() + 0.2);
    }
    reading.admit(LARGE, Double.POSITIVE_INFINITY);
    assertThat(served(reading).get(LARGE)).isGreaterThan(1.15 * before.get(LARGE));
  }

  /** 30 MB on each node: more than the cache of WRITE, less than half of that of READ. */
  private static WorkloadSpec large(String mix) {
    return WorkloadSpec.parse(
        LARGE,
        """
        tenants:
          - {name: large, partitions: 3, records: 18000, fields: 1, fieldLength: 5000,
             mix: {%s}, distribution: {kind: uniform}, threads: 4}
        """
            .formatted(mix));
  }
}
