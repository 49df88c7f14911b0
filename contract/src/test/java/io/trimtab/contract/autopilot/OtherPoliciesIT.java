package io.trimtab.contract.autopilot;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.PlaceSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.UsageSettings;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.runtime.Executor;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.journal.PlanText;
import io.trimtab.runtime.journal.PredictionLedger;
import io.trimtab.runtime.ports.StateDir;
import io.trimtab.workload.WorkloadSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The policies met-1 and usage on a real cluster; see {@code ./trimtab test --policies}. */
@Tag("policies")
class OtherPoliciesIT extends AutopilotCluster {
  /**
   * Usage of a request per second by which the tenants' 800 requests per second need four nodes. A
   * slow machine may serve half of them: two nodes.
   */
  private static final double HEAVY = 4.0 / 800;

  @Override
  protected WorkloadSpec tenants() {
    return TENANTS;
  }

  /** Waits until every partition is asked for again, so that each shows what it is used for. */
  private void busy() throws Exception {
    ClusterSnapshot before = whole(s -> true);
    whole(
        now ->
            now.partitions().stream()
                .allMatch(
                    p -> {
                      PartitionCounters was =
                          before.partition(p.id()).orElseThrow().counters().orElseThrow();
                      PartitionCounters is = p.counters().orElseThrow();
                      return is.pointReads() + is.scanCalls() + is.writes()
                          > was.pointReads() + was.scanCalls() + was.writes() + 20;
                    }));
  }

  private static Settings placing(Action.ApplyMode way) {
    Settings s = DoomedController.settings();
    return Settings.defaults()
        .with(Policies.MET_1)
        .with(ObserveSettings.builder().period(Duration.ofSeconds(1)).samples(4).build())
        .with(PlaceSettings.builder().way(way).whenHealthy(true).build())
        .with(s.guard());
  }

  @Test
  void partitionsAreGroupedAndNodesConfiguredOnline() throws Exception {
    Map<NodeId, Long> incarnations = new TreeMap<>();
    whole(s -> true).nodes().forEach(n -> incarnations.put(n.id(), n.incarnation()));

    AtomicReference<BalancerState> held = new AtomicReference<>();
    AtomicBoolean balanced = new AtomicBoolean();
    Optional<Executor.Outcome> outcome =
        autopilot(
            placing(Action.ApplyMode.ONLINE),
            true,
            1,
            LoopListener.SILENT,
            point -> {
              if (point.equals("plan-ended")) {
                held.set(balancer());
                balanced.set(balances());
              }
            });

    assertThat(outcome.orElseThrow().how()).as("%s", outcome).isEqualTo(PlanOutcome.DONE);
    assertThat(held).as("after the plan").hasValue(BalancerState.PAUSED);
    assertThat(balanced).as("the master moved partitions when it was asked to").isFalse();
    ClusterSnapshot after = whole(s -> true);
    assertThat(after.balancer()).as("when no controller is left").isEqualTo(ON);
    assertGrouped(after, "");
    after.nodes().forEach(n -> assertThat(n.incarnation()).isEqualTo(incarnations.get(n.id())));
  }

  /** Each tenant has a node of its own, and the node's memory is split for it. */
  private static void assertGrouped(ClusterSnapshot now, String plan) {
    Map<String, Profile> wanted = Map.of("r", Profile.READ, "u", Profile.WRITE, "s", Profile.SCAN);
    Set<NodeId> used = new HashSet<>();
    wanted.forEach(
        (table, profile) -> {
          List<NodeId> nodes =
              now.partitions().stream()
                  .filter(p -> p.id().table().equals(table))
                  .map(p -> p.node().orElseThrow())
                  .distinct()
                  .toList();
          assertThat(nodes).as("nodes of %s after %s", table, plan).hasSize(1);
          assertThat(used.add(nodes.get(0))).isTrue();
          Profile has = now.node(nodes.get(0)).flatMap(NodeState::profile).orElseThrow();
          assertThat(has.sameMemory(profile)).as("%s for %s", has, table).isTrue();
        });
  }

  /** The thesis's way: each node is emptied, restarted and filled again. */
  @Test
  void nodesAreConfiguredByRestartToo() throws Exception {
    ClusterSnapshot before = whole(s -> true);
    // As badly placed as can be: everything on one node, and no node configured for anything.
    NodeId first = before.nodes().get(0).id();
    for (NodeState node : before.nodes()) {
      engine.applyProfile(node.id(), Profile.HOMOGENEOUS, LIMIT);
    }
    for (PartitionState p : before.partitions()) {
      engine.move(p.id(), first, LIMIT);
    }
    whole(s -> s.partitions().stream().allMatch(p -> p.node().equals(Optional.of(first))));
    busy();
    // The policy's first reconfiguration is due again.
    LeftPlan.forget(engine, before.clusterId());

    AtomicReference<String> made = new AtomicReference<>("");
    Optional<Executor.Outcome> outcome =
        autopilot(
            placing(Action.ApplyMode.RESTART),
            true,
            1,
            new LoopListener() {
              @Override
              public void planned(Plan plan, boolean act) {
                made.set(PlanText.table(plan));
              }
            },
            FaultPoints.NONE);

    assertThat(outcome.orElseThrow().how()).as("%s", outcome).isEqualTo(PlanOutcome.DONE);
    ClusterSnapshot after = whole(s -> true);
    assertThat(made.get()).as("the plan").isNotEmpty();
    assertGrouped(after, made.get());
    assertThat(after.nodes())
        .allSatisfy(
            n ->
                assertThat(n.incarnation())
                    .isNotEqualTo(before.node(n.id()).orElseThrow().incarnation()));
  }

  /**
   * With a model by which requests cost hardly anything, then with one by which the load needs four
   * nodes.
   */
  @Test
  @Timeout(value = 12, unit = TimeUnit.MINUTES)
  void theUsagePolicyGivesANodeBackAndTakesOneAgain() throws Exception {
    ClusterSnapshot before = whole(s -> s.liveNodes().size() == 3);
    StateDir state = StateDir.of(before.clusterId());
    LeftPlan.forget(engine, before.clusterId());
    busy();

    Optional<Executor.Outcome> less =
        autopilot(usage("light", 1e-7), true, 1, LoopListener.SILENT, FaultPoints.NONE);
    assertThat(less.orElseThrow().how()).as("%s", less).isEqualTo(PlanOutcome.DONE);
    // The replication of the data does not allow fewer.
    ClusterSnapshot two = whole(s -> s.liveNodes().size() == 2);
    assertThat(lab.nodes()).hasSize(2);
    assertThat(two.partitions()).allMatch(p -> two.node(p.node().orElseThrow()).isPresent());

    busy();
    TightNodes.Settling settled =
        TightNodes.Settling.runUntilMeasured(
            lab, engine, usage("light", 1e-7), 0, FaultPoints.NONE);
    assertThat(settled.plans()).isEmpty();
    Optional<Executor.Outcome> more =
        autopilot(usage("heavy", HEAVY), true, 1, LoopListener.SILENT, FaultPoints.NONE);
    assertThat(more.orElseThrow().how()).as("%s", more).isEqualTo(PlanOutcome.DONE);
    ClusterSnapshot three = whole(s -> s.liveNodes().size() == 3);
    for (NodeState node : three.nodes()) {
      assertThat(three.partitions())
          .as("partitions of %s", node.id())
          .anyMatch(p -> p.node().equals(Optional.of(node.id())));
    }
    var lines = PredictionLedger.of(state.journals().acted());
    assertThat(lines).hasSize(2);
    assertThat(lines.get(0).kinds()).contains("drain", "move", "remove-node");
    assertThat(lines.get(0).predicted()).isLessThan(0.1);
    // Measured by the second autopilot, when caches have filled.
    assertThat(lines.get(0).measured()).isBetween(0.05, 1.5);
    assertThat(lines.get(1).kinds()).contains("add-node", "move");
    assertThat(lines.get(1).predicted()).isBetween(0.4, 2.0);
    assertThat(lines.get(1).known()).isFalse();
  }

  private static Settings usage(String name, double cost) {
    Settings s = placing(Action.ApplyMode.ONLINE);
    // Whatever the cache hits.
    Path file = KnownCosts.write(home.resolve(name + ".json"), cost, cost);
    GuardSettings guard = s.guard();
    return Settings.defaults()
        .with(s.observe())
        .with(s.place())
        .with(UsageSettings.builder().model(file.toString()).build())
        .with(
            GuardSettings.builder()
                .maxNodes(3)
                .cooldown(guard.cooldown())
                .actionLimit(guard.actionLimit())
                .build())
        .with(Policies.USAGE);
  }
}
