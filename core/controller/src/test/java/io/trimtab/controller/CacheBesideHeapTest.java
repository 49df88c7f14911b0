package io.trimtab.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.Met1Policy;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.PlaceSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Nodes whose data blocks are cached beside the heap: profiles change the rest of their memory. */
class CacheBesideHeapTest {
  private static final NodeGauges ON_HEAP =
      new NodeGauges(-1, -1, 1L << 30, -1, -1, -1, 400L << 20, -1, -1, -1, -1, -1, Map.of());
  private static final NodeGauges BESIDE =
      new NodeGauges(-1, -1, 1L << 30, -1, -1, -1, 4096L << 20, -1, -1, -1, -1, -1, Map.of())
          .besideHeap();

  @Test
  void noProfileChangesTheSizeOfACacheBesideTheHeap() {
    for (Profile profile : Profile.STANDARD) {
      assertThat(ON_HEAP.cacheBytes(profile)).isEqualTo(profile.cacheFraction() * (1L << 30));
      assertThat(BESIDE.cacheBytes(profile)).isEqualTo(4096.0 * (1 << 20));
    }
    assertThat(BESIDE.usingMemory(5).with("name", 1).cacheBesideHeap()).isTrue();
  }

  private static List<String> reconfigured(NodeGauges gauges, long seed) {
    RandomCluster cluster = new RandomCluster(seed, 4, 28);
    List<NodeState> nodes =
        cluster.snapshot.nodes().stream().map(n -> n.with(n.usage(), gauges)).toList();
    ClusterSnapshot snapshot =
        cluster.snapshot.with(nodes, cluster.snapshot.partitions(), List.of());
    Observation.Usable seen =
        new Observation.Usable(snapshot, cluster.rates, cluster.usage, cluster.usage, List.of());
    Settings settings =
        Settings.defaults()
            .with(GuardSettings.builder().maxNodes(20).maxMoves(1_000).minGain(0.0).build())
            .with(PlaceSettings.builder().way(Action.ApplyMode.ONLINE).build());
    List<String> effects = new ArrayList<>();
    if (new Met1Policy().decide(seen, PolicyState.INITIAL, settings) instanceof Decision.Act act) {
      for (PlannedAction planned : act.plan().actions()) {
        if (planned.action() instanceof Action.Reconfigure) {
          effects.add(planned.effect());
        }
      }
    }
    return effects;
  }

  @Test
  void aPlanSaysWhatStaysAsItIs() {
    int plans = 0;
    for (long seed = 0; seed < 30; seed++) {
      assertThat(reconfigured(ON_HEAP, seed)).allMatch(effect -> effect.endsWith("of the heap"));
      List<String> beside = reconfigured(BESIDE, seed);
      assertThat(beside)
          .as("seed %d", seed)
          .allMatch(effect -> effect.contains(" of the heap; data blocks are cached beside it, in"))
          .allMatch(effect -> effect.contains(" 4096 MiB as before: no profile changes that"));
      plans += beside.isEmpty() ? 0 : 1;
    }
    assertThat(plans).isPositive();
  }
}
