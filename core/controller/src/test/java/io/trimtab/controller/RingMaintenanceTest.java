package io.trimtab.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.ChoiceSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.snapshot.NodeState;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rings do not change while their nodes repair. */
class RingMaintenanceTest {
  private static final Settings SETTINGS = Settings.defaults().with(Policies.AUTOPILOT);

  private static Decision decide(Observation.Usable seen, Settings settings) {
    return Policies.AUTOPILOT.decide(seen, PolicyState.INITIAL, settings);
  }

  /** The same, of which the first nodes repair. */
  private static Observation.Usable repairing(Observation.Usable seen, int number) {
    List<NodeState> nodes = new ArrayList<>(seen.snapshot().nodes());
    for (int i = 0; i < number; i++) {
      nodes.set(i, nodes.get(i).busyWith(List.of("cleanup", "repair")));
    }
    return Rings.with(seen, nodes, 2);
  }

  @Test
  void noNodeJoinsWhileOneRepairs() {
    Observation.Usable full = Rings.seen(0.9, 0.9, 0.9);
    Decision.Act free = (Decision.Act) decide(full, SETTINGS);
    Decision.Hold hold = (Decision.Hold) decide(repairing(full, 1), SETTINGS);

    assertThat(free.plan().actions(Action.AddNode.class)).isNotEmpty();
    assertThat(hold.reason())
        .isEqualTo(
            "a node is at 0.90, but n0:9042 is busy with cleanup and repair; no node joins or"
                + " leaves before that has ended");
    assertThat(hold.setting()).isEqualTo("choice.awaitMaintenance");

    Settings atOnce = SETTINGS.with(new ChoiceSettings(null, null, null, null, false));
    assertThat(decide(repairing(full, 1), atOnce)).isInstanceOf(Decision.Act.class);
  }

  @Test
  void noNodeLeavesWhileSomeRepair() {
    Observation.Usable idle = Rings.seen(0.1, 0.1, 0.1, 0.1, 0.1, 0.1);
    Decision.Act free = (Decision.Act) decide(idle, SETTINGS);
    Decision.Hold hold = (Decision.Hold) decide(repairing(idle, 5), SETTINGS);

    assertThat(free.plan().actions(Action.RemoveNode.class)).hasSize(1);
    assertThat(hold.reason())
        .startsWith("a node could be given back, but n0:9042 is busy with cleanup and repair,")
        .contains("n2:9042 is busy", "as are 2 nodes")
        .doesNotContain("n3:9042");
  }
}
