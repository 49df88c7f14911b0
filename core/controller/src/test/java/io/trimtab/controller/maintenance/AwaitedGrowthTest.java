package io.trimtab.controller.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.ahead.Ahead;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.policy.AutopilotPolicyTest;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.PolicyState;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.models.outlook.Outlook;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Work beside serving is waited for only where something would be done without it. */
class AwaitedGrowthTest {
  private static final Settings THREE =
      Settings.defaults()
          .with(Policies.AUTOPILOT)
          .with(GuardSettings.builder().minNodes(3).build());

  private static double most(Observation.Usable seen) {
    return seen.usage().values().stream().mapToDouble(Double::doubleValue).max().orElseThrow();
  }

  /** Three nodes, of which all compact, and one table that will be asked for five times as much. */
  private static Decision decide(String rising, double large, double small) throws Exception {
    Observation.Usable seen =
        AutopilotPolicyTest.seen(
            ClusterSpec.assigned(
                1,
                3,
                TableSpec.of("large", 8, 64 << 20, Access.reads(large)),
                TableSpec.of("small", 2, 1 << 20, Access.reads(small))));
    List<NodeState> busy =
        seen.snapshot().nodes().stream()
            .map(node -> node.busyWith(List.of("major compaction of 2 regions")))
            .toList();
    ClusterSnapshot now =
        seen.snapshot().with(busy, seen.snapshot().partitions(), seen.snapshot().gaps());
    Outlook peak = new Outlook(5, 5, 5, "yesterday", Optional.empty());
    Ahead ahead = new Ahead(within -> Map.of(rising, peak), Optional.empty(), Optional.empty());
    assertThat(most(seen)).as("above a fifth of the target").isBetween(0.2, 0.6);
    return Policies.AUTOPILOT.decide(
        seen.on(now).with(BusyNodes.NONE.append(now)).with(ahead), PolicyState.INITIAL, THREE);
  }

  private static String setting(Decision decision) {
    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Hold.class);
    return ((Decision.Hold) decision).setting();
  }

  /** Else a table that nobody asks for now would keep a compaction from being waited for. */
  @Test
  void aSmallTableThatWillGrowMakesNothingOfWhatFullNodesDo() throws Exception {
    Observation.Usable seen =
        AutopilotPolicyTest.seen(
            ClusterSpec.assigned(
                1,
                3,
                TableSpec.of("large", 8, 64 << 20, Access.reads(9_000)),
                TableSpec.of("small", 2, 1 << 20, Access.reads(5))));
    NodeState full = seen.snapshot().nodes().get(0);
    List<NodeState> nodes =
        seen.snapshot().nodes().stream()
            .map(n -> n == full ? n.busyWith(List.of("major compaction of 2 regions")) : n)
            .toList();
    ClusterSnapshot now =
        seen.snapshot().with(nodes, seen.snapshot().partitions(), seen.snapshot().gaps());
    Map<NodeId, Double> usage = new HashMap<>(seen.usage());
    usage.put(full.id(), 0.85);
    Observation.Usable used =
        new Observation.Usable(now, seen.rates(), usage, usage, List.of())
            .with(BusyNodes.NONE.append(now));
    Outlook peak = new Outlook(200, 200, 200, "yesterday", Optional.empty());
    Ahead ahead = new Ahead(within -> Map.of("small", peak), Optional.empty(), Optional.empty());

    Decision alone = Policies.AUTOPILOT.decide(used, PolicyState.INITIAL, THREE);
    assertThat(setting(alone)).isEqualTo(Awaiting.SETTING);
    Decision foreseen = Policies.AUTOPILOT.decide(used.with(ahead), PolicyState.INITIAL, THREE);
    assertThat(setting(foreseen)).isEqualTo(Awaiting.SETTING);
  }

  @Test
  void aSmallTableThatWillGrowMakesNothingWait() throws Exception {
    assertThat(setting(decide("large", 9_000, 5))).isEqualTo(Awaiting.SETTING);
    assertThat(setting(decide("small", 9_000, 5))).isNotEqualTo(Awaiting.SETTING);
  }
}
