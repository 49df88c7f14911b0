package io.trimtab.controller.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.controller.Rings;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.place.Hardware.Fit;
import io.trimtab.controller.place.Hardware.Kind;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.models.usage.UsageModel;
import io.trimtab.models.usage.UsageModel.Load;
import io.trimtab.models.usage.UsageModel.ReadPoint;
import io.trimtab.models.usage.UsagePredictor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** How many nodes of other kinds a ring's load needs. */
class RingHardwareTest {
  private static final double IDLE = 0.1;
  private static final long CACHE = 100 << 20;

  /**
   * Of reads.
   *
   * @param power how many times the reads of a small node it does
   * @param cacheBytes of its cache of rows
   */
  private static UsageModel model(String engine, double power, long cacheBytes) {
    return new UsageModel(
        UsageModel.SCHEMA,
        engine,
        new TreeMap<>(Map.of("cacheBytes", Long.toString(cacheBytes))),
        IDLE,
        reads(power),
        List.of(),
        null,
        null);
  }

  /** A small node takes half a millisecond for a read, and four for a miss. */
  private static List<ReadPoint> reads(double power) {
    List<ReadPoint> points = new ArrayList<>();
    for (double hits : new double[] {1, 0.5, 0.25}) {
      for (double level : new double[] {0.35, 0.6, 0.8}) {
        double each = 0.5e-3 + 4e-3 * (1 - hits);
        points.add(new ReadPoint(hits, level, power * (level - IDLE) / each, List.of()));
      }
    }
    return points;
  }

  private static Kind kind(String name, double power, long cacheBytes, double price) {
    return new Kind(name, model("cassandra", power, cacheBytes), OptionalDouble.of(price));
  }

  /** Four nodes with two copies, whose caches of rows hit so many of a thousand reads. */
  private static Observation.Usable ring(double readsEach, int hits) {
    Observation.Usable seen =
        Rings.seen(Optional.empty(), new Rates(readsEach, 0, 0, 0), 0.5, 0.5, 0.5, 0.5);
    ClusterSnapshot now = seen.snapshot();
    NodeGauges gauges =
        new NodeGauges(
            -1, -1, 4 * CACHE, hits, 1_000 - hits, -1, CACHE, -1, -1, -1, -1, -1, Map.of());
    List<NodeState> nodes =
        now.nodes().stream().map(node -> node.with(node.usage(), gauges)).toList();
    return seen.on(now.with(nodes, now.partitions(), now.gaps()));
  }

  private static List<Fit> ask(Observation.Usable seen, Settings settings, Kind... kinds) {
    return RingHardware.of(seen, List.of(kinds), Map.of(), settings);
  }

  private static Settings most(int nodes) {
    return Settings.defaults().with(GuardSettings.builder().maxNodes(nodes).build());
  }

  @Test
  void ofEachKindAsManyAsShareTheLoadBelowTheTarget() {
    Observation.Usable seen = ring(1_800, 1_000);
    Kind small = kind("small", 1, 4 * CACHE, 1);
    Kind large = kind("large", 4, 4 * CACHE, 5);
    List<Fit> fits = ask(seen, most(20), large, small);

    assertThat(fits)
        .extracting(Fit::name)
        .as("the cheapest first")
        .containsExactly("small", "large");
    int nodes = fits.get(0).nodes().getAsInt();
    assertThat(nodes).isBetween(6, 7);
    assertThat(fits.get(0).price()).isEqualTo(nodes);
    assertThat(fits.get(0).most())
        .isCloseTo(
            new UsagePredictor(small.model()).usage(Load.withoutScans(1, 7_200.0 / nodes, 0, 0)),
            within(1e-9))
        .isLessThanOrEqualTo(0.70);
    assertThat(fits.get(1).nodes()).as("as many as there are copies").hasValue(2);
    assertThat(RingHardware.of(seen, List.of(small), Map.of("k.t", 2.0), most(20)).get(0).nodes())
        .hasValue(2 * nodes);
  }

  /** With the same cache each, more nodes hold more of the rows. */
  @Test
  void whatAnotherCacheHitsCounts() {
    Observation.Usable seen = ring(300, 500);
    List<Fit> fits =
        ask(seen, most(40), kind("same", 1, CACHE, 1), kind("more", 1, 3 * CACHE, 1.01));

    assertThat(fits.get(0).name()).isEqualTo("more");
    assertThat(fits.get(0).nodes().getAsInt()).isLessThan(fits.get(1).nodes().getAsInt());
    double share = 4.0 / fits.get(1).nodes().getAsInt();
    assertThat(fits.get(1).most())
        .as("not with the hit ratio of four nodes")
        .isLessThan(
            new UsagePredictor(model("cassandra", 1, CACHE))
                .usage(Load.withoutScans(0.5, 300 * share, 0, 0)));
  }

  @Test
  void whyAKindDoesNotHoldTheLoadIsTold() {
    List<Fit> fits = ask(ring(1_800, 1_000), most(5), kind("small", 1, CACHE, 1));

    assertThat(fits.get(0).nodes()).isEmpty();
    assertThat(fits.get(0).why())
        .matches(
            "even of 5 nodes \\(guard.maxNodes\\) the most used would be at \\d+\\.\\d %,"
                + " more than the target of 70 %");
  }

  @Test
  void whatMakesNoSenseIsOneLine() {
    Observation.Usable seen = ring(100, 500);
    Kind other = new Kind("h.json", model("hbase", 1, CACHE), OptionalDouble.empty());

    assertThatThrownBy(() -> ask(seen, most(5), other))
        .hasMessage("the load is of cassandra, h.json is a model of hbase");
    assertThatThrownBy(
            () ->
                RingHardware.of(
                    seen, List.of(kind("small", 1, CACHE, 1)), Map.of("k.u", 2.0), most(5)))
        .hasMessage("there is no table k.u");
  }
}
