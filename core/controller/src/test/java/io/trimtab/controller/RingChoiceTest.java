package io.trimtab.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.models.outlook.Outlook;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * How many nodes the autopilot gives a ring: as many as bring the most used one to {@code
 * usage.target}, 0.70; one fewer where that leaves the margin, a tenth of it, free.
 */
class RingChoiceTest {
  private static final Settings SETTINGS = Settings.defaults().with(Policies.AUTOPILOT);

  private static Decision decide(Observation.Usable seen, PolicyState state, Settings settings) {
    return Policies.AUTOPILOT.decide(seen, state, settings);
  }

  private static Decision.Act act(Observation.Usable seen, PolicyState state) {
    Decision decision = decide(seen, state, SETTINGS);
    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    return (Decision.Act) decision;
  }

  private static int added(Observation.Usable seen, PolicyState state) {
    return act(seen, state).plan().actions(Action.AddNode.class).size();
  }

  private static Decision.Hold held(Observation.Usable seen, Settings settings) {
    Decision decision = decide(seen, PolicyState.INITIAL, settings);
    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Hold.class);
    return (Decision.Hold) decision;
  }

  private static Settings most(int nodes) {
    return SETTINGS.with(GuardSettings.builder().maxNodes(nodes).build());
  }

  private static Observation.Usable foreseen(Observation.Usable seen, double low, double high) {
    return seen.with(
        Optional.empty(), Map.of("k.t", new Outlook(low, (low + high) / 2, high, "it goes on")));
  }

  @Test
  void asManyNodesJoinAsBringTheMostUsedToTheTarget() {
    assertThat(added(Rings.seen(0.9, 0.9, 0.9), PolicyState.INITIAL)).isEqualTo(1);
    assertThat(added(Rings.seen(0.95, 0.95, 0.95, 0.95, 0.95), PolicyState.INITIAL)).isEqualTo(2);
    assertThat(held(Rings.seen(0.6, 0.6, 0.6), SETTINGS).setting()).isEqualTo("health.high");
  }

  @Test
  void noMoreThanTheGuardAllows() {
    Observation.Usable five = Rings.seen(0.95, 0.95, 0.95, 0.95, 0.95);
    Decision six = decide(five, PolicyState.INITIAL, most(6));
    assertThat(((Decision.Act) six).plan().actions(Action.AddNode.class)).hasSize(1);

    Decision.Hold full = held(five, most(5));
    assertThat(full.reason()).isEqualTo("a node is at 0.95, but 5 nodes are the most allowed");
    assertThat(full.setting()).isEqualTo("guard.maxNodes");
  }

  /** 3 / 0.7 are 5 nodes, 3 x 1.2 / 0.7 are 6, and 3 x 1.2 x 1.2 / 0.7 are 7. */
  @Test
  void aRingThatStaysSaturatedGetsMoreEachTime() {
    Observation.Usable full = Rings.seen(1, 1, 1);
    PolicyState once = act(full, PolicyState.INITIAL).next();
    PolicyState twice = act(full, once).next();

    assertThat(added(full, PolicyState.INITIAL)).isEqualTo(2);
    assertThat(added(full, once)).isEqualTo(3);
    assertThat(added(full, twice)).isEqualTo(4);
    assertThat(twice.saturated()).isEqualTo(2);
    assertThat(twice.step()).as("nodes that met would add").isEqualTo(1);
    assertThat(act(Rings.seen(0.9, 0.9, 0.9), twice).next().saturated()).isZero();
  }

  @Test
  void nodesJoinBeforeTheyAreNeededAndStayForAPeak() {
    Observation.Usable well = Rings.seen(0.6, 0.6, 0.6);
    assertThat(added(foreseen(well, 1.5, 1.6), PolicyState.INITIAL)).isEqualTo(1);

    Observation.Usable idle = Rings.seen(0.2, 0.1, 0.3);
    assertThat(act(idle, PolicyState.INITIAL).plan().actions(Action.RemoveNode.class)).hasSize(1);
    assertThat(held(foreseen(idle, 1, 2), SETTINGS).reason()).contains("can be spared");
  }

  /** With two of three nodes 1.5 times as much, and a tenth more as shares differ. */
  @Test
  void aNodeIsGivenBackOnlyWhereTheMarginStaysFree() {
    assertThat(
            act(Rings.seen(0.38, 0.38, 0.38), PolicyState.INITIAL)
                .plan()
                .actions(Action.RemoveNode.class))
        .hasSize(1);
    assertThat(held(Rings.seen(0.39, 0.39, 0.39), SETTINGS).reason()).contains("can be spared");
  }

  @Test
  void nodesAreConfiguredBeforeOneJoins() {
    Profile small = new Profile("CUSTOM", 0.03, 0.20, 32 << 10);
    Rates reads = new Rates(100, 0, 0, 10);
    Decision.Act act = act(Rings.seen(Optional.of(small), reads, 0.95, 0.95), PolicyState.INITIAL);

    assertThat(act.plan().actions(Action.Reconfigure.class)).hasSize(2);
    assertThat(act.plan().actions()).hasSize(2);
    assertThat(act.next()).isEqualTo(PolicyState.INITIAL);
  }
}
