package io.trimtab.controller.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.controller.Rings;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.place.WhatIf.Change;
import io.trimtab.controller.place.WhatIf.NodeForecast;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.models.usage.UsageModel;
import io.trimtab.models.usage.UsageModel.Load;
import io.trimtab.models.usage.UsageModel.ReadPoint;
import io.trimtab.models.usage.UsagePredictor;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What nodes of a ring would use. */
class RingWhatIfTest {
  private static final double IDLE = 0.2;
  private static final Change NOTHING =
      new Change(Optional.empty(), 0, Map.of(), OptionalDouble.empty(), Map.of());

  /** Of cached reads, each of which takes half a millisecond. */
  private static final UsageModel MODEL =
      new UsageModel(
          UsageModel.SCHEMA,
          "cassandra",
          new TreeMap<>(),
          IDLE,
          List.of(new ReadPoint(1, IDLE + 0.5, 1_000, List.of())),
          List.of(),
          null,
          null);

  /** Four nodes with two tables, of which each is asked for so many reads a second. */
  private static Observation.Usable ring(double first, double second) {
    List<NodeState> nodes = new ArrayList<>();
    List<PartitionState> parts = new ArrayList<>();
    Map<NodeId, Double> used = new HashMap<>();
    Map<PartitionId, Rates> rates = new HashMap<>();
    for (int i = 0; i < 4; i++) {
      NodeId id = id(i);
      NodeUsage now = new NodeUsage(0.5, 0, 0, 0.5);
      nodes.add(
          new NodeState(id, 1, true, false, Optional.empty(), false, now, NodeGauges.UNKNOWN));
      used.put(id, 0.5);
      for (String table : List.of("k.first", "k.second")) {
        PartitionId part = new PartitionId(table, id.name());
        parts.add(
            new PartitionState(
                part, Optional.of(id), PartitionCounters.ZERO, 1, 1, 16_384, KeyRange.ALL));
        rates.put(part, new Rates(table.equals("k.first") ? first : second, 0, 0, 0));
      }
    }
    return new Observation.Usable(
        Rings.snapshot(Instant.EPOCH, nodes, parts), rates, used, used, List.of());
  }

  private static NodeId id(int node) {
    return new NodeId("n" + node + ":9042");
  }

  private static Change nodes(Optional<NodeId> without, int added) {
    return new Change(without, added, Map.of(), OptionalDouble.empty(), Map.of());
  }

  private static Change scaled(Map<String, Double> factors) {
    return new Change(Optional.empty(), 0, factors, OptionalDouble.empty(), Map.of());
  }

  private static NodeForecast of(List<NodeForecast> all, String name) {
    return all.stream().filter(n -> n.node().name().equals(name)).findFirst().orElseThrow();
  }

  /** By the model. */
  private static double reading(double perSecond) {
    return new UsagePredictor(MODEL).usage(Load.withoutScans(1, perSecond, 0, 0));
  }

  @Test
  void nodesShareTheLoadOfNow() {
    Observation.Usable seen = ring(300, 300);
    NodeForecast now = of(RingWhatIf.of(seen, MODEL, NOTHING), "n0:9042");
    List<NodeForecast> more = RingWhatIf.of(seen, MODEL, nodes(Optional.empty(), 2));
    List<NodeForecast> fewer = RingWhatIf.of(seen, MODEL, nodes(Optional.of(id(3)), 0));

    assertThat(now.before()).isCloseTo(reading(600), within(1e-9)).isGreaterThan(IDLE + 0.3);
    assertThat(now.after()).isEqualTo(now.before());
    assertThat(more).hasSize(6);
    assertThat(of(more, "n0:9042").after()).isCloseTo(reading(400), within(1e-9));
    assertThat(of(more, "new-2").after()).isCloseTo(reading(400), within(1e-9));
    assertThat(of(more, "new-1").before()).isNaN();
    assertThat(of(fewer, "n0:9042").after()).isCloseTo(reading(800), within(1e-9));
    assertThat(of(fewer, "n3:9042").after()).isNaN();
  }

  @Test
  void aTableIsAskedForMore() {
    List<NodeForecast> three =
        RingWhatIf.of(ring(300, 100), MODEL, scaled(Map.of("k.second", 3.0)));

    assertThat(of(three, "n1:9042").before()).isCloseTo(reading(400), within(1e-9));
    assertThat(of(three, "n1:9042").after()).isCloseTo(reading(600), within(1e-9));
  }

  @Test
  void noFewerNodesAreLeftThanThereAreCopies() {
    Observation.Usable four = ring(300, 100);
    Observation.Usable two =
        four.on(
            Rings.snapshot(
                Instant.EPOCH,
                four.snapshot().nodes().subList(0, 2),
                four.snapshot().partitions().subList(0, 4)));

    assertThatThrownBy(() -> RingWhatIf.of(two, MODEL, nodes(Optional.of(id(1)), 0)))
        .hasMessage("1 node would be left, and data have 2 copies");
    assertThat(RingWhatIf.of(two, MODEL, nodes(Optional.of(id(1)), 1))).hasSize(3);
    // As where the others are down.
    Observation.Usable one =
        four.on(
            Rings.snapshot(
                Instant.EPOCH,
                four.snapshot().nodes().subList(0, 1),
                four.snapshot().partitions().subList(0, 2)));
    assertThat(RingWhatIf.of(one, MODEL, scaled(Map.of("k.first", 2.0)))).hasSize(1);
  }

  @Test
  void whatMakesNoSenseIsOneLine() {
    Observation.Usable seen = ring(300, 100);
    Map<Change, String> refused =
        Map.of(
            nodes(Optional.of(id(7)), 0),
            "there is no live node n7:9042",
            scaled(Map.of("k.third", 2.0)),
            "there is no table k.third",
            new Change(Optional.empty(), 0, Map.of(), OptionalDouble.of(0.3), Map.of()),
            "what other row caches would hit is not known, as nothing tells which rows are asked"
                + " for",
            new Change(
                Optional.empty(),
                0,
                Map.of(),
                OptionalDouble.empty(),
                Map.of(new PartitionId("k.first", "p"), id(0))),
            "tokens place the data, so that nothing can be moved");
    refused.forEach(
        (change, why) ->
            assertThatThrownBy(() -> RingWhatIf.of(seen, MODEL, change))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(why));
  }
}
