package io.trimtab.controller.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.controller.RandomCluster;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.TiramolaSettings;
import io.trimtab.controller.settings.Trigger;
import io.trimtab.controller.settings.Trigger.Metric;
import io.trimtab.controller.settings.Trigger.Nodes;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Konstantinou 2011, §4.4: nodes come and go by the administrator's triggers. */
class TiramolaPolicyTest {
  private static final double WAIT = 0.05;

  private static NodeId id(int n) {
    return new NodeId("n" + n + ":1");
  }

  /** Nodes with a CPU share and a load average each, which wait for their disks a little. */
  private static Observation.Usable seen(NodeGauges gauges, double[]... cpuAndLoad) {
    List<NodeState> nodes = new ArrayList<>();
    List<PartitionState> partitions = new ArrayList<>();
    Map<NodeId, Double> cpu = new HashMap<>();
    Map<NodeId, Double> usage = new HashMap<>();
    for (int n = 0; n < cpuAndLoad.length; n++) {
      double[] values = cpuAndLoad[n];
      nodes.add(
          new NodeState(
              id(n),
              1,
              true,
              false,
              Optional.of(Profile.HOMOGENEOUS),
              true,
              new NodeUsage(values[0], 0, WAIT, values[1]),
              gauges));
      partitions.add(
          new PartitionState(
              new PartitionId("t", "p" + n),
              Optional.of(id(n)),
              PartitionCounters.ZERO,
              1,
              1,
              Profile.HOMOGENEOUS.blockSizeBytes(),
              KeyRange.ALL));
      cpu.put(id(n), values[0]);
      usage.put(id(n), values[0] + WAIT);
    }
    return new Observation.Usable(
        RandomCluster.snapshot(nodes, partitions), Map.of(), usage, cpu, List.of());
  }

  private static Decision decide(double[]... cpuAndLoad) {
    return decide(Settings.defaults(), seen(NodeGauges.UNKNOWN, cpuAndLoad));
  }

  private static Decision decide(Settings settings, Observation.Usable seen) {
    return Policies.TIRAMOLA.decide(seen, PolicyState.INITIAL, settings);
  }

  private static double[] node(double cpu, double load5) {
    return new double[] {cpu, load5};
  }

  private static String summary(Decision decision, Class<? extends Action> kind) {
    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Act.class);
    assertThat(((Decision.Act) decision).plan().actions(kind)).hasSize(1);
    return ((Decision.Act) decision).plan().summary();
  }

  private static String reason(Decision decision) {
    assertThat(decision).as("%s", decision).isInstanceOf(Decision.Hold.class);
    return ((Decision.Hold) decision).reason();
  }

  @Test
  void aNodeIsAddedWhereOneIsBusyAndHasBeenForMinutes() {
    Decision decision = decide(node(0.1, 0.1), node(0.9, 0.8));

    assertThat(summary(decision, Action.AddNode.class))
        .isEqualTo("cpu of n1:1 is 0.90, load5 of n1:1 is 0.80");
  }

  @Test
  void aSpikeThatTheLoadAverageDoesNotShowYetAddsNone() {
    Decision decision = decide(node(0.9, 0.1), node(0.1, 0.1));

    assertThat(reason(decision))
        .isEqualTo(
            "no node is added: load5 of no node is above 0.40, but at most 0.10; none is removed:"
                + " cpu of all nodes is not below 0.15, but at most 0.90");
    assertThat(((Decision.Hold) decision).setting()).isEqualTo("tiramola.add");
  }

  @Test
  void oneAndTheSameNodeMustMeetWhatAnyMayMeet() {
    assertThat(reason(decide(node(0.9, 0.1), node(0.1, 0.9))))
        .contains(
            "cpu is above 0.40, load5 is above 0.40, but not on one and the same node; none is");
  }

  @Test
  void aNodeIsRemovedWhereAllAreIdleAndHaveBeenForMinutes() {
    assertThat(summary(decide(node(0.05, 0.1), node(0.02, 0.0)), Action.RemoveNode.class))
        .isEqualTo("cpu of all nodes is at most 0.05, load5 of all nodes is at most 0.10");
    assertThat(reason(decide(node(0.05, 0.1), node(0.02, 0.3))))
        .endsWith("none is removed: load5 of all nodes is not below 0.15, but at most 0.30");
  }

  @Test
  void whatIsUnknownMeetsNothing() {
    assertThat(reason(decide(node(0.9, Double.NaN), node(0.9, -0.5))))
        .contains("load5 of no node is above 0.40, and unknown of 2 nodes");
    assertThat(reason(decide(node(0.01, 0.01), node(0.01, Double.NaN))))
        .endsWith("load5 of all nodes is not below 0.15, but at most 0.01, and unknown of 1 node");
  }

  @Test
  void limitsOfTheNumberOfNodesAreToldWithTheValues() {
    Settings full = Settings.defaults().with(GuardSettings.builder().maxNodes(1).build());
    assertThat(reason(decide(full, seen(NodeGauges.UNKNOWN, node(0.9, 0.9)))))
        .isEqualTo("cpu of n0:1 is 0.90, load5 of n0:1 is 0.90, but 1 node is the most allowed");
    assertThat(reason(decide(node(0.01, 0.01))))
        .isEqualTo(
            "cpu of all nodes is at most 0.01, load5 of all nodes is at most 0.01, but 1 node is"
                + " the fewest allowed: guard.minNodes is 1");
  }

  @Test
  void withoutTriggersNothingIsDone() {
    Settings none = Settings.defaults().with(new TiramolaSettings(List.of(), List.of()));
    for (double cpu : new double[] {0.01, 0.99}) {
      assertThat(reason(decide(none, seen(NodeGauges.UNKNOWN, node(cpu, cpu), node(cpu, cpu)))))
          .isEqualTo(
              "no node is added: nothing is set that asks for it; none is removed: nothing is set"
                  + " that asks for it");
    }
  }

  /** Heap used to three quarters, 7 compactions and 3 flushes that wait. */
  private static final NodeGauges GAUGES =
      new NodeGauges(-1, 750, 1_000, -1, -1, -1, -1, -1, -1, 7, 3, -1, Map.of());

  private static double valueOf(Metric metric) {
    return switch (metric) {
      case CPU -> 0.5;
      case USAGE -> 0.5 + WAIT;
      case IOWAIT -> WAIT;
      case LOAD5 -> 2.5;
      case HEAP -> 0.75;
      case COMPACTIONS -> 7;
      case FLUSHES -> 3;
    };
  }

  @ParameterizedTest
  @EnumSource
  void eachMetricIsComparedWithEachNodesOwnValue(Metric metric) {
    Observation.Usable seen = seen(GAUGES, node(0.5, 2.5), node(0.5, 2.5));
    double value = valueOf(metric);
    for (Nodes nodes : Nodes.values()) {
      Trigger met = Trigger.above(metric, 0.99 * value, nodes);
      Trigger missed = Trigger.below(metric, 0.99 * value, nodes);
      assertThat(decide(triggers(List.of(met), List.of()), seen)).isInstanceOf(Decision.Act.class);
      assertThat(decide(triggers(List.of(missed), List.of()), seen))
          .isInstanceOf(Decision.Hold.class);
      Trigger less = Trigger.below(metric, Math.min(1.01 * value, value + 0.2), nodes);
      assertThat(summary(decide(triggers(List.of(), List.of(less)), seen), Action.RemoveNode.class))
          .startsWith(metric + " of ")
          .endsWith(metric.text(value));
    }
  }

  private static Settings triggers(List<Trigger> add, List<Trigger> remove) {
    return Settings.defaults().with(new TiramolaSettings(add, remove));
  }

  @Test
  void aTriggerIsCompleteAndWithinItsMetricsRange() {
    assertThatThrownBy(() -> new Trigger(null, 0.5, null, Nodes.ANY))
        .hasMessage(
            "metric is missing: one of cpu, usage, iowait, load5, heap, compactions, flushes");
    assertThatThrownBy(() -> new Trigger(Metric.CPU, 0.5, 0.6, Nodes.ANY))
        .hasMessage("needs either above or below");
    assertThatThrownBy(() -> new Trigger(Metric.CPU, null, null, Nodes.ANY))
        .hasMessage("needs either above or below");
    assertThatThrownBy(() -> new Trigger(Metric.CPU, 0.5, null, null))
        .hasMessage("nodes is missing: any, all");
    assertThatThrownBy(() -> Trigger.above(Metric.HEAP, 1.5, Nodes.ANY))
        .hasMessage("above must be in [0, 1], not 1.5");
    assertThatThrownBy(() -> Trigger.below(Metric.FLUSHES, -1, Nodes.ALL))
        .hasMessage("below must be ≥ 0, not -1.0");
    assertThat(Trigger.below(Metric.LOAD5, 12, Nodes.ALL))
        .hasToString("{metric: load5, below: 12.0, nodes: all}");
  }
}
