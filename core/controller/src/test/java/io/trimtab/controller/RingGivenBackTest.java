package io.trimtab.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.ChoiceSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.UsageSettings;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Action;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** Why a node of a ring is not given back although the others could do its work. */
class RingGivenBackTest {
  private static final Settings SETTINGS =
      Settings.defaults()
          .with(Policies.AUTOPILOT)
          .with(UsageSettings.builder().ringMargin(0.1).build());

  /** Nodes that store 2 MB each: to copy them takes 0.02 s. */
  private static final Observation.Usable IDLE =
      Rings.storing(Rings.seen(0.1, 0.1, 0.1), node -> true, 2_000_000);

  private static Decision decide(Observation.Usable seen, ChoiceSettings choice) {
    return Policies.AUTOPILOT.decide(seen, PolicyState.INITIAL, SETTINGS.with(choice));
  }

  private static void assertHeld(Decision decision, String why, String setting) {
    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Hold.class);
    Decision.Hold hold = (Decision.Hold) decision;
    assertThat(hold.reason()).isEqualTo("a node could be given back, but " + why);
    assertThat(hold.setting()).isEqualTo(setting);
    assertThat(hold.weighed())
        .filteredOn(alternative -> alternative.title().equals("remove a node"))
        .singleElement()
        .satisfies(
            fewer -> {
              assertThat(fewer.gain()).isNegative();
              assertThat(fewer.verdict()).isEqualTo("costs more than it saves");
            });
  }

  private static void assertGivenBack(Decision decision) {
    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    assertThat(((Decision.Act) decision).plan().actions(Action.RemoveNode.class)).hasSize(1);
  }

  @Test
  void aNodeThatCostsNothingStays() {
    Map<NodeId, Double> prices = new HashMap<>();
    IDLE.snapshot().nodes().forEach(node -> prices.put(node.id(), 0.0));
    NodeCapacity priced =
        new NodeCapacity(9, OptionalInt.empty(), OptionalDouble.of(1), Optional.empty());

    assertHeld(
        decide(IDLE.withOffer(Optional.of(priced.with(prices))), ChoiceSettings.DEFAULTS),
        "its price is 0, so that this would save nothing",
        "");
    assertGivenBack(decide(IDLE.withOffer(Optional.of(priced)), ChoiceSettings.DEFAULTS));
  }

  @Test
  void overAShortHorizonItSavesLessThanAnyChangeTakes() {
    assertHeld(
        decide(IDLE, new ChoiceSettings(Duration.ofMinutes(2), null, null, null, null, null)),
        "whatever it stores, that it leaves counts as 300 s of a node, and saves 120 s",
        "choice.horizon");
    assertGivenBack(
        decide(IDLE, new ChoiceSettings(Duration.ofMinutes(6), null, null, null, null, null)));
  }

  /** Ten at 0.50 are nine at 0.56, which are expected to lose 1e-4: of ten, times 1,000, 1.2. */
  @Test
  void wherePossibleLossesCountMostTheyAreTold() {
    double[] usage = new double[10];
    Arrays.fill(usage, 0.5);
    Observation.Usable ten = Rings.seen(usage);

    assertHeld(
        decide(ten, new ChoiceSettings(null, 1_000.0, null, null, null, null)),
        "that the others may be above the target then counts for more than it saves",
        "choice.lossWeight");
    assertGivenBack(decide(ten, ChoiceSettings.DEFAULTS));
  }
}
