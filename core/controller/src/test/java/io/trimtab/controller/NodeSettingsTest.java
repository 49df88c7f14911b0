package io.trimtab.controller;

import static io.trimtab.controller.Rings.seen;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.policy.SettingsReconciler;
import io.trimtab.controller.settings.RingSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeSetting;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.NodeState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What an operator has set for every node of a ring is kept on all of them. */
class NodeSettingsTest {
  private static final Settings DEFAULTS = Settings.defaults();

  @Test
  void whatTheOperatorHasSetForAllNodesIsKept() {
    Observation.Usable ring = seen(0.5, 0.5, 0.5);
    // One as wanted, one that is not, one that does not tell.
    List<NodeState> nodes = new ArrayList<>(ring.snapshot().nodes());
    nodes.set(0, withSettings(nodes.get(0), Map.of(NodeSetting.COMPACTION_THROUGHPUT, 16)));
    nodes.set(1, withSettings(nodes.get(1), Map.of(NodeSetting.COMPACTION_THROUGHPUT, 64)));
    Observation.Usable configured = Rings.with(ring, nodes, ring.snapshot().replication());

    Decision decision =
        SettingsReconciler.decide(configured, PolicyState.INITIAL, kept(null, 16)).orElseThrow();

    Plan plan = ((Decision.Act) decision).plan();
    assertThat(plan.actions())
        .singleElement()
        .extracting(PlannedAction::action)
        .isEqualTo(
            new Action.SetNode(new NodeId("n1:9042"), NodeSetting.COMPACTION_THROUGHPUT, 64, 16));
    assertThat(plan.policy()).isEqualTo("upkeep");
    assertThat(SettingsReconciler.decide(configured, PolicyState.INITIAL, kept(100, null)))
        .isEmpty();
    assertThat(SettingsReconciler.decide(configured, PolicyState.INITIAL, DEFAULTS)).isEmpty();
    assertThatThrownBy(() -> kept(-1, null)).hasMessageContaining("ring.keyCacheMiB must be in");
    assertThatThrownBy(() -> kept(null, 0))
        .hasMessageContaining("ring.compactionMiBPerSecond must be in [1, 10000], not 0");
  }

  private static NodeState withSettings(NodeState n, Map<NodeSetting, Integer> settings) {
    return new NodeState(
        n.id(), 1, true, false, n.profile(), false, n.usage(), n.gauges(), settings);
  }

  private static Settings kept(Integer keyCache, Integer compaction) {
    return Settings.defaults().with(new RingSettings(keyCache, compaction));
  }
}
