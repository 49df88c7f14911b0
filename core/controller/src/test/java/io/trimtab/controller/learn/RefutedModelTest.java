package io.trimtab.controller.learn;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.RandomCluster;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.place.UsagePackingTest;
import io.trimtab.controller.policy.Decider;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.Need;
import io.trimtab.controller.policy.Policy;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.policy.Setbacks;
import io.trimtab.controller.policy.Stability;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.UsageSettings;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What becomes of decisions once a built model was off too much. */
class RefutedModelTest {
  private static final String DROPPED =
      "; the built model is not used, as its last predictions were 0.30 off on average"
          + " (usage.errorMax): see trimtab ledger, and build it anew";

  /** Holds, and tells whether it was given a model. */
  private record Asking(Set<Need> needs) implements Policy {
    @Override
    public String name() {
      return "asking";
    }

    @Override
    public Decision decide(Observation.Usable seen, PolicyState state, Settings settings) {
      return new Decision.Hold(seen.model().isPresent() ? "by a model" : "by none", "", state);
    }
  }

  private static String told(Set<Need> needs, boolean given, double error) {
    RandomCluster cluster = new RandomCluster(3);
    Observation.Usable none =
        new Observation.Usable(
            cluster.snapshot, cluster.rates, cluster.usage, cluster.usage, List.of());
    Settings settings =
        Settings.defaults()
            .with(UsageSettings.builder().model("model.json").build())
            .with(new Asking(needs));
    Decider.Past past =
        new Decider.Past(
            Optional.empty(),
            Optional.empty(),
            OptionalDouble.of(error),
            Setbacks.NONE,
            Stability.NONE,
            "");
    Decider.NextStep next =
        Decider.decide(
            new Decider.Context(
                given ? none.with(List.of(), UsagePackingTest.model()) : none,
                new TreeMap<>(),
                PolicyState.INITIAL,
                settings,
                past,
                Optional.empty(),
                true,
                RandomCluster.NOW));
    return ((Decider.Refusal) next).reason();
  }

  @Test
  void itIsLeftOutAndThatIsTold() {
    assertThat(told(Set.of(), true, 0.1)).isEqualTo("by a model");
    assertThat(told(Set.of(), true, 0.3)).isEqualTo("by none" + DROPPED);
    assertThat(told(Set.of(), false, 0.3)).as("none was given").isEqualTo("by none");
  }

  /** Its plans are advice, as before: see DeciderTest. */
  @Test
  void aPolicyThatCanNotDoWithoutKeepsIt() {
    assertThat(told(Set.of(Need.MODEL), true, 0.3)).isEqualTo("by a model");
  }
}
