package io.trimtab.controller.choice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.controller.choice.layout.ClusterLoad;
import io.trimtab.controller.choice.layout.Layout;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import org.junit.jupiter.api.Test;

/** The same load is another share of another node. */
class HardwareTest {
  private final ByHand cluster = new ByHand();

  private double usageAfterTheMove(double cores) {
    NodeId small = cluster.node("small", Profile.READ, 4, 0.8, 0);
    NodeId large = cluster.node("large", Profile.READ, cores, 0.1, 0);
    PartitionId moved = cluster.reads(small, "t", 500);
    cluster.reads(small, "t", 500);
    cluster.reads(large, "t", 100);
    ClusterLoad load = ByHand.load(cluster.seen(), Settings.defaults());
    Layout layout = Layout.now(load);
    assertThat(layout.usage(ByHand.index(layout, small))).isCloseTo(0.8, within(1e-9));
    assertThat(layout.usage(ByHand.index(layout, large))).isCloseTo(0.1, within(1e-9));

    layout.move(ByHand.index(load, moved), ByHand.index(layout, large));
    assertThat(layout.usage(ByHand.index(layout, small))).isCloseTo(0.4, within(1e-9));
    return layout.usage(ByHand.index(layout, large));
  }

  @Test
  void onFourTimesAsManyCoresAPartitionUsesAQuarter() {
    assertThat(usageAfterTheMove(16)).isCloseTo(0.1 + 0.4 / 4, within(1e-9));
  }

  @Test
  void onAsManyCoresItUsesAsMuch() {
    assertThat(usageAfterTheMove(4)).isCloseTo(0.1 + 0.4, within(1e-9));
  }

  @Test
  void whereNobodyTellsItUsesAsMuch() {
    assertThat(usageAfterTheMove(Double.NaN)).isCloseTo(0.1 + 0.4, within(1e-9));
  }

  /** It is used as much as the small one that could take it as well, by the share. */
  @Test
  void theLargeNodeTakesWhatASmallOneCanNot() {
    NodeId full = cluster.node("full", Profile.READ, 4, 0.95, 0);
    NodeId small = cluster.node("small", Profile.READ, 4, 0.45, 0);
    NodeId large = cluster.node("large", Profile.READ, 16, 0.45, 0);
    cluster.reads(full, "t", 500);
    cluster.reads(full, "t", 450);
    cluster.reads(small, "t", 450);
    cluster.reads(large, "t", 1_800);
    Observation.Usable seen = cluster.seen();
    Decision decision =
        Policies.AUTOPILOT.decide(
            seen, PolicyState.INITIAL, Settings.defaults().with(Policies.AUTOPILOT));

    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    assertThat(((Decision.Act) decision).plan().actions(Action.Move.class))
        .singleElement()
        .satisfies(move -> assertThat(move.to()).isEqualTo(large));
  }
}
