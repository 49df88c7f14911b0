package io.trimtab.controller.choice;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.Rings;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.TableSettings;
import io.trimtab.controller.settings.UsageSettings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
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

  /** What nobody asks for now, all of which would be felt least on the least used node. */
  @Test
  void idlePartitionsOfANodeThatLeavesAreSharedOut() {
    ByHand cluster = new ByHand();
    for (int n = 0; n < 4; n++) {
      NodeId node = cluster.node("n" + n, Profile.HOMOGENEOUS, 0.05 + 0.01 * n);
      for (int i = 0; i < 4; i++) {
        cluster.reads(node, "t", 100);
      }
    }
    NodeId idle = cluster.node("idle", Profile.HOMOGENEOUS, 0.01);
    for (int i = 0; i < 20; i++) {
      cluster.reads(idle, "archive", 0);
    }
    Settings one = DEFAULTS.with(GuardSettings.builder().minNodes(4).maxMoves(50).build());

    Decision decision = Policies.AUTOPILOT.decide(cluster.seen(), PolicyState.INITIAL, one);

    assertThat(givesBack(decision)).as("%s", decision).isTrue();
    Map<NodeId, Long> came =
        ((Decision.Act) decision)
            .plan().actions(Action.Move.class).stream()
                .filter(move -> move.from().equals(idle))
                .collect(Collectors.groupingBy(Action.Move::to, Collectors.counting()));
    assertThat(came).hasSize(4);
    assertThat(came.values()).containsOnly(5L);
  }

  /** Above what others may come to, and no more so by the plan. */
  @Test
  void aNodeThatIsBusyBesidesTheDatabaseKeepsNoOthers() {
    ByHand cluster = new ByHand();
    NodeId busy = cluster.node("busy", Profile.HOMOGENEOUS, 0.55);
    cluster.reads(busy, "kept", 0);
    for (int n = 0; n < 5; n++) {
      cluster.reads(cluster.node("n" + n, Profile.HOMOGENEOUS, 0.1), "t", 100);
    }

    // Else it would be the one that is given back.
    Settings stays = DEFAULTS.with(new TableSettings(null, List.of("kept")));
    Decision decision = Policies.AUTOPILOT.decide(cluster.seen(), PolicyState.INITIAL, stays);

    assertThat(givesBack(decision)).as("%s", decision).isTrue();
    assertThat(((Decision.Act) decision).plan().actions(Action.Move.class))
        .extracting(Action.Move::to)
        .doesNotContain(busy);
  }

  /** One of two would have what both use for it: 0.35, where half of the sum were 0.50. */
  @Test
  void whatANodeUsesForBeingAwakeGoesWithIt() {
    ByHand cluster = new ByHand();
    for (int n = 0; n < 2; n++) {
      NodeId node = cluster.node("n" + n, Profile.HOMOGENEOUS, 0.25);
      for (int i = 0; i < 5; i++) {
        cluster.reads(node, "t", 10);
      }
    }
    Settings one = DEFAULTS.with(GuardSettings.builder().minNodes(1).build());
    Observation.Usable seen =
        cluster
            .seen()
            .with(Rings.learned(0.15))
            .withMisses(Map.of(new NodeId("n0:1"), 0.0, new NodeId("n1:1"), 0.0));

    Decision known = Policies.AUTOPILOT.decide(seen, PolicyState.INITIAL, one);
    assertThat(givesBack(known)).as("%s", known).isTrue();
    Decision unknown = Policies.AUTOPILOT.decide(cluster.seen(), PolicyState.INITIAL, one);
    assertThat(givesBack(unknown)).as("%s", unknown).isFalse();
  }

  @Test
  void threeTenthsOfTheTargetStayFree() {
    assertThat(givesBack(decided(0.25, DEFAULTS))).isTrue();
    assertThat(givesBack(decided(0.36, DEFAULTS))).isFalse();
    Settings tight = DEFAULTS.with(UsageSettings.builder().margin(0.0).build());
    assertThat(givesBack(decided(0.36, tight))).isTrue();
  }
}
