package io.trimtab.controller;

import static io.trimtab.controller.Rings.seen;
import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.guard.Guard;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.plan.PlanApplier;
import io.trimtab.controller.policy.Decider;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.Met1Policy;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.policy.Replacement;
import io.trimtab.controller.policy.Setbacks;
import io.trimtab.controller.policy.Stability;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.HealthSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** A node of a ring that stays dead is replaced, where an operator wants that. */
class DeadNodeTest {
  private static final Settings DEFAULTS = Settings.defaults().with(Policies.MET_1);

  private static final NodeId DEAD = new NodeId("n1:9042");

  /** The second node is dead, and with it what it told. */
  private static Observation.Usable withADeadNode(int copies, int dead) {
    Observation.Usable all = seen(0.5, 0.5, 0.5, 0.5);
    List<NodeState> nodes = new ArrayList<>(all.snapshot().nodes());
    for (int i = 1; i <= dead; i++) {
      nodes.set(
          i,
          new NodeState(
              nodes.get(i).id(),
              -1,
              false,
              false,
              Optional.empty(),
              false,
              NodeUsage.UNKNOWN,
              NodeGauges.UNKNOWN));
    }
    return Rings.with(all, nodes, copies);
  }

  private static Decision replaced(int copies, int dead, Duration after, Duration since) {
    Settings settings =
        Settings.defaults().with(HealthSettings.builder().replaceAfter(after).build());
    return Replacement.decide(
            withADeadNode(copies, dead).snapshot(),
            Map.of(DEAD, since),
            PolicyState.INITIAL,
            settings)
        .orElseThrow();
  }

  @Test
  void aDeadNodeIsNotReplacedWhereAnyKeyspaceHasOneCopy() {
    Duration half = Duration.ofMinutes(30);
    Settings settings =
        Settings.defaults().with(HealthSettings.builder().replaceAfter(half).build());
    Observation.Usable seen = withADeadNode(3, 1);
    List<NodeState> nodes = seen.snapshot().nodes();

    assertThat(
            held(
                Replacement.decide(
                        Rings.with(seen, nodes, 3, 1).snapshot(),
                        Map.of(DEAD, half),
                        PolicyState.INITIAL,
                        settings)
                    .orElseThrow()))
        .isEqualTo("node n1:9042 is dead, and some of its data may have no other copy");
    assertThat(
            Replacement.decide(
                Rings.with(seen, nodes, 3, 2).snapshot(),
                Map.of(DEAD, half),
                PolicyState.INITIAL,
                settings))
        .containsInstanceOf(Decision.Act.class);
  }

  private static String held(Decision decision) {
    assertThat(((Decision.Hold) decision).setting()).isEqualTo("health.replaceAfter");
    return ((Decision.Hold) decision).reason();
  }

  @Test
  void aNodeThatStaysDeadIsReplacedWhereThatIsWanted() {
    Duration half = Duration.ofMinutes(30);
    assertThat(held(replaced(3, 1, null, half))).contains("n1:9042 is dead; until it is back");
    assertThat(held(replaced(3, 1, half, Duration.ofSeconds(40))))
        .contains("has been dead for 40 s")
        .contains("replaced after 1800 s");
    assertThat(held(replaced(1, 1, half, half))).contains("may have no other copy");
    assertThat(held(replaced(3, 2, half, half))).contains("2 nodes are dead");

    Decision.Act act = (Decision.Act) replaced(3, 1, half, half);
    assertThat(act.plan().actions())
        .singleElement()
        .satisfies(
            a ->
                assertThat(a.action())
                    .isEqualTo(new Action.ReplaceNode(1, DEAD, Profile.HOMOGENEOUS)));
    ClusterSnapshot before = withADeadNode(3, 1).snapshot();
    assertThat(
            Guard.check(
                act.plan(),
                before,
                Optional.empty(),
                Optional.of(NodeCapacity.of(1)),
                DEFAULTS,
                Instant.EPOCH))
        .isInstanceOf(Guard.Verdict.Pass.class);
    assertThat(
            Guard.check(
                act.plan(),
                before,
                Optional.empty(),
                Optional.of(NodeCapacity.of(0)),
                DEFAULTS,
                Instant.EPOCH))
        .isInstanceOf(Guard.Verdict.Refuse.class);
    // The same cluster is too sick for any other plan where that is the limit.
    Settings strict = Settings.defaults().with(GuardSettings.builder().badNodesMax(0.0).build());
    Decision.Act other =
        (Decision.Act) new Met1Policy().decide(seen(0.95, 0.9), PolicyState.INITIAL, DEFAULTS);
    assertThat(
            Guard.check(
                act.plan(),
                before,
                Optional.empty(),
                Optional.of(NodeCapacity.of(1)),
                strict,
                Instant.EPOCH))
        .isInstanceOf(Guard.Verdict.Pass.class);
    assertThat(
            Guard.check(
                other.plan(),
                before,
                Optional.empty(),
                Optional.of(NodeCapacity.of(1)),
                strict,
                Instant.EPOCH))
        .isInstanceOfSatisfying(
            Guard.Verdict.Refuse.class,
            refused -> assertThat(refused.setting()).isEqualTo("guard.badNodesMax"));
    ClusterSnapshot after = PlanApplier.apply(act.plan(), before);
    assertThat(after.nodes()).hasSize(4).allMatch(NodeState::alive);
    assertThat(after.node(DEAD)).isEmpty();
  }

  @Test
  void aWholeRingNeedsNoReplacement() {
    assertThat(
            Replacement.decide(seen(0.5, 0.5).snapshot(), Map.of(), PolicyState.INITIAL, DEFAULTS))
        .isEmpty();
  }

  private static Decider.NextStep decided(GuardSettings guard, int spare) {
    Settings settings =
        DEFAULTS
            .with(HealthSettings.builder().replaceAfter(Duration.ofMinutes(1)).build())
            .with(guard);
    // A plan ended just now, and the model's predictions were wrong.
    Decider.Past past =
        new Decider.Past(
            Optional.of(Instant.EPOCH),
            Optional.empty(),
            OptionalDouble.of(0.9),
            Setbacks.NONE,
            Stability.NONE,
            "");
    return Decider.decide(
        new Decider.Context(
            withADeadNode(3, 1),
            new TreeMap<>(Map.of(DEAD, Duration.ofMinutes(1))),
            PolicyState.INITIAL,
            settings,
            past,
            Optional.of(NodeCapacity.of(spare)),
            true,
            Instant.EPOCH));
  }

  @Test
  void aReplacementWaitsForNoCooldownNoGainAndNoModel() {
    Decider.NextStep next = decided(GuardSettings.builder().minGain(1.0).build(), 1);
    assertThat(next)
        .isInstanceOfSatisfying(Decider.Go.class, go -> assertThat(go.act().urgent()).isTrue());
  }

  @Test
  void aReplacementKeepsTheOtherLimits() {
    assertThat(decided(GuardSettings.builder().blackouts(List.of("00:00-00:01")).build(), 1))
        .isInstanceOfSatisfying(
            Decider.Refusal.class,
            refusal -> assertThat(refusal.setting()).isEqualTo("guard.blackouts"));
    assertThat(decided(GuardSettings.builder().build(), 0))
        .isInstanceOfSatisfying(
            Decider.Refusal.class,
            refusal -> {
              assertThat(refusal.reason())
                  .isEqualTo(
                      "the plan adds 1 node in place of a dead one, but only 0 are available");
              assertThat(refusal.setting()).isEmpty();
            });
  }

  @Test
  void aReplacementIsDueExactlyWhereItWouldBeDecided() {
    for (int copies : List.of(1, 2, 3)) {
      for (int dead : List.of(0, 1, 2)) {
        for (Duration since : List.of(Duration.ZERO, Duration.ofMinutes(5))) {
          for (Optional<Duration> after :
              List.of(Optional.<Duration>empty(), Optional.of(Duration.ofMinutes(5)))) {
            Settings settings =
                DEFAULTS.with(HealthSettings.builder().replaceAfter(after.orElse(null)).build());
            ClusterSnapshot seen = withADeadNode(copies, dead).snapshot();
            boolean decided =
                Replacement.decide(seen, Map.of(DEAD, since), PolicyState.INITIAL, settings)
                    .filter(Decision.Act.class::isInstance)
                    .isPresent();
            assertThat(Replacement.due(seen, Map.of(DEAD, since), settings))
                .as("%d copies, %d dead for %s, after %s", copies, dead, since, after)
                .isEqualTo(decided ? Optional.of(DEAD) : Optional.empty());
            assertThat(decided)
                .isEqualTo(copies > 1 && dead == 1 && after.isPresent() && !since.isZero());
          }
        }
      }
    }
  }
}
