package io.trimtab.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.plan.PlanApplier;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.Need;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.Policy;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.RingSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.SloSettings;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.LostControlException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeSetting;
import io.trimtab.engineapi.Ownership;
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
import io.trimtab.runtime.journal.Why;
import io.trimtab.runtime.ports.StateDir;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ControlLoopTest extends LoopFixture {
  @Test
  void aDryRunProposesAndCallsNoVerb() throws Exception {
    Optional<Executor.Outcome> outcome = loop().run(false, 1, false);

    assertThat(outcome).isEmpty();
    assertThat(heard.plans).hasSize(1);
    assertThat(engine.verbs).isEmpty();
    assertThat(journal()).anyMatch(Entry.Proposed.class::isInstance);
    assertThat(Why.explain(journal(), clock)).contains("such a run carries out nothing");
  }

  @Test
  void thatAnAgreementNeedsMoreNodesThanThereMayBeIsToldAtTheStart() throws Exception {
    Path folder = Path.of("src/test/resources/scenarios");
    SloSettings slo =
        SloSettings.builder()
            .sla(folder.resolve("sla.yaml").toString())
            .tables(List.of(folder.resolve("provisioning.csv").toString()))
            .listen("127.0.0.1:0")
            .build();
    Settings settings = SETTINGS.with(slo).with(Policies.SLO);
    heard.endAfterHolds = 1;
    heard.loop =
        new ControlLoop(engine, Optional.empty(), settings, heard, ports, FaultPoints.NONE);

    heard.loop.run(false, 0, false);

    assertThat(heard.agreements)
        .containsExactly(
            "warning: agreement shop: by its table the agreed clients need 4 nodes, and there may"
                + " be at most 3: raise guard.maxNodes, or agree on less");
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

  /** Where it is asked for advice, nothing was recorded. */
  @Test
  void aDryRunOnAnotherHostKnowsThePlansThatWereMade() throws Exception {
    Settings six = SETTINGS.with(GuardSettings.builder().maxNodes(6).build());
    loop(six).run(true, 1, false);
    System.setProperty("trimtab.home", home.resolve("elsewhere").toString());
    heard.held.clear();
    heard.endAfterHolds = 3;

    loop(six).run(false, 0, false);

    assertThat(heard.held).last().asString().endsWith("[guard.cooldown]");
  }

  @Test
  void nothingIsDecidedAfterALookThatWasAnOldOne() throws Exception {
    // The one before the plan is to begin, and the next turn's.
    Duration old = Duration.ofMillis(1_500);
    engine.ages = Map.of(4L, old, 5L, old.plusSeconds(1));
    heard.endAfterPlan = true;

    loop().run(true, 1, false);

    assertThat(heard.held)
        .filteredOn(held -> held.startsWith("observe: the snapshot of"))
        .hasSize(2);
    assertThat(heard.plans.get(0).snapshotAt()).isEqualTo(FakeEngine.NOW.plusSeconds(4));
  }

  /** Counts its decisions to do nothing. */
  private record Counting() implements Policy {
    @Override
    public String name() {
      return "counting";
    }

    @Override
    public Set<Need> needs() {
      return Set.of();
    }

    @Override
    public Decision decide(Observation.Usable seen, PolicyState state, Settings settings) {
      return new Decision.Hold(
          "step " + state.step(), "", state.next(state.step() + 1, false, state.classes()));
    }
  }

  @Test
  void aDecisionToDoNothingIsRememberedAtTheNext() throws Exception {
    heard.endAfterHolds = 3;
    heard.loop =
        new ControlLoop(
            engine,
            Optional.empty(),
            SETTINGS.with(new Counting()),
            heard,
            ports,
            FaultPoints.NONE);

    heard.loop.run(true, 0, false);

    assertThat(heard.held)
        .containsExactly(
            "policy counting: step 1 []",
            "policy counting: step 2 []",
            "policy counting: step 3 []");
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
    try (Journal journal = new Journal(LoopFixture.olderVersions())) {
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
    while (state.runningControllers().isEmpty()) {
      TimeUnit.MILLISECONDS.sleep(10);
    }

    // The loop's process is this one, so it is the file that tells of the end, not the process.
    StateDir.StopRequest request = state.requestStop(false);

    running.get(20, TimeUnit.SECONDS);
    assertThat(request.controllers()).hasSize(1);
    assertThat(request.left()).isEmpty();
    assertThat(engine.verbs).isEmpty();
  }

  @Test
  void withoutTheLockNothingMoreIsDone() throws Exception {
    // The first one names the cluster.
    engine.lockLostAtSnapshot = 2;

    assertThatThrownBy(() -> loop().run(true, 1, false))
        .isInstanceOf(LostControlException.class)
        .hasMessageContaining("epoch 1");
    assertThat(engine.verbs).isEmpty();
    assertThat(Why.explain(journal(), clock))
        .contains(" stopped acting ")
        .containsOnlyOnce("control of the cluster was lost");
  }

  @Test
  void oneThatHasLostTheLockBeforeItBeginsLeavesTheJournalAlone() throws Exception {
    engine.lockLost = true;

    assertThatThrownBy(() -> loop().run(true, 1, false))
        .isInstanceOf(LostControlException.class)
        .hasMessageContaining("epoch 1");
    assertThat(engine.verbs).isEmpty();
    assertThat(journal()).isEmpty();
  }
}
