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
import io.trimtab.engineapi.snapshot.NodeState;
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
    Rates reads = new Rates(first, 0, 0, 0);
    Observation.Usable one = Rings.seen(Optional.empty(), reads, 0.5, 0.5, 0.5, 0.5);
    List<PartitionState> parts = new ArrayList<>(one.snapshot().partitions());
    Map<PartitionId, Rates> rates = new HashMap<>(one.rates());
    for (PartitionState part : one.snapshot().partitions()) {
      PartitionId id = new PartitionId("k.second", part.id().name());
      parts.add(
          new PartitionState(id, part.node(), PartitionCounters.ZERO, 1, 1, 16_384, KeyRange.ALL));
      rates.put(id, new Rates(second, 0, 0, 0));
    }
    return new Observation.Usable(
        Rings.snapshot(Instant.EPOCH, one.snapshot().nodes(), parts),
        rates,
        one.usage(),
        one.cpu(),
        List.of());
  }

  /** The same with the first few nodes only. */
  private static Observation.Usable of(Observation.Usable all, int nodes) {
    List<NodeState> left = all.snapshot().nodes().subList(0, nodes);
    List<NodeId> names = left.stream().map(NodeState::id).toList();
    List<PartitionState> parts =
        all.snapshot().partitions().stream()
            .filter(p -> p.node().filter(names::contains).isPresent())
            .toList();
    return all.on(Rings.snapshot(Instant.EPOCH, left, parts));
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
    Observation.Usable two = of(ring(300, 100), 2);

    assertThatThrownBy(() -> RingWhatIf.of(two, MODEL, nodes(Optional.of(id(1)), 0)))
        .hasMessage("1 node would be left, and data have 2 copies");
    assertThat(RingWhatIf.of(two, MODEL, nodes(Optional.of(id(1)), 1))).hasSize(3);
    // As where the others are down.
    Observation.Usable one = of(two, 1);
    assertThat(RingWhatIf.of(one, MODEL, scaled(Map.of("k.t", 2.0)))).hasSize(1);
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
                Map.of(new PartitionId("k.t", "p"), id(0))),
            "tokens place the data, so that nothing can be moved");
    refused.forEach(
        (change, why) ->
            assertThatThrownBy(() -> RingWhatIf.of(seen, MODEL, change))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(why));
  }
}
