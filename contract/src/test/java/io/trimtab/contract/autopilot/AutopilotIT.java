package io.trimtab.contract.autopilot;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.config.Bytes;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.PlaceSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.UsageSettings;
import io.trimtab.engineapi.AccessClass;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.formats.ModelFile;
import io.trimtab.hbase.HBaseEngine;
import io.trimtab.lab.cluster.HBaseLab;
import io.trimtab.lab.cluster.Lab;
import io.trimtab.lab.cluster.LabConfig;
import io.trimtab.lab.cluster.LabNode;
import io.trimtab.lab.cluster.Owner;
import io.trimtab.lab.cluster.Progress;
import io.trimtab.models.usage.UsageModel;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.Executor;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.Journal;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.journal.PlanText;
import io.trimtab.runtime.ports.StateDir;
import io.trimtab.runtime.ports.SystemPorts;
import io.trimtab.workload.AcknowledgedWrites;
import io.trimtab.workload.HBaseWorkloadTarget;
import io.trimtab.workload.Loader;
import io.trimtab.workload.Summary;
import io.trimtab.workload.Verifier;
import io.trimtab.workload.WorkloadRun;
import io.trimtab.workload.WorkloadSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The autopilot on a real cluster of three nodes, under load all the time: whatever happens, every
 * tenant is served again, every read is right, and the balancer is as it was.
 */
class AutopilotIT {
  private static final String LAB = "it-autopilot";
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final BalancerState ON = new BalancerState(true, true);

  /** At rates that two busy cores can do: a test predicts by them. */
  private static final WorkloadSpec TENANTS =
      WorkloadSpec.parse(
          "tenants",
          """
          tenants:
            - {name: r, partitions: 3, records: 3000, fields: 1, fieldLength: 500,
               mix: {read: 1.0}, distribution: {kind: uniform}, threads: 2, targetRate: 400}
            - {name: u, partitions: 3, records: 3000, fields: 1, fieldLength: 500,
               mix: {update: 1.0}, distribution: {kind: uniform}, threads: 1, targetRate: 300}
            - {name: s, partitions: 3, records: 3000, fields: 1, fieldLength: 500, scanLength: 20,
               mix: {scan: 1.0}, distribution: {kind: uniform}, threads: 1, targetRate: 100}
          """);

  @TempDir static Path home;
  private static HBaseLab lab;
  private static HBaseWorkloadTarget target;
  private static HBaseEngine engine;
  private static Map<String, AcknowledgedWrites> ledgers;
  private WorkloadRun run;

  /** HBase itself may need more than a minute for a dead server's log. */
  private boolean serverDied;

  @BeforeAll
  static void up() throws IOException, EngineException {
    System.setProperty("trimtab.home", home.toString());
    LabConfig config =
        LabConfig.defaults()
            .withName(LAB)
            .withNodes(3)
            .withHeap(new Bytes(192L << 20))
            .withProfile(Profile.HOMOGENEOUS)
            // Room for what reopening everything again and again leaves behind in native memory.
            .withLimits(0.75, new Bytes(768L << 20), 0)
            // It would undo a grouped placement between a plan's end and the look at it.
            .withSite(Map.of("hbase.balancer.period", "3600000"))
            .withSpareNodes(1);
    lab = HBaseLab.up(config, Owner.PROCESS, Progress.NONE);
    lab.limitNodes(false);
    target = HBaseWorkloadTarget.connect(lab.clientProperties());
    engine = HBaseEngine.connect(lab.clientProperties());
    engine.setBalancer(ON);
    Loader loader = new Loader(TENANTS, target);
    loader.create(true);
    ledgers = loader.load((done, of) -> {});
  }

  @AfterAll
  static void down() throws IOException {
    if (engine != null) {
      engine.close();
    }
    if (target != null) {
      target.close();
    }
    Lab.down(LAB);
    System.clearProperty("trimtab.home");
  }

  /** Whatever a test before has left, this one begins with the same cluster. */
  @BeforeEach
  void begin() throws Exception {
    new KnownState(lab, engine, 3, LIMIT).restore();
    engine.setBalancer(ON);
    run = WorkloadRun.start(TENANTS, target, ledgers, samples -> {});
  }

  @AfterEach
  void everythingIsServedAndRight() throws Exception {
    int from = run.seconds();
    while (run.seconds() < from + 3) {
      TimeUnit.MILLISECONDS.sleep(100);
    }
    run.stop();
    for (Summary tenant : run.summaries()) {
      assertThat(tenant.wrong() + tenant.lost()).as("%s", tenant).isZero();
      if (!serverDied) {
        assertThat(tenant.errors()).as("failed for longer than a minute: %s", tenant).isZero();
      }
      double[] served = run.opsPerSecond().get(tenant.tenant());
      assertThat(served[served.length - 1]).as("%s at the end", tenant.tenant()).isPositive();
    }
    assertThat(new Verifier(target).verify(TENANTS, ledgers).right()).isTrue();
    ClusterSnapshot now = whole(s -> true);
    assertThat(now.balancer()).isEqualTo(ON);
    assertThat(now.partitions()).allMatch(p -> p.node().isPresent());
    assertThat(now.nodes()).noneMatch(NodeState::draining);
  }

  /** A snapshot without gaps; JMX shows a region that has just moved some seconds later. */
  private static ClusterSnapshot whole(Predicate<ClusterSnapshot> wanted) throws Exception {
    ClusterSnapshot now = engine.snapshot();
    for (int i = 0; i < 240; i++) {
      if (now.gaps().isEmpty() && now.partitionsInTransition() == 0 && wanted.test(now)) {
        return now;
      }
      TimeUnit.MILLISECONDS.sleep(500);
      now = engine.snapshot();
    }
    throw new AssertionError(
        "not as wanted after two minutes: gaps %s, %d in transition, live %s; %s"
            .formatted(
                now.gaps(),
                now.partitionsInTransition(),
                now.liveNodes().stream().map(NodeState::id).toList(),
                now));
  }

  /** Waits until every partition is asked for again, so that each shows what it is used for. */
  private static void busy() throws Exception {
    ClusterSnapshot before = whole(s -> true);
    whole(
        now ->
            now.partitions().stream()
                .allMatch(
                    p -> {
                      PartitionCounters was = before.partition(p.id()).orElseThrow().counters();
                      PartitionCounters is = p.counters();
                      return is.pointReads() + is.scans() + is.writes()
                          > was.pointReads() + was.scans() + was.writes() + 20;
                    }));
  }

  private static Optional<Executor.Outcome> autopilot(
      Settings settings, boolean act, int plans, LoopListener listener, FaultPoints faults)
      throws EngineException {
    return new ControlLoop(
            engine, Optional.of(lab.provider()), settings, listener, SystemPorts.ports(), faults)
        .run(act, plans, false);
  }

  private static Settings placing(Action.ApplyMode way) {
    Settings s = DoomedController.settings();
    return Settings.defaults()
        .with(ObserveSettings.builder().period(Duration.ofSeconds(1)).samples(4).build())
        .with(PlaceSettings.builder().way(way).whenHealthy(true).build())
        .with(s.guard());
  }

  private static Map<PartitionId, Optional<NodeId>> placement(ClusterSnapshot snapshot) {
    Map<PartitionId, Optional<NodeId>> placement = new java.util.TreeMap<>();
    snapshot.partitions().forEach(p -> placement.put(p.id(), p.node()));
    return placement;
  }

  @Test
  void aDryRunProposesAndTouchesNothing() throws Exception {
    ClusterSnapshot before = whole(s -> true);
    AtomicReference<Plan> proposed = new AtomicReference<>();

    Optional<Executor.Outcome> outcome =
        autopilot(
            placing(Action.ApplyMode.ONLINE),
            false,
            1,
            new LoopListener() {
              @Override
              public void planned(Plan plan, boolean act) {
                assertThat(act).isFalse();
                proposed.set(plan);
              }

              @Override
              public void started(PlannedAction action, int of) {
                throw new AssertionError("a dry run acted: " + action);
              }
            },
            FaultPoints.NONE);

    assertThat(outcome).isEmpty();
    assertThat(proposed.get().actions()).isNotEmpty();
    ClusterSnapshot after = whole(s -> true);
    assertThat(placement(after)).isEqualTo(placement(before));
    assertThat(after.nodes())
        .extracting(NodeState::profile)
        .containsOnly(Optional.of(Profile.HOMOGENEOUS));
  }

  @Test
  void partitionsAreGroupedAndNodesConfiguredOnline() throws Exception {
    Map<NodeId, Long> incarnations = new java.util.TreeMap<>();
    whole(s -> true).nodes().forEach(n -> incarnations.put(n.id(), n.incarnation()));

    Optional<Executor.Outcome> outcome =
        autopilot(placing(Action.ApplyMode.ONLINE), true, 1, LoopListener.SILENT, FaultPoints.NONE);

    assertThat(outcome.orElseThrow().how()).as("%s", outcome).isEqualTo(PlanOutcome.DONE);
    ClusterSnapshot after = whole(s -> true);
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
    StateDir.of(before.clusterId()).forget();

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
      Plan plan = plan(before, actions.toArray(Action[]::new));
      Path graves = Files.write(home.resolve("graves"), KilledControllers.passed(plan));
      journal(before, plan);

      List<String> died = KilledControllers.untilDone(home, LAB, graves);

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
        assertThat(placement(after)).containsEntry(move.partition(), Optional.of(added));
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
    AtomicReference<Executor.Outcome> outcome = new AtomicReference<>();
    journal(before, plan);

    resume(
        outcome,
        point -> {
          if (point.equals("action-started-3")) {
            lab.restartMaster(LIMIT);
          }
        });

    assertThat(outcome.get().how()).as("%s", outcome).isEqualTo(PlanOutcome.DONE);
    assertMoved(whole(s -> true), plan);
  }

  /** Nothing is lost, the plan ends one way or the other, and says what went wrong. */
  @Test
  void aRegionServerThatDiesDuringAPlanLeavesAWholeCluster() throws Exception {
    ClusterSnapshot before = whole(s -> true);
    Plan plan = shuffle(before);
    NodeId victim = ((Action.Move) plan.actions().get(2).action()).to();
    AtomicReference<Executor.Outcome> outcome = new AtomicReference<>();
    journal(before, plan);

    resume(
        outcome,
        point -> {
          if (point.equals("action-started-3")) {
            serverDied = true;
            lab.killNode(victim);
          }
        });

    assertThat(outcome.get().how()).as("%s", outcome).isIn(PlanOutcome.DONE, PlanOutcome.ABANDONED);
    if (!outcome.get().done()) {
      assertThat(outcome.get().why()).contains(victim.name());
    }
    whole(s -> s.partitions().stream().allMatch(p -> p.node().isPresent()));
    lab.startNode(victim, LIMIT);
    whole(s -> s.liveNodes().size() == 3);
  }

  /**
   * By a model that says that hardly anything costs anything, then by one that says the contrary.
   */
  @Test
  @Timeout(value = 6, unit = TimeUnit.MINUTES)
  void theUsagePolicyGivesANodeBackAndTakesOneAgain() throws Exception {
    ClusterSnapshot before = whole(s -> s.liveNodes().size() == 3);
    StateDir state = StateDir.of(before.clusterId());
    state.forget();
    busy();

    Optional<Executor.Outcome> less =
        autopilot(usage("light", 1e-7), true, 1, LoopListener.SILENT, FaultPoints.NONE);
    assertThat(less.orElseThrow().how()).as("%s", less).isEqualTo(PlanOutcome.DONE);
    // The replication of the data does not allow fewer.
    ClusterSnapshot two = whole(s -> s.liveNodes().size() == 2);
    assertThat(lab.nodes()).hasSize(2);
    assertThat(two.partitions()).allMatch(p -> two.node(p.node().orElseThrow()).isPresent());

    busy();
    Optional<Executor.Outcome> more =
        autopilot(
            // A slow machine's autopilot may see a half of the load that was measured before it.
            usage("heavy", 4 / requestsPerSecond()),
            true,
            1,
            LoopListener.SILENT,
            FaultPoints.NONE);
    assertThat(more.orElseThrow().how()).as("%s", more).isEqualTo(PlanOutcome.DONE);
    ClusterSnapshot three = whole(s -> s.liveNodes().size() == 3);
    for (NodeState node : three.nodes()) {
      assertThat(three.partitions())
          .as("partitions of %s", node.id())
          .anyMatch(p -> p.node().equals(Optional.of(node.id())));
    }
    try (Journal journal = Journal.open(state.folder())) {
      var lines = io.trimtab.runtime.journal.PredictionLedger.of(journal.entries());
      assertThat(lines).hasSize(2);
      assertThat(lines.get(0).kinds()).contains("drain", "move", "remove-node");
      assertThat(lines.get(0).predicted()).isLessThan(0.1);
      // Told by the second autopilot's first look.
      assertThat(lines.get(0).measured()).isBetween(0.05, 1.5);
      assertThat(lines.get(1).kinds()).contains("add-node", "move");
      assertThat(lines.get(1).predicted()).isBetween(0.4, 2.0);
      assertThat(lines.get(1).known()).isFalse();
    }
  }

  private static Settings usage(String name, double cost) {
    Settings s = placing(Action.ApplyMode.ONLINE);
    Path file = home.resolve(name + ".json");
    ModelFile.write(file, model(cost));
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

  /**
   * @param cost usage that one request a second causes, whatever the cache hits
   */
  private static UsageModel model(double cost) {
    double idle = 0.02;
    List<UsageModel.ReadPoint> reads = new ArrayList<>();
    List<UsageModel.UpdatePoint> updates = new ArrayList<>();
    for (double level : new double[] {0.2, 0.4, 0.6, 0.8}) {
      double perSecond = (level - idle) / cost;
      for (double hits : new double[] {1, 0.5}) {
        reads.add(new UsageModel.ReadPoint(hits, level, perSecond, List.of()));
      }
      updates.add(new UsageModel.UpdatePoint(level, perSecond, List.of()));
    }
    return new UsageModel(
        UsageModel.SCHEMA,
        "hbase",
        new java.util.TreeMap<>(),
        idle,
        reads,
        updates,
        new UsageModel.ScanCosts(0, 0, 0, 0, 0),
        null);
  }

  private static double requestsPerSecond() throws Exception {
    ClusterSnapshot before = whole(s -> true);
    TimeUnit.SECONDS.sleep(10);
    ClusterSnapshot now = whole(s -> true);
    double seconds = Duration.between(before.takenAt(), now.takenAt()).toMillis() / 1e3;
    return (requests(now) - requests(before)) / seconds;
  }

  private static double requests(ClusterSnapshot snapshot) {
    return snapshot.partitions().stream()
        .map(PartitionState::counters)
        .mapToDouble(c -> c.pointReads() + c.scans() + c.writes())
        .sum();
  }

  private static Plan shuffle(ClusterSnapshot before) {
    List<NodeId> nodes = before.nodes().stream().map(NodeState::id).toList();
    return plan(
        before,
        before.partitions().stream()
            .map(
                p ->
                    (Action)
                        new Action.Move(
                            p.id(), p.node().orElseThrow(), other(nodes, p.node().get())))
            .toArray(Action[]::new));
  }

  private static void assertMoved(ClusterSnapshot after, Plan plan) {
    for (PlannedAction planned : plan.actions()) {
      Action.Move move = (Action.Move) planned.action();
      assertThat(placement(after)).containsEntry(move.partition(), Optional.of(move.to()));
    }
  }

  /** Runs the loop in this process; it finds the plan in the journal and carries it out. */
  private static void resume(AtomicReference<Executor.Outcome> outcome, FaultPoints faults)
      throws EngineException {
    ControlLoop[] loop = new ControlLoop[1];
    loop[0] =
        new ControlLoop(
            engine,
            Optional.of(lab.provider()),
            DoomedController.settings(),
            new LoopListener() {
              @Override
              public void planEnded(Plan plan, PlanOutcome how, String why) {
                outcome.set(new Executor.Outcome(how, why));
                loop[0].stop();
              }
            },
            SystemPorts.ports(),
            faults);
    loop[0].run(true, 0, false);
  }

  /** Writes down a plan as begun, as a controller does before anything else. */
  private static void journal(ClusterSnapshot before, Plan plan) {
    try (Journal journal = Journal.open(StateDir.of(before.clusterId()).folder())) {
      assertThat(journal.unfinished()).isEmpty();
      journal.append(
          new Entry.PlanStarted(
              Clock.systemUTC().instant(),
              plan,
              ON,
              new PolicyState(
                  1,
                  false,
                  List.of(
                      new PolicyState.Classified(
                          before.partitions().get(0).id(), AccessClass.READ)),
                  List.of())));
    }
  }

  private static Plan plan(ClusterSnapshot before, Action... actions) {
    List<PlannedAction> planned = new ArrayList<>();
    for (Action action : actions) {
      planned.add(new PlannedAction(planned.size() + 1, action, "test", "", "", ""));
    }
    return new Plan(
        "test-" + before.takenAt().toEpochMilli(),
        before.clusterId(),
        before.takenAt(),
        "test",
        "test",
        1,
        planned);
  }

  private static PartitionState partition(ClusterSnapshot snapshot, String table, int index) {
    return snapshot.partitions().stream()
        .filter(p -> p.id().table().equals(table))
        .sorted(java.util.Comparator.comparing(PartitionState::id))
        .toList()
        .get(index);
  }

  private static NodeId other(List<NodeId> nodes, NodeId than) {
    return nodes.get((nodes.indexOf(than) + 1) % nodes.size());
  }
}
