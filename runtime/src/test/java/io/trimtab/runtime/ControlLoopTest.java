package io.trimtab.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.controller.plan.PlanApplier;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.RingSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeSetting;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.RingRequests;
import io.trimtab.runtime.journal.ActionOutcome;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.Journal;
import io.trimtab.runtime.journal.LeadTimes;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.journal.PlanText;
import io.trimtab.runtime.journal.PredictionLedger;
import io.trimtab.runtime.journal.Why;
import io.trimtab.runtime.ports.Ports;
import io.trimtab.runtime.ports.StateDir;
import io.trimtab.runtime.ports.Workers;
import io.trimtab.testkit.VirtualClock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ControlLoopTest {
  private static final Settings SETTINGS =
      Settings.defaults()
          .with(ObserveSettings.builder().period(Duration.ofSeconds(1)).samples(3).build())
          .with(limits());

  @TempDir Path home;

  private final VirtualClock clock = new VirtualClock(FakeEngine.NOW);
  private final Ports ports = SimulatedTime.ports(clock, Workers.IN_TURN);
  private final FakeEngine engine = new FakeEngine(3, 9, clock);
  private final Heard heard = new Heard();

  private static GuardSettings limits() {
    return GuardSettings.builder().maxNodes(3).build();
  }

  /** What the loop said; ends the loop when it is told to. */
  private final class Heard implements LoopListener {
    final List<String> held = Collections.synchronizedList(new ArrayList<>());
    final List<Plan> plans = Collections.synchronizedList(new ArrayList<>());
    final List<String> ended = Collections.synchronizedList(new ArrayList<>());
    private int endAfterHolds = Integer.MAX_VALUE;
    private boolean endAfterPlan;
    private ControlLoop loop;

    @Override
    public void held(String by, String reason, String setting) {
      held.add(by + ": " + reason + " [" + setting + "]");
      if (held.size() >= endAfterHolds) {
        loop.stop();
      }
    }

    @Override
    public void planned(Plan plan, boolean act) {
      plans.add(plan);
    }

    @Override
    public void planEnded(Plan plan, PlanOutcome outcome, String why) {
      ended.add(outcome + ": " + why);
      if (endAfterPlan) {
        loop.stop();
      }
    }
  }

  @BeforeEach
  void home() {
    System.setProperty("trimtab.home", home.toString());
  }

  @AfterEach
  void noHome() {
    System.clearProperty("trimtab.home");
  }

  private ControlLoop loop() {
    heard.loop =
        new ControlLoop(engine, Optional.empty(), SETTINGS, heard, ports, FaultPoints.NONE);
    return heard.loop;
  }

  private List<Entry> journal() {
    return Journal.all(StateDir.of("fake").folder());
  }

  @Test
  void aDryRunProposesAndCallsNoVerb() throws Exception {
    Optional<Executor.Outcome> outcome = loop().run(false, 1, false);

    assertThat(outcome).isEmpty();
    assertThat(heard.plans).hasSize(1);
    assertThat(engine.verbs).isEmpty();
    assertThat(journal()).anyMatch(Entry.Proposed.class::isInstance);
    assertThat(Why.explain(journal(), clock)).contains("--act was not given");
  }

  @Test
  void withActThePlanIsCarriedOutAndTheNextWaitsForTheCooldown() throws Exception {
    heard.endAfterHolds = 3;

    Optional<Executor.Outcome> outcome = loop().run(true, 2, false);

    assertThat(outcome.orElseThrow().how()).isEqualTo(PlanOutcome.DONE);
    assertThat(engine.verbs).contains("profile");
    assertThat(engine.balancer).isEqualTo(new BalancerState(true, true));
    assertThat(heard.plans).hasSize(1);
    assertThat(journal()).anyMatch(Entry.PlanEnded.class::isInstance);
    assertThat(heard.held).isNotEmpty().last().asString().contains("[");
  }

  /** A busy ring gets a node, which goes where the requests are, or wherever the engine puts it. */
  @Test
  void aNodeThatJoinsARingGetsItsTokensFromTheRequests() throws Exception {
    engine.ownership = Ownership.TOKENS;
    Settings grow =
        Settings.defaults()
            .with(SETTINGS.observe())
            .with(GuardSettings.builder().maxNodes(4).build())
            .with(Policies.TIRAMOLA);
    TreeMap<Long, Long> asked = new TreeMap<>();
    LongStream.range(0, 300).forEach(token -> asked.put(1 + token, 10L));
    TreeMap<Long, NodeId> owners = new TreeMap<>();
    owners.put(0L, new NodeId("n0:1"));
    owners.put(1_000L, new NodeId("n1:1"));
    owners.put(2_000L, new NodeId("n2:1"));
    engine.ring = new RingRequests(owners, asked, "");

    new ControlLoop(engine, Optional.of(new FakeNodes()), grow, heard, ports, FaultPoints.NONE)
        .run(false, 1, false);
    engine.ring = null;
    new ControlLoop(engine, Optional.of(new FakeNodes()), grow, heard, ports, FaultPoints.NONE)
        .run(false, 1, false);

    assertThat(heard.plans.get(0).actions().get(0).action())
        .isEqualTo(new Action.AddNode(1, Profile.HOMOGENEOUS, List.of(150L)));
    assertThat(PlanText.table(heard.plans.get(0)))
        .contains("new-1 as HOMOGENEOUS at [150]")
        .contains("one more node with 50 % of the ring's requests, taken from n1:1");
    assertThat(PlanText.table(heard.plans.get(1)))
        .contains("one more node; the engine chooses its tokens: nobody sampled");
  }

  @Test
  void nodesAreSetAsTheOperatorWantsWhenThePolicyHasNothingToDo() throws Exception {
    NodeId other = new NodeId("n1:1");
    engine.settings.put(new NodeId("n0:1"), Map.of(NodeSetting.KEY_CACHE, 64));
    engine.settings.put(other, Map.of(NodeSetting.KEY_CACHE, 100));
    // Overloaded, and not allowed to grow.
    Settings kept = kept(3);

    new ControlLoop(engine, Optional.empty(), kept, heard, ports, FaultPoints.NONE)
        .run(true, 1, false);

    assertThat(engine.verbs).contains("set n1:1 KEY_CACHE 64");
    assertThat(heard.plans.get(0).actions())
        .singleElement()
        .extracting(PlannedAction::action)
        .isEqualTo(new Action.SetNode(other, NodeSetting.KEY_CACHE, 100, 64));
    assertThat(PlanText.table(heard.plans.get(0)))
        .contains("set          n1:1 key cache 100 → 64 MiB")
        .contains("because  ring.keyCacheMiB is 64")
        .contains("undo     set it to 100");
    assertThat(journal().toString()).contains("SetNode[node=n1:1, setting=KEY_CACHE");
    ClusterSnapshot before = engine.snapshot();
    assertThat(PlanApplier.apply(heard.plans.get(0), before).node(other).orElseThrow().settings())
        .isEqualTo(Map.of(NodeSetting.KEY_CACHE, 64));

    // Nothing is left to do.
    heard.endAfterHolds = 5;
    heard.loop = new ControlLoop(engine, Optional.empty(), kept, heard, ports, FaultPoints.NONE);
    heard.loop.run(false, 2, false);
    assertThat(heard.held).isNotEmpty();
    assertThat(heard.held).last().asString().startsWith("policy tiramola");
    assertThat(heard.plans).hasSize(1);

    // A node that is needed comes first.
    engine.settings.put(other, Map.of(NodeSetting.KEY_CACHE, 100));
    heard.endAfterHolds = Integer.MAX_VALUE;
    heard.loop =
        new ControlLoop(
            engine, Optional.of(new FakeNodes()), kept(4), heard, ports, FaultPoints.NONE);
    heard.loop.run(false, 1, false);
    assertThat(heard.plans.get(1).policy()).isEqualTo("tiramola");
  }

  @Test
  void whenCachesAreFullAfterANodeWasAddedIsNotedOnce() throws Exception {
    Instant then = FakeEngine.NOW.minusSeconds(86_400);
    Plan grown =
        new Plan(
            "grown",
            "fake",
            then,
            "met",
            "",
            1,
            List.of(
                new PlannedAction(1, new Action.AddNode(1, Profile.HOMOGENEOUS), "", "", "", "")));
    try (Journal journal = Journal.open(StateDir.of("fake").folder())) {
      journal.append(new Entry.PlanStarted(then, grown, BalancerState.PAUSED, PolicyState.INITIAL));
      journal.append(new Entry.ActionStarted(then, 1));
      journal.append(new Entry.ActionEnded(then.plusSeconds(75), 1, ActionOutcome.DONE, ""));
      journal.append(new Entry.PlanEnded(then.plusSeconds(75), "grown", PlanOutcome.DONE, ""));
    }

    heard.endAfterHolds = 4;
    engine.gap = "one node does not tell";
    loop().run(true, 1, false);
    assertThat(journal()).noneMatch(Entry.Warmed.class::isInstance);

    engine.gap = "";
    engine.gauges = new NodeGauges(1, 1, 1, 1, 1, 96, 100, 1, 1, 0, 0, 0, Map.of());
    heard.endAfterHolds = Integer.MAX_VALUE;
    loop().run(true, 1, false);

    assertThat(journal())
        .filteredOn(Entry.Warmed.class::isInstance)
        .singleElement()
        .extracting(e -> ((Entry.Warmed) e).planId())
        .isEqualTo("grown");
    assertThat(LeadTimes.last(journal()).orElseThrow().warm().orElseThrow())
        .isGreaterThan(Duration.ofDays(1).minusSeconds(1));
  }

  private static Settings kept(int maxNodes) {
    return Settings.defaults()
        .with(SETTINGS.observe())
        .with(new RingSettings(64, 32))
        .with(GuardSettings.builder().maxNodes(maxNodes).cooldown(Duration.ZERO).build())
        .with(Policies.TIRAMOLA);
  }

  private void note(double... predictions) {
    Instant then = FakeEngine.NOW.minusSeconds(86_400);
    try (Journal journal = Journal.open(StateDir.of("fake").folder())) {
      for (int i = 0; i < predictions.length; i++) {
        String plan = "usage-" + i;
        journal.append(
            new Entry.Predicted(then, plan, "", List.of("move", "add-node"), predictions[i]));
        if (i < predictions.length - 1) {
          journal.append(new Entry.Measured(then, plan, 0.5));
        }
      }
    }
  }

  @Test
  void whatCameOfAPredictionIsNotedAtTheNextGoodLook() throws Exception {
    note(0.6);
    heard.endAfterHolds = 3;

    loop().run(true, 2, false);

    PredictionLedger.PredictionResult line = PredictionLedger.of(journal()).get(0);
    double most =
        engine.snapshot().nodes().stream().mapToDouble(n -> n.usage().server()).max().orElse(0);
    assertThat(line.measured()).isCloseTo(most, within(0.01));
    assertThat(line.error()).isCloseTo(0.6 - most, within(0.01));
  }

  @Test
  void aModelThatHasBeenWrongIsNotActedOn() throws Exception {
    note(0.9, 0.1, 0.8, 0.5);
    heard.endAfterHolds = 2;

    loop().run(true, 1, false);

    assertThat(engine.verbs).isEmpty();
    assertThat(heard.held)
        .first()
        .asString()
        .startsWith("ledger: the model's last predictions were 0.")
        .endsWith("[usage.errorMax]");
  }

  @Test
  void theLedgerTellsTheErrorOfEachKindOfAction() {
    note(0.6, 0.4, 0.5);
    List<PredictionLedger.PredictionResult> lines = PredictionLedger.of(journal());
    assertThat(lines).hasSize(3);
    assertThat(lines.get(2).known()).isFalse();
    assertThat(PredictionLedger.byKind(lines)).containsOnlyKeys("add-node", "move");
    assertThat(PredictionLedger.byKind(lines).get("move")).isCloseTo(0.1, within(1e-9));
    // Two are too few to judge a model by.
    assertThat(PredictionLedger.recentError(lines, "")).isEmpty();
  }

  @Test
  void aClusterThatDoesNotAnswerIsWaitedForAndNothingIsDone() throws Exception {
    heard.endAfterHolds = 2;
    engine.awayAfterSnapshots = 1;

    loop().run(true, 1, false);

    assertThat(heard.held).allMatch(line -> line.contains("zookeeper:2181 does not answer"));
    assertThat(engine.verbs).isEmpty();
  }

  @Test
  void aPartialSnapshotIsNotDecidedOn() throws Exception {
    engine.gap = "node n1:1 tells nothing";
    heard.endAfterHolds = 2;

    loop().run(true, 1, false);

    assertThat(heard.held).allMatch(line -> line.contains("node n1:1 tells nothing"));
    assertThat(engine.verbs).isEmpty();
    assertThat(Why.explain(journal(), clock)).contains("node n1:1 tells nothing");
  }

  @Test
  void theKillSwitchOfAnotherTerminalEndsTheLoop() throws Exception {
    engine.gap = "always something";
    ControlLoop loop = loop();
    CompletableFuture<Void> running =
        CompletableFuture.runAsync(
            () -> {
              try {
                loop.run(true, 0, false);
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    StateDir state = StateDir.of("fake");
    while (state.runningController().isEmpty()) {
      TimeUnit.MILLISECONDS.sleep(10);
    }

    // The loop's process is this one, so it is the file that tells of the end, not the process.
    CompletableFuture<Boolean> stopped =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return state.stopController(Duration.ofSeconds(30));
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });

    running.get(20, TimeUnit.SECONDS);
    assertThat(stopped.get(20, TimeUnit.SECONDS)).isTrue();
    assertThat(engine.verbs).isEmpty();
  }

  @Test
  void withoutTheLockNothingMoreIsDone() throws Exception {
    engine.lockLost = true;

    assertThat(loop().run(true, 1, false)).isEmpty();
    assertThat(engine.verbs).isEmpty();
  }

  private void leave(Duration age) {
    List<PlannedAction> actions =
        List.of(
            new PlannedAction(
                1,
                new Action.Move(new PartitionId("t", "p0"), new NodeId("n0:1"), new NodeId("n2:1")),
                "",
                "",
                "",
                ""));
    Instant then = clock.instant().minus(age);
    engine.balancer = BalancerState.PAUSED;
    try (Journal journal = Journal.open(StateDir.of("fake").folder())) {
      journal.append(
          new Entry.PlanStarted(
              then,
              new Plan("left", "fake", then, "met", "s", 1, actions),
              new BalancerState(true, true),
              PolicyState.INITIAL));
    }
  }

  @Test
  void aPlanThatWasLeftIsResumed() throws Exception {
    leave(Duration.ofMinutes(5));
    heard.endAfterPlan = true;

    loop().run(true, 0, false);

    assertThat(heard.ended).containsExactly("done: every action has ended");
    assertThat(engine.placement.get(new PartitionId("t", "p0"))).isEqualTo(new NodeId("n2:1"));
    assertThat(engine.balancer).isEqualTo(new BalancerState(true, true));
  }

  @Test
  void aPlanThatWasResumedCountsAsOne() throws Exception {
    leave(Duration.ofMinutes(5));

    Optional<Executor.Outcome> outcome = loop().run(true, 1, false);

    assertThat(outcome.orElseThrow().done()).isTrue();
    assertThat(heard.ended).hasSize(1);
    assertThat(journal()).filteredOn(Entry.PlanStarted.class::isInstance).hasSize(1);
  }

  @Test
  void aPlanThatWasGivenUpDoesNotCount() throws Exception {
    leave(Duration.ofHours(2));

    loop().run(false, 1, false);
    assertThat(heard.plans).hasSize(1);

    heard.endAfterHolds = 1;
    assertThat(loop().run(true, 1, false)).isEmpty();
    // It went on, and waits for the cooldown after the plan that was given up.
    assertThat(heard.held).last().asString().startsWith("guard: the last plan ended");
  }

  @Test
  void anOldPlanThatWasLeftIsGivenUp() throws Exception {
    leave(Duration.ofHours(2));
    heard.endAfterPlan = true;

    loop().run(true, 0, false);

    assertThat(heard.ended).singleElement().asString().startsWith("abandoned: it was started 120");
    assertThat(engine.verbs).doesNotContain("move");
    assertThat(engine.balancer).isEqualTo(new BalancerState(true, true));
  }

  @Test
  void aPlanThatWasLeftIsGivenUpWhenAsked() throws Exception {
    leave(Duration.ofMinutes(5));
    heard.endAfterPlan = true;

    loop().run(true, 0, true);

    assertThat(heard.ended).containsExactly("abandoned: --abandon was given");
    assertThat(engine.verbs).doesNotContain("move");
  }
}
