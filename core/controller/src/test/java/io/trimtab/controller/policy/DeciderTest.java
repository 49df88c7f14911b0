package io.trimtab.controller.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.RandomCluster;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.place.UsagePrediction;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Who has the first and who the last word. */
class DeciderTest {
  private static final Instant NOW = RandomCluster.NOW;
  private final RandomCluster cluster = new RandomCluster(1, 4, 8);

  /** Moves a partition, or does not. */
  private record Stub(boolean acts) implements Policy {
    @Override
    public String name() {
      return "stub";
    }

    @Override
    public Set<Need> needs() {
      return Set.of();
    }

    @Override
    public Decision decide(Observation.Usable seen, PolicyState state, Settings settings) {
      if (!acts) {
        return new Decision.Hold("all is well", "stub.wish", state);
      }
      Action move =
          new Action.Move(new PartitionId("t", "p"), new NodeId("a:1"), new NodeId("b:1"));
      return new Decision.Act(
          new Plan(
              "id", "c", NOW, name(), "s", 1, List.of(new PlannedAction(1, move, "", "", "", ""))),
          state);
    }
  }

  /** Remembers what is said of its plan. */
  private record Asking(Policy policy, List<Policy.Refused> said) implements Policy {
    @Override
    public String name() {
      return policy.name();
    }

    @Override
    public Set<Need> needs() {
      return policy.needs();
    }

    @Override
    public Decision decide(Observation.Usable seen, PolicyState state, Settings settings) {
      return policy.decide(seen, state, settings);
    }

    @Override
    public Policy heeding(Veto veto) {
      veto.refusal((Decision.Act) policy.decide(null, null, null)).ifPresent(said::add);
      return this;
    }
  }

  /** Its plans are predicted from something. */
  private record Predicting(Policy policy, UsagePrediction.Origin from) implements Policy {
    @Override
    public String name() {
      return policy.name();
    }

    @Override
    public Set<Need> needs() {
      return policy.needs();
    }

    @Override
    public Decision decide(Observation.Usable seen, PolicyState state, Settings settings) {
      SortedMap<NodeId, Double> usage = new TreeMap<>(Map.of(new NodeId("a:1"), 0.5));
      return ((Decision.Act) policy.decide(seen, state, settings))
          .predicting(new UsagePrediction(from, usage));
    }
  }

  private Decider.NextStep decide(boolean acts, boolean act, Decider.Past past) {
    return decide(new Stub(acts), act, past);
  }

  private Decider.NextStep decide(Policy policy, boolean act, Decider.Past past) {
    return decide(Settings.defaults().with(policy), act, past);
  }

  private Decider.NextStep decide(Settings settings, boolean act, Decider.Past past) {
    Observation.Usable seen =
        new Observation.Usable(
            cluster.snapshot, cluster.rates, cluster.usage, cluster.usage, List.of());
    return Decider.decide(
        new Decider.Context(
            seen,
            new TreeMap<NodeId, Duration>(),
            PolicyState.INITIAL,
            settings,
            past,
            Optional.empty(),
            act,
            NOW));
  }

  @Test
  void aPlanThatNobodyRefusesGoes() {
    Decider.NextStep verdict = decide(true, true, Decider.Past.NONE);
    assertThat(verdict).isInstanceOf(Decider.Go.class);
    assertThat(((Decider.Go) verdict).act().plan().policy()).isEqualTo("stub");
    assertThat(((Decider.Go) verdict).asksRing()).isFalse();
  }

  @Test
  void whoSaysNoIsNamed() {
    assertThat(decide(false, true, Decider.Past.NONE))
        .isEqualTo(
            new Decider.Refusal(
                "policy stub",
                "all is well",
                "stub.wish",
                List.of(),
                Optional.of(PolicyState.INITIAL)));
    Decider.Past justNow =
        new Decider.Past(
            Optional.of(NOW.minusSeconds(60)),
            Optional.empty(),
            OptionalDouble.of(0.9),
            Setbacks.NONE,
            Stability.NONE,
            "");
    // The guard comes before the ledger.
    Policy modelled = new Predicting(new Stub(true), UsagePrediction.Origin.BUILT);
    assertThat(decide(modelled, true, justNow))
        .isEqualTo(
            new Decider.Refusal(
                "guard", "the last plan ended 60 s ago; the cooldown is 600 s", "guard.cooldown"));
  }

  /** Then nothing else need be tried; where one plan has failed, another one may go. */
  @Test
  void thatNoPlanMayBeginIsToldApartFromWhatOnePlanIsRefusedFor() {
    List<Policy.Refused> said = new ArrayList<>();
    Policy asking = new Asking(new Stub(true), said);
    Plan plan = ((Decision.Act) new Stub(true).decide(null, null, null)).plan();
    Setbacks failed = Setbacks.NONE.abandoned(plan, NOW.minusSeconds(60));
    decide(asking, true, past(NOW.minusSeconds(60), Setbacks.NONE));
    decide(asking, true, past(NOW.minusSeconds(6_000), failed));

    assertThat(said).extracting(Policy.Refused::setting).containsOnly("guard.cooldown");
    assertThat(said)
        .extracting(Policy.Refused::reach)
        .containsExactly(Policy.Reach.ALL, Policy.Reach.ONE);
  }

  private static Decider.Past past(Instant ended, Setbacks setbacks) {
    return past(ended, setbacks, Stability.NONE);
  }

  private static Decider.Past past(Instant ended, Setbacks setbacks, Stability stability) {
    return new Decider.Past(
        Optional.of(ended), Optional.empty(), OptionalDouble.empty(), setbacks, stability, "");
  }

  /**
   * Or a node would be added in place of a move that can't be judged yet; but a missed agreement
   * does not wait for that.
   */
  @Test
  void whereAMoveBackIsWaitedForNothingElseIsTriedButForAnAgreement() {
    Instant ended = NOW.minusSeconds(60);
    PartitionId partition = new PartitionId("t", "p");
    Stability.Moved there =
        new Stability.Moved(ended, partition, new NodeId("b:1"), new NodeId("a:1"));
    Stability known = new Stability(List.of(there), List.of(), List.of());
    List<Policy.Refused> said = new ArrayList<>();
    Settings settings =
        Settings.defaults()
            .with(GuardSettings.builder().cooldown(Duration.ZERO).build())
            .with(new Asking(new Stub(true), said));

    assertThat(decide(settings, true, past(ended, Setbacks.NONE, known)))
        .isInstanceOf(Decider.Go.class);
    assertThat(said).isEmpty();
    assertThat(decide(settings, true, past(ended, Setbacks.NONE, known.guessed(ended))))
        .isInstanceOfSatisfying(
            Decider.Refusal.class,
            refusal -> {
              assertThat(refusal.by()).isEqualTo("guard");
              assertThat(refusal.reason()).contains("t/p would go back to node b:1");
            });
    assertThat(said)
        .singleElement()
        .extracting(Policy.Refused::reach)
        .isEqualTo(Policy.Reach.UNLESS_OWED);
  }

  @Test
  void aModelThatWasWrongIsLookedAtAndNotActedOn() {
    Decider.Past wrong =
        new Decider.Past(
            Optional.empty(),
            Optional.empty(),
            OptionalDouble.of(0.9),
            Setbacks.NONE,
            Stability.NONE,
            "");
    Policy modelled = new Predicting(new Stub(true), UsagePrediction.Origin.BUILT);
    assertThat(decide(modelled, false, wrong)).isInstanceOf(Decider.Go.class);
    assertThat(decide(modelled, true, wrong))
        .isInstanceOfSatisfying(
            Decider.Refusal.class,
            refusal -> {
              assertThat(refusal.by()).isEqualTo("ledger");
              assertThat(refusal.setting()).isEqualTo("usage.errorMax");
            });
  }

  @Test
  void whatWasNotPredictedFromTheModelIsNotDoubtedWithIt() {
    Decider.Past wrong =
        new Decider.Past(
            Optional.empty(),
            Optional.empty(),
            OptionalDouble.of(0.9),
            Setbacks.NONE,
            Stability.NONE,
            "");
    for (UsagePrediction.Origin from : UsagePrediction.Origin.values()) {
      assertThat(decide(new Predicting(new Stub(true), from), true, wrong))
          .as("predicted from %s", from.title())
          .isInstanceOf(
              from == UsagePrediction.Origin.BUILT ? Decider.Refusal.class : Decider.Go.class);
    }
    assertThat(decide(true, true, wrong)).as("not predicted").isInstanceOf(Decider.Go.class);
  }

  /** Makes the same plan each time, of a partition that there is. */
  private record Moving(Action.Move move) implements Policy {
    @Override
    public String name() {
      return "moving";
    }

    @Override
    public Set<Need> needs() {
      return Set.of();
    }

    @Override
    public Decision decide(Observation.Usable seen, PolicyState state, Settings settings) {
      List<PlannedAction> only = List.of(new PlannedAction(1, move, "", "", "", ""));
      return new Decision.Act(new Plan("id", "c", NOW, name(), "s", 1, only), state);
    }
  }

  private Decider.Go go(Policy policy, boolean act) {
    return (Decider.Go) decide(policy, act, Decider.Past.NONE);
  }

  @Test
  void whatItsPolicyDoesNotPredictIsPredictedForTheLedgerAlone() {
    PartitionState first = cluster.snapshot.partitions().get(0);
    NodeId from = first.node().orElseThrow();
    NodeId to = cluster.usage.keySet().stream().filter(n -> !n.equals(from)).findFirst().get();
    Policy moving = new Moving(new Action.Move(first.id(), from, to));

    Decider.Go go = go(moving, true);
    assertThat(go.act().predicted()).isEmpty();
    UsagePrediction usage = go.usage().orElseThrow();
    assertThat(usage.from()).isEqualTo(UsagePrediction.Origin.REQUESTS);
    assertThat(usage.usage().keySet()).containsExactlyInAnyOrderElementsOf(cluster.usage.keySet());
    assertThat(go(moving, false).usage()).as("only shown").isEmpty();
    assertThat(go(new Stub(true), true).usage()).as("of what is not there").isEmpty();

    Decider.Go own = go(new Predicting(moving, UsagePrediction.Origin.LEARNED), true);
    assertThat(own.usage()).isPresent().isEqualTo(own.act().predicted());
  }

  /** Asks for a node as long as it may, and else moves a partition. */
  private record Growing(boolean moves) implements Policy {
    @Override
    public String name() {
      return "growing";
    }

    @Override
    public Set<Need> needs() {
      return Set.of();
    }

    @Override
    public Decision decide(Observation.Usable seen, PolicyState state, Settings settings) {
      boolean room = settings.guard().maxNodes() > seen.snapshot().liveNodes().size();
      if (!room && !moves) {
        return new Decision.Hold("no room", "guard.maxNodes", state);
      }
      Action action =
          room
              ? new Action.AddNode(1, Profile.READ)
              : new Action.Move(new PartitionId("t", "p"), new NodeId("a:1"), new NodeId("b:1"));
      return new Decision.Act(
          new Plan(
              "id",
              "c",
              NOW,
              name(),
              "too much load",
              1,
              List.of(new PlannedAction(1, action, "", "", "", ""))),
          state);
    }
  }

  @Test
  void withoutAProviderAPlanThatAddsANodeIsShownWithWhatAPersonNeeds() {
    Decider.NextStep shown = decide(new Growing(true), false, Decider.Past.NONE);
    assertThat(shown)
        .isInstanceOfSatisfying(
            Decider.Go.class,
            go -> {
              assertThat(go.act().plan().actions(Action.AddNode.class)).hasSize(1);
              assertThat(go.act().plan().summary())
                  .startsWith("too much load; no node provider does it, so a person has to: start")
                  .contains("one node like ")
                  .contains("profile READ (cache 55 %, memstore 10 % of the heap)");
            });
  }

  @Test
  void withoutAProviderTheOtherPartsGoOnAndTheNodeIsAdvised() {
    Decider.NextStep done = decide(new Growing(true), true, Decider.Past.NONE);
    assertThat(done)
        .isInstanceOfSatisfying(
            Decider.Go.class,
            go -> {
              assertThat(go.act().plan().actions(Action.Move.class)).hasSize(1);
              assertThat(go.act().plan().actions(Action.AddNode.class)).isEmpty();
              assertThat(go.act().plan().summary()).contains("; advice: too much load; no node");
            });
  }

  @Test
  void withoutAProviderAndAnythingElseToDoTheAdviceIsTold() {
    assertThat(decide(new Growing(false), true, Decider.Past.NONE))
        .isInstanceOfSatisfying(
            Decider.Refusal.class,
            refusal -> {
              assertThat(refusal.by()).isEqualTo("advice");
              assertThat(refusal.reason()).contains("a person has to: start one node like ");
            });
  }
}
