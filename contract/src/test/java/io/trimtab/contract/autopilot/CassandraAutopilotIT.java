package io.trimtab.contract.autopilot;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.cassandra.CassandraEngine;
import io.trimtab.contract.CassandraCluster;
import io.trimtab.contract.KnownState;
import io.trimtab.contract.LiveCluster;
import io.trimtab.contract.TestCluster;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.TiramolaSettings;
import io.trimtab.controller.settings.Trigger;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeSetting;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.lab.cluster.CassandraLab;
import io.trimtab.lab.cluster.CassandraSettings;
import io.trimtab.lab.cluster.LabNode;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.Executor;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.control.ControlDocuments;
import io.trimtab.runtime.journal.ActionOutcome;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.LeadTimes;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.ports.StateDir;
import io.trimtab.runtime.ports.SystemPorts;
import io.trimtab.workload.WorkloadSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The autopilot on a real Cassandra cluster of three nodes that keeps two copies. */
@Tag("beside-others")
class CassandraAutopilotIT extends LiveCluster {
  private static final String LAB = "it-autopilot-ring";

  /** Around what a ring does not do; on HBase controllers die there. */
  private static final List<String> NO_BALANCER =
      List.of("balancer-paused", "before-restore", "restored");

  /** Controllers that it takes to replace a node: killed first, before, after, and last. */
  private static final int REPLACING = 4;

  /** A decommission that hangs is given up three times. */
  private static final Duration ACTION_LIMIT = Duration.ofSeconds(90);

  @TempDir static Path home;
  @AutoClose private static CassandraCluster cluster;
  private static CassandraLab lab;
  private static CassandraEngine engine;

  @BeforeAll
  static void up() throws IOException, EngineException {
    cluster = CassandraCluster.up(LAB, home, 3, CassandraSettings.DEFAULTS);
    lab = cluster.lab();
    engine = cluster.engine();
  }

  @Override
  protected TestCluster cluster() {
    return cluster;
  }

  @BeforeEach
  void begin() throws Exception {
    LeftPlan.forget(engine, new KnownState(lab, engine, 3, LIMIT).nodes().clusterId());
  }

  /** Before and after one action of every kind that a ring knows, but for the replacement. */
  @Test
  void controllersKilledAroundEveryKindOfActionAreFollowedByOneThatFinishes() throws Exception {
    underLoad(
        "killed_controllers",
        () -> {
          ClusterSnapshot before = whole(s -> s.liveNodes().size() == 3);
          NodeState stays = before.nodes().get(0);
          NodeId leaves = before.nodes().get(1).id();
          int keyCache = stays.settings().get(NodeSetting.KEY_CACHE);
          List<Action> actions = new ArrayList<>();
          actions.add(
              new Action.SetNode(stays.id(), NodeSetting.KEY_CACHE, keyCache, keyCache + 3));
          actions.add(
              new Action.Reconfigure(
                  stays.id(),
                  stays.profile().orElseThrow(),
                  Profile.READ,
                  Action.ApplyMode.ONLINE));
          actions.add(new Action.AddNode(1, Profile.HOMOGENEOUS));
          before.nodes().forEach(node -> actions.add(new Action.Cleanup(node.id())));
          actions.add(new Action.RemoveNode(leaves));
          Plan plan = LeftPlan.begin(engine, before, BalancerState.PAUSED, actions);
          List<String> passed = KilledControllers.passed(plan);
          passed.addAll(NO_BALANCER);
          Path deaths = Files.write(home.resolve("deaths"), passed);

          // The node that is added starts and joins for a minute; an upgrade does not undo that.
          List<String> died =
              KilledControllers.untilDone(
                  home,
                  LAB,
                  deaths,
                  // One of them is terminated instead.
                  KilledControllers.fatal(plan).size() - NO_BALANCER.size() + 1,
                  Optional.of(
                      new KilledControllers.Terminated(
                          "action-started-3", () -> lab.nodes().size() == 4)),
                  point -> {});

          assertThat(died).containsAll(KilledControllers.fatal(plan));
          ClusterSnapshot after = whole(s -> s.liveNodes().size() == 3 && s.node(leaves).isEmpty());
          assertThat(lab.nodes())
              .as("the request for a node was killed and repeated")
              .hasSize(3)
              .noneMatch(n -> n.id().equals(leaves));
          NodeState changed = after.node(stays.id()).orElseThrow();
          assertThat(changed.settings()).containsEntry(NodeSetting.KEY_CACHE, keyCache + 3);
          assertThat(changed.profile().orElseThrow().sameCache(Profile.READ)).isTrue();
          assertThat(ControlDocuments.read(engine.shared()).open()).isEmpty();
          List<Entry> entries = StateDir.of(before.clusterId()).journals().acted();
          assertThat(LeadTimes.last(entries)).isPresent();
          assertThat(
                  entries.stream()
                      .filter(Entry.ActionEnded.class::isInstance)
                      .map(e -> ((Entry.ActionEnded) e))
                      .filter(e -> e.outcome() == ActionOutcome.DONE)
                      .map(Entry.ActionEnded::step))
              .containsAll(plan.actions().stream().map(PlannedAction::step).toList());
        });
  }

  /**
   * The dead node's successor has its tokens, so that no other node has anything to clean up. The
   * first controller decides it; it and the second are killed before and after it.
   */
  @Test
  void aDeadNodeIsReplacedUnderLoadThoughControllersAreKilled() throws Exception {
    underLoad(
        "replaced",
        () -> {
          ClusterSnapshot before = whole(s -> s.liveNodes().size() == 3);
          NodeId victim = before.nodes().get(1).id();
          lab.killNode(victim);
          whole(s -> s.node(victim).filter(n -> !n.alive()).isPresent());
          List<String> passed = new ArrayList<>(NO_BALANCER);
          passed.add("action-ended-1");
          Path deaths = Files.write(home.resolve("deaths-replacing"), passed);

          List<String> died =
              KilledControllers.untilDone(home, LAB, deaths, REPLACING, point -> {});

          assertThat(died).contains("action-started-1", "action-performed-1", "plan-ended");
          ClusterSnapshot after = whole(s -> s.liveNodes().size() == 3 && s.nodes().size() == 3);
          assertThat(after.nodes()).extracting(NodeState::id).doesNotContain(victim);
          assertThat(lab.nodes()).hasSize(3).extracting(LabNode::id).doesNotContain(victim);
          assertThat(StateDir.of(before.clusterId()).journals().acted())
              .filteredOn(Entry.PlanStarted.class::isInstance)
              .last()
              .satisfies(
                  e ->
                      assertThat(((Entry.PlanStarted) e).plan().actions())
                          .extracting(a -> a.action().kind())
                          .containsExactly("replace-node"));
        });
  }

  /** Begins nothing once its lock may be over, and what it leaves is finished by the other one. */
  @ParameterizedTest
  @EnumSource(
      value = Takeover.Loss.class,
      names = {"HOST", "FREEZE"})
  void aControllerOnAnotherHostTakesOverFromOneThatIsLost(Takeover.Loss loss) throws Exception {
    underLoad(
        "lost_" + loss.name().toLowerCase(Locale.ROOT),
        () -> {
          ClusterSnapshot before = whole(s -> s.liveNodes().size() == 3);
          beginKeyCaches(engine, before, 1);

          Takeover.Result result = new Takeover(home, LAB, engine).run(loss, 1_000, 0);

          System.out.println(result);
          assertThat(result.outcome()).as("%s", result).startsWith("plan done");
          assertThat(result.lastBeganS()).as("%s", result).isLessThan(Takeover.LAST_BEGAN_MAX_S);
          assertThat(result.resumedS()).as("%s", result).isLessThan(Takeover.RESUMED_MAX_S);
          assertKeyCaches(before, engine.snapshot(), 1);
        });
  }

  /** A plan, as begun, that resizes every node's key cache three times by some MiB. */
  static void beginKeyCaches(Engine engine, ClusterSnapshot before, int stepMiB)
      throws EngineException {
    List<Action> actions = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      for (NodeState node : before.nodes()) {
        int has = node.settings().get(NodeSetting.KEY_CACHE) + i * stepMiB;
        actions.add(new Action.SetNode(node.id(), NodeSetting.KEY_CACHE, has, has + stepMiB));
      }
    }
    LeftPlan.begin(engine, before, BalancerState.PAUSED, actions);
  }

  static void assertKeyCaches(ClusterSnapshot before, ClusterSnapshot after, int stepMiB) {
    for (NodeState node : after.nodes()) {
      int had = before.node(node.id()).orElseThrow().settings().get(NodeSetting.KEY_CACHE);
      assertThat(node.settings()).containsEntry(NodeSetting.KEY_CACHE, had + 3 * stepMiB);
    }
  }

  /**
   * From what clients report over HTTP to a node that comes. Then one goes while another dies: the
   * decommission fails or waits, and either way nothing stays half done. Where it fails, the next
   * controller finds the cluster too large.
   */
  @Test
  void aBrokenAgreementTakesANodeAndANodeThatDiesDelaysItsReturn() throws Exception {
    WorkloadSpec spec = tenant("agreement", "read: 0.7, update: 0.3", 3, LOAD_RATE);
    LiveAgreement agreement = new LiveAgreement(home, LiveAgreement.NEVER_KEPT, spec);
    underLoad(
        spec,
        agreement,
        () -> {
          whole(s -> s.liveNodes().size() == 3);
          assertThat(kept(agreement)).containsExactly("add-node", "cleanup", "cleanup", "cleanup");
          ClusterSnapshot four = whole(s -> s.liveNodes().size() == 4);
          Executor.Outcome first = leavesWhileAnotherDies(four);
          if (!first.done()) {
            Trigger idle = Trigger.below(Trigger.Metric.CPU, 0.999, Trigger.Nodes.ALL);
            assertThat(tiramola(new TiramolaSettings(List.of(), List.of(idle))))
                .containsExactly("remove-node");
          }
          whole(s -> s.liveNodes().size() == 3);
        });
  }

  private Executor.Outcome leavesWhileAnotherDies(ClusterSnapshot before) throws Exception {
    NodeId leaving = before.nodes().get(0).id();
    NodeId victim = before.nodes().get(3).id();
    LeftPlan.begin(engine, before, BalancerState.PAUSED, List.of(new Action.RemoveNode(leaving)));
    Executor.Outcome outcome =
        LeftPlan.resume(
            lab,
            engine,
            ACTION_LIMIT,
            point -> {
              if (point.equals("action-started-1")) {
                lab.killNode(victim);
              }
            });
    assertThat(outcome.how()).as("%s", outcome).isIn(PlanOutcome.DONE, PlanOutcome.ABANDONED);
    lab.startNode(victim, LIMIT);
    ClusterSnapshot after = whole(s -> s.liveNodes().size() == (outcome.done() ? 3 : 4));
    assertThat(after.nodes()).noneMatch(NodeState::draining);
    return outcome;
  }

  private static List<String> kept(LiveAgreement agreement) throws Exception {
    Settings settings =
        Settings.defaults()
            .with(ObserveSettings.builder().period(Duration.ofSeconds(1)).samples(2).build())
            .with(GuardSettings.builder().cooldown(Duration.ZERO).actionLimit(LIMIT).build());
    List<String> kinds = new ArrayList<>();
    agreement.onePlan(loop(agreement.watched(settings).with(Policies.SLO), kinds));
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

  /** Runs one plan to its end; the kinds of its actions. */
  private static List<String> tiramola(TiramolaSettings thresholds) throws EngineException {
    Settings settings =
        Settings.defaults()
            .with(ObserveSettings.builder().period(Duration.ofSeconds(1)).samples(2).build())
            .with(thresholds)
            .with(GuardSettings.builder().cooldown(Duration.ZERO).actionLimit(LIMIT).build())
            .with(Policies.TIRAMOLA);
    List<String> kinds = new ArrayList<>();
    Optional<Executor.Outcome> outcome = loop(settings, kinds).run(true, 1, false);
    assertThat(outcome.orElseThrow().how()).as("%s", outcome).isEqualTo(PlanOutcome.DONE);
    return kinds;
  }
}
