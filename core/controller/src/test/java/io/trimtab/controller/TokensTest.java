package io.trimtab.controller;

import static io.trimtab.controller.Rings.seen;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.controller.guard.Guard;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.place.UsagePrediction;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.Met1Policy;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.Policy;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.policy.TiramolaPolicy;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.PlaceSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.UsageSettings;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.PlannedAction;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Where tokens decide who has which data, nodes come and go and nothing else happens. */
class TokensTest {
  private static final Settings DEFAULTS =
      Settings.defaults().with(UsageSettings.builder().margin(0.1).build());

  private static List<String> steps(Policy policy, Observation.Usable seen) {
    return steps(policy, seen, DEFAULTS);
  }

  private static List<String> steps(Policy policy, Observation.Usable seen, Settings settings) {
    Decision decision = policy.decide(seen, PolicyState.INITIAL, settings);
    if (decision instanceof Decision.Act act) {
      Guard.Verdict verdict =
          Guard.check(
              act.plan(),
              seen.snapshot(),
              Optional.empty(),
              Optional.of(NodeCapacity.of(3)),
              DEFAULTS,
              Instant.EPOCH);
      assertThat(verdict).isInstanceOf(Guard.Verdict.Pass.class);
      return act.plan().actions().stream()
          .map(PlannedAction::action)
          .map(TokensTest::said)
          .toList();
    }
    return List.of(((Decision.Hold) decision).reason());
  }

  private static String said(Action action) {
    Optional<String> words =
        action.as(Action.AddNode.class).map(Action.AddNode::profile).map(TokensTest::added);
    return words
        .or(
            () ->
                action
                    .as(Action.Reconfigure.class)
                    .map(
                        c ->
                            "reconfigure %s %s %s"
                                .formatted(
                                    c.node(),
                                    c.to().name(),
                                    c.way().toString().toLowerCase(Locale.ROOT))))
        .or(() -> action.as(Action.Cleanup.class).map(c -> "cleanup " + c.node()))
        .orElseGet(() -> "remove-node " + ((Action.RemoveNode) action).node());
  }

  private static String added(Profile profile) {
    return profile.equals(Profile.HOMOGENEOUS) ? "add-node" : "add-node " + profile.name();
  }

  @Test
  void aBusyRingGetsANodeAndTheOldOnesTidyUpAfterwards() {
    List<String> wanted =
        List.of("add-node", "cleanup n0:9042", "cleanup n1:9042", "cleanup n2:9042");

    assertThat(steps(new Met1Policy(), seen(0.95, 0.95, 0.9))).isEqualTo(wanted);
    assertThat(steps(new TiramolaPolicy(), seen(0.95, 0.95, 0.9))).isEqualTo(wanted);
  }

  @Test
  void theLeastUsedNodeOfAnIdleRingLeaves() {
    assertThat(steps(new Met1Policy(), seen(0.02, 0.01, 0.02)))
        .containsExactly("remove-node n1:9042");
    assertThat(steps(new TiramolaPolicy(), seen(0.02, 0.01, 0.02)))
        .containsExactly("remove-node n1:9042");
  }

  private static Decision.Act autopilot(Observation.Usable seen) {
    Decision decision = Policies.AUTOPILOT.decide(seen, PolicyState.INITIAL, DEFAULTS);
    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    return (Decision.Act) decision;
  }

  @Test
  void theUsageOfEveryNodeOfARingIsPredictedByItsShare() {
    Decision.Act grows = autopilot(seen(0.9, 0.9, 0.6));
    int more = grows.plan().actions(Action.AddNode.class).size();
    UsagePrediction then = grows.predicted().orElseThrow();
    assertThat(then.from()).isEqualTo(UsagePrediction.Origin.REQUESTS);
    assertThat(more).isPositive();
    assertThat(then.usage()).hasSize(3 + more);
    double share = 3.0 / (3 + more);
    assertThat(then.usage().get(new NodeId("n0:9042"))).isCloseTo(0.9 * share, within(1e-9));
    assertThat(then.usage().get(new NodeId("n2:9042"))).isCloseTo(0.6 * share, within(1e-9));
    assertThat(then.usage().get(new NodeId("new-1"))).isCloseTo(0.8 * share, within(1e-9));

    UsagePrediction fewer = autopilot(seen(0.1, 0.06, 0.15)).predicted().orElseThrow();
    assertThat(fewer.usage()).containsOnlyKeys(new NodeId("n0:9042"), new NodeId("n2:9042"));
    assertThat(fewer.most()).isCloseTo(0.225, within(1e-9));
  }

  @Test
  void thereAreNeverFewerNodesThanCopies() {
    assertThat(steps(new Met1Policy(), seen(0.01, 0.01)))
        .singleElement()
        .asString()
        .contains("2 nodes are the fewest allowed: the data have 2 copies");
  }

  /** A setting is named only where it is what stands in the way. */
  @Test
  void theFewestNodesNameTheLimitThatHolds() {
    for (Policy policy : List.of(Policies.MET_1, Policies.MET, Policies.TIRAMOLA)) {
      Decision.Hold copies =
          (Decision.Hold) policy.decide(seen(0.01, 0.01), PolicyState.INITIAL, DEFAULTS);
      assertThat(copies.setting()).isEmpty();
      Settings three = DEFAULTS.with(GuardSettings.builder().minNodes(3).build());
      Decision.Hold guard =
          (Decision.Hold) policy.decide(seen(0.01, 0.01, 0.01), PolicyState.INITIAL, three);
      assertThat(guard.reason()).endsWith("3 nodes are the fewest allowed: guard.minNodes is 3");
      assertThat(guard.setting()).isEqualTo("guard.minNodes");
    }
  }

  private static final Profile SMALL = new Profile("CUSTOM", 0.03, 0.20, 32 << 10);
  private static final Rates READS = new Rates(100, 0, 0, 10);

  @Test
  void aBusyRingIsConfiguredForWhatItIsAskedForBeforeItGrows() {
    assertThat(steps(new Met1Policy(), seen(Optional.of(SMALL), READS, 0.95, 0.5)))
        .containsExactly("reconfigure n0:9042 READ online", "reconfigure n1:9042 READ online");
    assertThat(
            steps(new Met1Policy(), seen(Optional.of(SMALL), new Rates(10, 0, 0, 100), 0.95, 0.95)))
        .containsExactly("reconfigure n0:9042 WRITE online", "reconfigure n1:9042 WRITE online");
    // No cache of rows answers a scan.
    assertThat(
            steps(
                new Met1Policy(), seen(Optional.of(Profile.READ), new Rates(1, 90, 900, 2), 0.95)))
        .containsExactly("reconfigure n0:9042 SCAN online");
    // Its memtables are still as before, which only a restart changes.
    Profile online = new Profile("CUSTOM", 0.547, 0.20, 32 << 10);
    assertThat(steps(new Met1Policy(), seen(Optional.of(online), READS, 0.95, 0.95)))
        .containsExactly("add-node READ", "cleanup n0:9042", "cleanup n1:9042");
  }

  @Test
  void nodesRestartForAProfileOnlyWhereTwoCopiesAreLeft() {
    Settings restart = place(Action.ApplyMode.RESTART, false);
    Observation.Usable two = seen(Optional.of(SMALL), READS, 0.95, 0.95, 0.95);
    assertThat(steps(new Met1Policy(), two, restart)).contains("add-node").hasSize(4);
    Observation.Usable some = Rings.with(two, two.snapshot().nodes(), 3, 2);
    assertThat(steps(new Met1Policy(), some, restart)).contains("add-node").hasSize(4);
    Observation.Usable three = Rings.with(two, two.snapshot().nodes(), 3);
    assertThat(steps(new Met1Policy(), three, restart))
        .hasSize(3)
        .allMatch(step -> step.endsWith("READ restart"));
  }

  private static Settings place(Action.ApplyMode way, boolean whenHealthy) {
    return Settings.defaults()
        .with(PlaceSettings.builder().way(way).whenHealthy(whenHealthy).build());
  }

  @Test
  void aHealthyRingIsConfiguredOnlyWhereThatIsWanted() {
    Observation.Usable healthy = seen(Optional.of(SMALL), READS, 0.5, 0.5);
    assertThat(steps(new Met1Policy(), healthy).get(0)).contains("the cluster is healthy");
    assertThat(steps(new Met1Policy(), healthy, place(Action.ApplyMode.ONLINE, true)))
        .containsExactly("reconfigure n0:9042 READ online", "reconfigure n1:9042 READ online");
    // Nobody asks for anything, or the cache is off: nothing is known to be better.
    assertThat(
            steps(
                    new Met1Policy(),
                    seen(Optional.of(SMALL), Rates.ZERO, 0.5, 0.5),
                    place(Action.ApplyMode.ONLINE, true))
                .get(0))
        .contains("the cluster is healthy");
    assertThat(steps(new Met1Policy(), seen(0.5, 0.5), place(Action.ApplyMode.ONLINE, true)).get(0))
        .contains("the cluster is healthy");
  }

  @Test
  void nothingCanBePlacedSoThatMetIsMet1() {
    List<Observation.Usable> rings =
        List.of(
            seen(0.95, 0.95, 0.9),
            seen(0.95, 0.5, 0.5),
            seen(0.02, 0.01, 0.02),
            seen(0.01, 0.01),
            seen(0.5, 0.5, 0.5),
            seen(Optional.of(SMALL), READS, 0.95, 0.95));
    for (Observation.Usable ring : rings) {
      assertThat(steps(Policies.MET, ring)).isEqualTo(steps(Policies.MET_1, ring));
      Settings full = DEFAULTS.with(GuardSettings.builder().maxNodes(2).build());
      assertThat(steps(Policies.MET, ring, full)).isEqualTo(steps(Policies.MET_1, ring, full));
    }
  }

  @Test
  void aHealthyRingIsLeftAloneWithoutAnInitialReconfiguration() {
    assertThat(steps(new Met1Policy(), seen(0.5, 0.5, 0.5)))
        .singleElement()
        .asString()
        .contains("the cluster is healthy");
  }
}
