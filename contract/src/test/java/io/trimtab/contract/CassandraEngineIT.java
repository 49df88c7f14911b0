package io.trimtab.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.cassandra.CassandraContact;
import io.trimtab.cassandra.CassandraContact.Credentials;
import io.trimtab.cassandra.CassandraEngine;
import io.trimtab.config.Bytes;
import io.trimtab.contract.autopilot.KilledControllers;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.HealthSettings;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.SloSettings;
import io.trimtab.controller.settings.TiramolaSettings;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.lab.cluster.CassandraLab;
import io.trimtab.lab.cluster.CassandraSettings;
import io.trimtab.lab.cluster.HBaseLab;
import io.trimtab.lab.cluster.Lab;
import io.trimtab.lab.cluster.LabConfig;
import io.trimtab.lab.cluster.LabNode;
import io.trimtab.lab.cluster.LabStatus;
import io.trimtab.lab.cluster.Owner;
import io.trimtab.lab.cluster.Progress;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.Executor;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.journal.ActionOutcome;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.Journal;
import io.trimtab.runtime.journal.LeadTimes;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.ports.StateDir;
import io.trimtab.runtime.ports.SystemPorts;
import io.trimtab.workload.CassandraTarget;
import io.trimtab.workload.Reporter;
import io.trimtab.workload.Sample;
import io.trimtab.workload.Target;
import io.trimtab.workload.WorkloadSpec;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Cassandra engine on a real cluster of three nodes that keeps two copies. */
class CassandraEngineIT extends EngineContract {
  private static final String LAB = "cassandra-it";

  /** A decommission that hangs is given up three times. */
  private static final Duration ACTION_LIMIT = Duration.ofSeconds(90);

  @TempDir static Path home;
  private static CassandraLab lab;
  private static CassandraEngine engine;
  private static CassandraTarget target;

  @BeforeAll
  static void up() throws IOException, EngineException {
    System.setProperty("trimtab.home", home.toString());
    LabConfig config =
        LabConfig.defaults()
            .withName(LAB)
            .withNodes(3)
            .withSpareNodes(1)
            .withCassandra(CassandraSettings.DEFAULTS)
            .withHeap(new Bytes(256L << 20));
    lab = CassandraLab.up(config, Owner.PROCESS, Progress.NONE);
    lab.limitNodes(false);
    target = lab.target();
    engine = lab.engine();
  }

  @AfterAll
  static void down() {
    if (engine != null) {
      engine.close();
    }
    if (target != null) {
      target.close();
    }
    Lab.down(LAB);
    System.clearProperty("trimtab.home");
  }

  @Override
  Set<Capability> can() {
    return Set.of(Capability.ONLINE_PROFILES, Capability.NODE_SETTINGS);
  }

  @Override
  Lab lab() {
    return lab;
  }

  @Override
  Engine engine() {
    return engine;
  }

  @Override
  Target target() {
    return target;
  }

  @Override
  String[] controllerArguments() {
    return new String[] {
      "cassandra", lab.client().text(), Integer.toString(lab.client().jmxPort())
    };
  }

  @Test
  @Order(3)
  void theLabTellsThatItIsWhole() {
    LabStatus status = lab.status();

    assertThat(status.healthy()).isTrue();
    assertThat(status.contact()).startsWith("cql 127.77.");
    assertThat(status.services()).isEmpty();
    assertThat(status.nodes()).hasSize(3).allMatch(n -> n.pid("cassandra").isPresent());
    assertThatThrownBy(() -> HBaseLab.attach(LAB)).hasMessageContaining("not an HBase cluster");
  }

  @Test
  @Order(4)
  void aClusterThatDoesNotAnswerIsNamedInOneLine() {
    assertThatThrownBy(() -> CassandraEngine.connect(CassandraContact.of("127.0.0.1:1", 0)))
        .isInstanceOf(EngineException.class)
        .message()
        .contains("127.0.0.1:1")
        .doesNotContain("\n");
  }

  /** Its data are served, but nobody knows how it is: nothing is decided on that. */
  @Test
  @Order(5)
  void aNodeWhoseJmxDoesNotAnswerIsAGap() throws EngineException {
    CassandraContact wrong =
        new CassandraContact(lab.points(), 1, Optional.empty(), Optional.empty());
    try (CassandraEngine blind = CassandraEngine.connect(wrong)) {
      ClusterSnapshot seen = blind.snapshot();
      assertThat(seen.nodes()).hasSize(3);
      assertThat(seen.gaps()).hasSize(3).allMatch(gap -> gap.contains("JMX at 127.77."));
    }
  }

  /** The lab's nodes ask for no password, and take any. */
  @Test
  @Order(6)
  void credentialsAreHandedOver() throws EngineException {
    Optional<Credentials> someone = Optional.of(new Credentials("someone", "secret"));
    assertThat(someone.get().toString()).doesNotContain("secret");
    try (CassandraEngine known = CassandraEngine.connect(lab.client().with(someone, someone))) {
      assertThat(known.snapshot().gaps()).isEmpty();
    }
  }

  /** Its own names; what every engine tells is the contract's business. */
  @Test
  @Order(7)
  void aNodeTellsItsPoolsItsCachesAndItsStreams() throws EngineException {
    for (NodeState node : engine.snapshot().nodes()) {
      assertThat(node.gauges().own())
          .containsKeys(
              "Read.count",
              "Read.p99Micros",
              "Write.meanMicros",
              "RangeSlice.count",
              "KeyCache.hits",
              "ReadStage.pending",
              "Native-Transport-Requests.active",
              "CompactionExecutor.pending",
              "dropped.MUTATION",
              "hints")
          // By default there is no chunk cache.
          .doesNotContainKey("ChunkCache.requests")
          .containsEntry("streams", 0.0);
    }
    double reads =
        engine.snapshot().nodes().stream()
            .mapToDouble(n -> n.gauges().own().get("Read.count"))
            .sum();
    assertThat(reads).as("what the contract's first load has read").isPositive();
  }

  /** Online: the row cache and the threads. By restart: the memtables, too. */
  @Test
  @Order(25)
  void aNodeIsConfiguredForWhatItIsAskedFor() throws EngineException {
    NodeState before = engine.snapshot().nodes().get(2);
    assertThat(before.profile().orElseThrow().cacheFraction()).isBetween(0.02, 0.04);
    assertThat(before.profile().orElseThrow().memstoreFraction()).isBetween(0.19, 0.21);

    engine.applyProfile(before.id(), Profile.READ, LIMIT);

    NodeState read = engine.snapshot().node(before.id()).orElseThrow();
    assertThat(read.incarnation()).isEqualTo(before.incarnation());
    assertThat(read.profile().orElseThrow().sameCache(Profile.READ)).isTrue();
    assertThat(read.profile().orElseThrow().sameMemory(Profile.READ)).isFalse();

    lab.provider().persist(before.id(), Profile.WRITE);
    lab.provider().restart(before.id(), LIMIT);
    engine.awaitNode(before.id(), before.incarnation(), LIMIT);
    // Its settings are asked for by CQL, for which the driver comes back a moment later.
    NodeState write =
        whole(s -> s.node(before.id()).flatMap(NodeState::profile).isPresent())
            .node(before.id())
            .orElseThrow();
    assertThat(write.profile()).contains(Profile.WRITE);

    lab.provider().persist(before.id(), Profile.HOMOGENEOUS);
    engine.applyProfile(before.id(), Profile.READ_WRITE, LIMIT);
    assertThat(
            engine
                .snapshot()
                .node(before.id())
                .orElseThrow()
                .profile()
                .orElseThrow()
                .cacheFraction())
        .isBetween(0.44, 0.46);
  }

  /** Whoever goes on adds no second node, and cleans up what nobody has cleaned up yet. */
  @Test
  @Order(50)
  void controllersKilledOneAfterTheOtherAddOneNodeAndForgetNoCleanup() throws Exception {
    underLoad(
        "killed_controllers",
        () -> {
          ClusterSnapshot before = whole(s -> s.liveNodes().size() == 3);
          List<PlannedAction> actions = new ArrayList<>();
          actions.add(step(1, new Action.AddNode(1, Profile.HOMOGENEOUS)));
          for (NodeState node : before.nodes()) {
            actions.add(step(actions.size() + 1, new Action.Cleanup(node.id())));
          }
          Path folder = begun(before, actions);
          Path graves = home.resolve("graves");
          // Each death costs a controller's start; these points say little here.
          Files.write(
              graves,
              List.of(
                  "balancer-paused",
                  "action-ended-1",
                  "action-started-2",
                  "action-performed-2",
                  "action-started-3",
                  "action-ended-3",
                  "action-started-4",
                  "action-performed-4",
                  "action-ended-4",
                  "restored"));

          List<String> died = KilledControllers.untilDone(home, LAB, graves);

          assertThat(died)
              .contains("action-started-1", "action-performed-1", "action-ended-2")
              .contains("action-performed-3", "before-restore", "plan-ended");
          assertThat(whole(s -> s.liveNodes().size() == 4).nodes()).hasSize(4);
          assertThat(lab.nodes()).hasSize(4);
          try (Journal journal = Journal.open(folder)) {
            assertThat(journal.unfinished()).isEmpty();
            assertThat(LeadTimes.last(journal.entries())).isPresent();
            assertThat(
                    journal.entries().stream()
                        .filter(Entry.ActionEnded.class::isInstance)
                        .map(e -> ((Entry.ActionEnded) e))
                        .filter(e -> e.outcome() == ActionOutcome.DONE)
                        .map(Entry.ActionEnded::step))
                .contains(1, 2, 3, 4);
          }
        });
  }

  /** The same loop, journal and guard as on HBase; only what a plan is made of differs. */
  @Test
  @Order(51)
  void theAutopilotTakesANodeAwayUnderLoad() throws Exception {
    underLoad(
        "autopilot",
        () -> {
          whole(s -> s.liveNodes().size() == 4);
          assertThat(autopilot(null, new TiramolaSettings(1.0, 0.999)))
              .containsExactly("remove-node");
          whole(s -> s.liveNodes().size() == 3);
        });
  }

  /** The decommission fails, or waits; either way nothing is left half done. */
  @Test
  @Order(53)
  void aNodeThatDiesWhileAnotherLeavesCostsThePlanAndNotTheRing() throws Exception {
    underLoad(
        "dies",
        () -> {
          ClusterSnapshot before = whole(s -> s.liveNodes().size() == 4);
          NodeId leaving = before.nodes().get(0).id();
          NodeId victim = before.nodes().get(3).id();

          Executor.Outcome first =
              resumed(
                  before,
                  leaving,
                  point -> {
                    if (point.equals("action-started-1")) {
                      lab.killNode(victim);
                    }
                  });
          assertThat(first.how()).as("%s", first).isIn(PlanOutcome.DONE, PlanOutcome.ABANDONED);
          lab.startNode(victim, LIMIT);
          int left = first.done() ? 3 : 4;
          ClusterSnapshot after = whole(s -> s.liveNodes().size() == left);
          assertThat(after.nodes()).noneMatch(NodeState::draining);

          if (!first.done()) {
            Executor.Outcome second = resumed(after, leaving, FaultPoints.NONE);
            assertThat(second.how()).as("%s", second).isEqualTo(PlanOutcome.DONE);
          }
          ClusterSnapshot end = whole(s -> s.liveNodes().size() == 3);
          assertThat(end.nodes()).extracting(NodeState::id).doesNotContain(leaving);
        });
  }

  /** Its successor has its tokens, so that nobody else has anything to tidy up. */
  @Test
  @Order(54)
  void aDeadNodeIsReplacedUnderLoad() throws Exception {
    underLoad(
        "replaced",
        () -> {
          ClusterSnapshot before = whole(s -> s.liveNodes().size() == 3);
          NodeId victim = before.nodes().get(1).id();
          lab.killNode(victim);
          whole(s -> s.node(victim).filter(n -> !n.alive()).isPresent());
          HealthSettings soon =
              HealthSettings.builder().replaceAfter(Duration.ofSeconds(1)).build();

          assertThat(autopilot(soon, null)).containsExactly("replace-node");
          ClusterSnapshot after = whole(s -> s.liveNodes().size() == 3 && s.nodes().size() == 3);
          assertThat(after.nodes()).extracting(NodeState::id).doesNotContain(victim);
          assertThat(lab.nodes()).hasSize(3).extracting(LabNode::id).doesNotContain(victim);
        });
  }

  /** Goes on with a plan that a controller before has begun, which takes a node away. */
  private static Executor.Outcome resumed(
      ClusterSnapshot before, NodeId leaving, FaultPoints faults) throws EngineException {
    begun(before, List.of(step(1, new Action.RemoveNode(leaving))));
    AtomicReference<Executor.Outcome> outcome = new AtomicReference<>();
    ControlLoop[] loop = new ControlLoop[1];
    loop[0] =
        new ControlLoop(
            engine,
            Optional.of(lab.provider()),
            Settings.defaults().with(GuardSettings.builder().actionLimit(ACTION_LIMIT).build()),
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
    return outcome.get();
  }

  /** Writes a plan down as begun; where the journal is. */
  private static Path begun(ClusterSnapshot before, List<PlannedAction> actions) {
    Path folder = StateDir.of(before.clusterId()).folder();
    try (Journal journal = Journal.open(folder)) {
      assertThat(journal.unfinished()).isEmpty();
      Plan plan =
          new Plan(
              "begun-" + before.takenAt().toEpochMilli(),
              before.clusterId(),
              before.takenAt(),
              "test",
              "test",
              1,
              actions);
      journal.append(
          new Entry.PlanStarted(
              Clock.systemUTC().instant(), plan, BalancerState.PAUSED, PolicyState.INITIAL));
    }
    return folder;
  }

  private static PlannedAction step(int number, Action action) {
    return new PlannedAction(number, action, "test", "", "", "");
  }

  /** From what clients report over HTTP to nodes that come and go. */
  @Test
  @Order(52)
  void aBrokenAgreementTakesANode() throws Exception {
    WorkloadSpec spec = tenant("agreement", "read: 0.7, update: 0.3", 3);
    AtomicReference<Consumer<List<Sample>>> reporter = new AtomicReference<>(samples -> {});
    underLoad(
        spec,
        samples -> reporter.get().accept(samples),
        () -> {
          whole(s -> s.liveNodes().size() == 3);
          assertThat(agreement("throughput: 1000MB/s", spec, reporter))
              .containsExactly("add-node", "cleanup", "cleanup", "cleanup");
          whole(s -> s.liveNodes().size() == 4);
        });
  }

  private static List<String> agreement(
      String objective, WorkloadSpec spec, AtomicReference<Consumer<List<Sample>>> reporter)
      throws Exception {
    Path sla =
        Files.writeString(
            home.resolve("sla.yaml"),
            "name: agreement\nworkload: w\nclients: 3\nobjective: {" + objective + "}\n");
    StringBuilder rows =
        new StringBuilder("workload,nodeType,clients,nodes,responseTimeMs,throughputMBps\n");
    for (int nodes = 2; nodes <= 5; nodes++) {
      rows.append("w,small,1,%d,5,1\nw,small,10,%d,20,2\n".formatted(nodes, nodes));
    }
    Path table = Files.writeString(home.resolve("table.csv"), rows);
    Settings settings =
        Settings.defaults()
            .with(ObserveSettings.builder().period(Duration.ofSeconds(1)).samples(2).build())
            .with(
                SloSettings.builder()
                    .sla(sla.toString())
                    .tables(List.of(table.toString()))
                    .checks(3)
                    .listen("127.0.0.1:0")
                    .build())
            .with(GuardSettings.builder().cooldown(Duration.ZERO).actionLimit(LIMIT).build())
            .with(Policies.SLO);
    List<String> kinds = new ArrayList<>();
    ControlLoop loop = loop(settings, kinds);
    CompletableFuture<Optional<Executor.Outcome>> outcome =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return loop.run(true, 1, false);
              } catch (EngineException e) {
                throw new CompletionException(e);
              }
            });
    while (loop.reportPort() < 0) {
      assertThat(outcome).isNotDone();
      TimeUnit.MILLISECONDS.sleep(20);
    }
    URI to = URI.create("http://127.0.0.1:" + loop.reportPort() + "/report");
    reporter.set(new Reporter(to, Duration.ofSeconds(1), spec));
    assertThat(outcome.get(10, TimeUnit.MINUTES).orElseThrow().how())
        .as("%s", outcome)
        .isEqualTo(PlanOutcome.DONE);
    return kinds;
  }

  private static ControlLoop loop(Settings settings, List<String> kinds) {
    LoopListener listener =
        new LoopListener() {
          @Override
          public void planned(Plan plan, boolean act) {
            plan.actions().forEach(a -> kinds.add(a.action().kind()));
          }
        };
    return new ControlLoop(
        engine,
        Optional.of(lab.provider()),
        settings,
        listener,
        SystemPorts.ports(),
        FaultPoints.NONE);
  }

  /** Runs one plan to its end; tells what it was made of. */
  private static List<String> autopilot(HealthSettings health, TiramolaSettings thresholds)
      throws EngineException {
    Settings settings =
        Settings.defaults()
            .with(ObserveSettings.builder().period(Duration.ofSeconds(1)).samples(2).build())
            .with(health)
            .with(thresholds)
            .with(GuardSettings.builder().cooldown(Duration.ZERO).actionLimit(LIMIT).build())
            .with(Policies.TIRAMOLA);
    List<String> kinds = new ArrayList<>();
    Optional<Executor.Outcome> outcome = loop(settings, kinds).run(true, 1, false);
    assertThat(outcome.orElseThrow().how()).as("%s", outcome).isEqualTo(PlanOutcome.DONE);
    return kinds;
  }

  @Test
  @Order(30)
  void aNodeThatNeverComesIsSaidToBeMissing() {
    assertThatThrownBy(
            () -> engine.awaitNode(new NodeId("127.77.1.99:1"), 0, Duration.ofSeconds(2)))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("127.77.1.99:1 is not in service after 2 s")
        .hasMessageContaining("does not answer");
  }
}
