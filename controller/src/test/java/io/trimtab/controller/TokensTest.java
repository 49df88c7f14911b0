package io.trimtab.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.Action;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.ClusterSnapshot;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeGauges;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeState;
import io.trimtab.engineapi.NodeUsage;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.PartitionCounters;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.PartitionState;
import io.trimtab.engineapi.PlannedAction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Where tokens decide who has which data, nodes come and go and nothing else happens. */
class TokensTest {
  private static final Settings DEFAULTS = Settings.defaults();

  private static Observation.Usable seen(double... usage) {
    List<NodeState> nodes = new ArrayList<>();
    List<PartitionState> tables = new ArrayList<>();
    Map<NodeId, Double> used = new HashMap<>();
    Map<PartitionId, Rates> rates = new HashMap<>();
    for (int i = 0; i < usage.length; i++) {
      NodeId id = new NodeId("n" + i + ":9042");
      NodeUsage now = new NodeUsage(usage[i], 0, 0, 0);
      nodes.add(
          new NodeState(id, 1, true, false, Optional.empty(), false, now, NodeGauges.UNKNOWN));
      used.put(id, usage[i]);
      PartitionId table = new PartitionId("k.t", id.name());
      tables.add(
          new PartitionState(
              table, Optional.of(id), PartitionCounters.ZERO, 1, 1, 16384, KeyRange.ALL));
      rates.put(table, new Rates(100, 0, 0, 10));
    }
    ClusterSnapshot snapshot =
        new ClusterSnapshot(
            Instant.EPOCH,
            "ring",
            "cassandra",
            Ownership.TOKENS,
            "5.0.9",
            2,
            nodes,
            tables,
            0,
            true,
            BalancerState.PAUSED,
            List.of());
    return new Observation.Usable(snapshot, rates, used, used, List.of());
  }

  private static List<String> steps(Policy policy, Observation.Usable seen) {
    Decision decision = policy.decide(seen, PolicyState.INITIAL, DEFAULTS);
    if (decision instanceof Decision.Act act) {
      Guard.Verdict verdict =
          Guard.check(
              act.plan(),
              seen.snapshot(),
              Optional.empty(),
              java.util.OptionalInt.of(3),
              DEFAULTS,
              Instant.EPOCH);
      assertThat(verdict).isInstanceOf(Guard.Verdict.Pass.class);
      return act.plan().actions().stream()
          .map(PlannedAction::action)
          .map(a -> a.kind() + (a instanceof Action.AddNode ? "" : " " + node(a)))
          .toList();
    }
    return List.of(((Decision.Hold) decision).reason());
  }

  private static NodeId node(Action action) {
    return action instanceof Action.Cleanup cleanup
        ? cleanup.node()
        : ((Action.RemoveNode) action).node();
  }

  @Test
  void aBusyRingGetsANodeAndTheOldOnesTidyUpAfterwards() {
    List<String> wanted =
        List.of("add-node", "cleanup n0:9042", "cleanup n1:9042", "cleanup n2:9042");

    assertThat(steps(new MetPolicy(), seen(0.95, 0.95, 0.9))).isEqualTo(wanted);
    assertThat(steps(new TiramolaPolicy(), seen(0.95, 0.95, 0.9))).isEqualTo(wanted);
  }

  @Test
  void theLeastUsedNodeOfAnIdleRingLeaves() {
    assertThat(steps(new MetPolicy(), seen(0.02, 0.01, 0.02)))
        .containsExactly("remove-node n1:9042");
    assertThat(steps(new TiramolaPolicy(), seen(0.02, 0.01, 0.02)))
        .containsExactly("remove-node n1:9042");
  }

  @Test
  void thereAreNeverFewerNodesThanCopies() {
    assertThat(steps(new MetPolicy(), seen(0.01, 0.01)))
        .singleElement()
        .asString()
        .contains("2 nodes are the fewest allowed");
  }

  @Test
  void aHealthyRingIsLeftAloneWithoutAnInitialReconfiguration() {
    assertThat(steps(new MetPolicy(), seen(0.5, 0.5, 0.5)))
        .singleElement()
        .asString()
        .contains("the cluster is healthy");
  }
}
