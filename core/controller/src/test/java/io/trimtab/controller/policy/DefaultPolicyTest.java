package io.trimtab.controller.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Who has chosen no policy, on a cluster with a node that is too hot. */
class DefaultPolicyTest {
  private static final Settings UNSET = Settings.defaults();
  private static Observation.Usable seen;

  @BeforeAll
  static void look() throws Exception {
    seen = AutopilotPolicyTest.seen(AutopilotPolicyTest.oneHotNode());
  }

  private static Decider.NextStep decide(Settings settings, boolean act, String lastPolicy) {
    return Decider.decide(
        new Decider.Context(
            seen,
            new TreeMap<NodeId, Duration>(),
            PolicyState.INITIAL,
            settings,
            new Decider.Past(
                Optional.empty(),
                Optional.empty(),
                OptionalDouble.empty(),
                Setbacks.NONE,
                Stability.NONE,
                lastPolicy),
            Optional.of(NodeCapacity.of(10)),
            act,
            seen.snapshot().takenAt()));
  }

  private static String policy(Decider.NextStep step) {
    assertThat(step).as("%s", step).isInstanceOf(Decider.Go.class);
    return ((Decider.Go) step).act().plan().policy();
  }

  @Test
  void theAutopilotDecidesWhereNothingIsSet() {
    assertThat(UNSET.policy()).isSameAs(Policies.AUTOPILOT);
    assertThat(UNSET.choosesPolicy()).isFalse();
    assertThat(policy(decide(UNSET, true, ""))).isEqualTo("autopilot");
    assertThat(policy(decide(UNSET, true, "autopilot"))).isEqualTo("autopilot");
  }

  @Test
  void whereAnotherOneHasDecidedItIsAdviceFirst() {
    assertThat(decide(UNSET, true, "met-1"))
        .isInstanceOfSatisfying(
            Decider.Refusal.class,
            refusal -> {
              assertThat(refusal.by()).isEqualTo("advice");
              assertThat(refusal.setting()).isEqualTo("policy");
              assertThat(refusal.reason())
                  .startsWith("no policy is set, and met-1 made the last plan here; autopilot, ")
                  .contains("it would: ", "the most used node is at ");
              assertThat(refusal.weighed()).isNotEmpty();
              assertThat(refusal.next()).isEmpty();
            });
    // A dry run shows its plans in any case.
    assertThat(policy(decide(UNSET, false, "met-1"))).isEqualTo("autopilot");
  }

  @Test
  void whoHasChosenAPolicyKeepsIt() {
    Settings autopilot = UNSET.with(Policies.AUTOPILOT);
    assertThat(policy(decide(autopilot, true, "met-1"))).isEqualTo("autopilot");
    Settings met = UNSET.with(Policies.MET_1);
    assertThat(decide(met, true, "autopilot")).isEqualTo(decide(met, true, ""));
    // Another setting changes nothing of it.
    assertThat(UNSET.with(UNSET.guard()).choosesPolicy()).isFalse();
    assertThat(autopilot.with(UNSET.guard()).choosesPolicy()).isTrue();
  }
}
