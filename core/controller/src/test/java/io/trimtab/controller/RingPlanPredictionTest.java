package io.trimtab.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.controller.choice.PlanPrediction;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.place.UsagePrediction;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.DecisionContext;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.Policy;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.UsageSettings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Nodes of a ring share what it is asked for, whichever policy changes how many there are. */
class RingPlanPredictionTest {
  private static final Settings SETTINGS =
      Settings.defaults().with(UsageSettings.builder().ringMargin(0.1).build());

  private static Decision.Act act(Policy policy, Observation.Usable seen) {
    Decision decision = policy.decide(seen, PolicyState.INITIAL, SETTINGS);
    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    return (Decision.Act) decision;
  }

  private static Optional<UsagePrediction> predicted(Observation.Usable seen, Plan plan) {
    return PlanPrediction.of(new DecisionContext(seen, PolicyState.INITIAL, SETTINGS), plan);
  }

  private static NodeId node(int i) {
    return new NodeId("n" + i + ":9042");
  }

  @Test
  void aNodeThatTiramolaAddsTakesItsShare() {
    Observation.Usable seen = Rings.seen(0.6, 0.5, 0.7);
    Decision.Act act = act(Policies.TIRAMOLA, seen);
    assertThat(act.predicted()).isEmpty();

    UsagePrediction found = predicted(seen, act.plan()).orElseThrow();

    assertThat(found.from()).isEqualTo(UsagePrediction.Origin.REQUESTS);
    assertThat(found.usage()).hasSize(4);
    assertThat(found.usage().get(node(0))).isCloseTo(0.45, within(1e-9));
    assertThat(found.usage().get(node(1))).isCloseTo(0.375, within(1e-9));
    assertThat(found.usage().get(node(2))).isCloseTo(0.525, within(1e-9));
    assertThat(found.usage().get(new NodeId("new-1"))).isCloseTo(0.45, within(1e-9));
  }

  @Test
  void ofTheAutopilotsOwnPlansItIsWhatTheAutopilotPredicts() {
    for (Observation.Usable seen :
        List.of(
            Rings.seen(0.9, 0.9, 0.9),
            Rings.seen(0.95, 0.95, 0.95, 0.95, 0.95),
            Rings.seen(0.2, 0.1, 0.3))) {
      Decision.Act act = act(Policies.AUTOPILOT, seen);
      assertThat(act.predicted()).isPresent();
      assertThat(predicted(seen, act.plan())).isEqualTo(act.predicted());
    }
  }

  /** What another cache of rows hits is not known. */
  @Test
  void whereOnlyProfilesChangeNothingIsPredicted() {
    Observation.Usable seen = Rings.seen(0.9, 0.9, 0.9);
    Action change =
        new Action.Reconfigure(node(0), Profile.HOMOGENEOUS, Profile.READ, Action.ApplyMode.ONLINE);
    Plan plan =
        act(Policies.AUTOPILOT, seen)
            .plan()
            .with(List.of(new PlannedAction(1, change, "", "", "", "")));

    assertThat(predicted(seen, plan)).isEmpty();
  }

  /** Its peers have had its reads, and nobody its writes. */
  @Test
  void ofTheReplacementOfADeadNodeNothingIsPredicted() {
    Observation.Usable seen = Rings.seen(0.6, 0.5, 0.7);
    Action replace = new Action.ReplaceNode(1, new NodeId("n3:9042"), Profile.HOMOGENEOUS);
    Plan plan =
        act(Policies.TIRAMOLA, seen)
            .plan()
            .with(List.of(new PlannedAction(1, replace, "", "", "", "")));

    assertThat(predicted(seen, plan)).isEmpty();
  }
}
