package io.trimtab.controller.choice;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.UsageSettings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import org.junit.jupiter.api.Test;

/** When a node is given back where partitions are assigned. */
class GivenBackTest {
  private static final Settings DEFAULTS = Settings.defaults().with(Policies.AUTOPILOT);

  /** Three nodes that are used alike. */
  private static Decision decided(double usage, Settings settings) {
    ByHand cluster = new ByHand();
    for (int n = 0; n < 3; n++) {
      NodeId node = cluster.node("n" + n, Profile.HOMOGENEOUS, usage);
      for (int i = 0; i < 4; i++) {
        cluster.reads(node, "t", 100);
      }
    }
    return Policies.AUTOPILOT.decide(cluster.seen(), PolicyState.INITIAL, settings);
  }

  private static boolean givesBack(Decision decision) {
    return decision instanceof Decision.Act act
        && !act.plan().actions(Action.RemoveNode.class).isEmpty();
  }

  @Test
  void threeTenthsOfTheTargetStayFree() {
    assertThat(givesBack(decided(0.25, DEFAULTS))).isTrue();
    assertThat(givesBack(decided(0.36, DEFAULTS))).isFalse();
    Settings tight = DEFAULTS.with(UsageSettings.builder().margin(0.0).build());
    assertThat(givesBack(decided(0.36, tight))).isTrue();
  }
}
