package io.trimtab.controller.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.controller.RandomCluster;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Rates;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.UsageSettings;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.models.usage.UsageModel;
import io.trimtab.models.usage.UsageModel.ReadPoint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class HardwareTest {
  private static final int PARTITIONS = 8;
  private static final int BLOCKS = 400;
  private static final double BLOCK = UsagePackingTest.BLOCK;
  private static final NodeId NODE = new NodeId("node0:1");

  /** Eight partitions of a table that are read uniformly, on one node. */
  private static Observation.Usable seen(double reads) {
    return seen(reads, PARTITIONS, 1);
  }

  private static Observation.Usable seen(double reads, int number, int replication) {
    List<PartitionState> partitions = new ArrayList<>();
    Map<PartitionId, Rates> rates = new HashMap<>();
    List<BlockHistogram> blocks = new ArrayList<>();
    for (int i = 0; i < number; i++) {
      PartitionId id = new PartitionId("t", "p" + i);
      partitions.add(
          new PartitionState(
              id,
              Optional.of(NODE),
              PartitionCounters.ZERO,
              (long) (BLOCKS * BLOCK),
              1,
              32 << 10,
              new KeyRange(RowKey.of(new byte[] {(byte) (i >> 8), (byte) i}), RowKey.EMPTY)));
      rates.put(id, new Rates(reads, 0, 0, 0));
      blocks.add(BlockHistogram.ofReads(id, List.of(new BlockHistogram.Bin(500, BLOCKS)), BLOCK));
    }
    var nodes = List.of(RandomCluster.node(NODE, Profile.READ, true));
    var snapshot =
        new ClusterSnapshot(
            RandomCluster.NOW,
            "test",
            "hbase",
            Ownership.ASSIGNED,
            "2.6.4",
            replication,
            nodes,
            partitions,
            0,
            List.of(),
            new BalancerState(true, true),
            List.of());
    var usage = Map.of(NODE, 0.5);
    return new Observation.Usable(snapshot, rates, usage, usage, List.of()).withBlocks(blocks);
  }

  /**
   * @param power how many times the requests of a small node it serves
   * @param blocks that its cache holds
   */
  private static UsageModel model(double power, int blocks) {
    UsageModel small = UsagePackingTest.model();
    List<ReadPoint> reads =
        small.reads().stream()
            .map(p -> new ReadPoint(p.hitRatio(), p.level(), power * p.opsPerSecond(), List.of()))
            .toList();
    var fingerprint = new TreeMap<>(Map.of("cacheBytes", Long.toString((long) (blocks * BLOCK))));
    return new UsageModel(
        UsageModel.SCHEMA, "hbase", fingerprint, small.idle(), reads, List.of(), null, null);
  }

  private static Hardware.Kind kind(String name, double power, int blocks, double price) {
    OptionalDouble known = Double.isNaN(price) ? OptionalDouble.empty() : OptionalDouble.of(price);
    return new Hardware.Kind(name, model(power, blocks), known);
  }

  private static List<Hardware.Fit> ask(double reads, Settings settings, Hardware.Kind... kinds) {
    return Hardware.of(seen(reads), List.of(kinds), Map.of(), settings);
  }

  /** Two partitions fit the small cache, all the large one; a read that misses costs 8 ms. */
  @Test
  void eachKindHasItsOwnCache() {
    List<Hardware.Fit> fits =
        ask(
            80,
            Settings.defaults(),
            kind("small", 1, 2 * BLOCKS + 100, Double.NaN),
            kind("large", 1, PARTITIONS * BLOCKS + 400, Double.NaN));

    assertThat(fits).extracting(Hardware.Fit::name).containsExactly("large", "small");
    assertThat(fits.get(0).nodes()).hasValue(1);
    assertThat(fits.get(1).nodes().getAsInt()).isGreaterThan(1).isLessThanOrEqualTo(4);
    assertThat(fits).allMatch(fit -> fit.most() <= 0.70 && fit.why().isEmpty());
    assertThat(fits).allMatch(fit -> Double.isNaN(fit.price()));
  }

  @Test
  void theCheapestComesFirstNotTheFewest() {
    Hardware.Kind small = kind("small", 1, PARTITIONS * BLOCKS + 400, 0.20);
    Hardware.Kind large = kind("large", 4, PARTITIONS * BLOCKS + 400, 0.75);
    // All hit: 8 x 1,000 reads of 0.2 ms are 1.6 of a small node.
    List<Hardware.Fit> fits = ask(1_000, Settings.defaults(), large, small);

    assertThat(fits).extracting(Hardware.Fit::name).containsExactly("small", "large");
    assertThat(fits.get(0).nodes()).hasValue(3);
    assertThat(fits.get(0).price()).isEqualTo(3 * 0.20);
    assertThat(fits.get(1).nodes()).hasValue(1);
    assertThat(fits.get(1).price()).isEqualTo(0.75);
  }

  @Test
  void whyAKindDoesNotDoIsTold() {
    Hardware.Kind weak = kind("weak", 0.2, PARTITIONS * BLOCKS + 400, 0.01);
    Hardware.Kind good = kind("good", 4, PARTITIONS * BLOCKS + 400, 9);
    List<Hardware.Fit> fits = ask(1_000, Settings.defaults(), weak, good);

    assertThat(fits).extracting(Hardware.Fit::name).containsExactly("good", "weak");
    assertThat(fits.get(1).nodes()).isEmpty();
    assertThat(fits.get(1).why())
        .matches(
            "partition t/p0 alone would use 10\\d\\.\\d % of a node, more than the target of 70 %");

    Settings two = Settings.defaults().with(GuardSettings.builder().maxNodes(2).build());
    Hardware.Kind small = kind("small", 1, PARTITIONS * BLOCKS + 400, 0.01);
    assertThat(ask(1_000, two, small).get(0).why())
        .matches(
            "even of 2 nodes \\(guard.maxNodes\\) the most used would be at 8\\d\\.\\d %,"
                + " more than the target of 70 %");
  }

  private static String why(Observation.Usable seen, int maxNodes) {
    Settings limits =
        Settings.defaults()
            .with(GuardSettings.builder().maxNodes(maxNodes).build())
            .with(UsageSettings.builder().predictions(0).build());
    Hardware.Kind small = kind("small", 1, PARTITIONS * BLOCKS + 400, 0.01);
    return Hardware.of(seen, List.of(small), Map.of(), limits).get(0).why();
  }

  /** Each partition takes nearly all of a node that the target leaves. */
  @Test
  void theBoundThatIsReachedIsNamed() {
    Observation.Usable many = seen(3_380, 1_010, 1);
    assertThat(why(many, 10_000)).startsWith("even of 1000 nodes (more are not tried) the most");
    assertThat(why(many, 1_000)).startsWith("even of 1000 nodes (guard.maxNodes) the most used");
    assertThat(why(seen(3_380, 6, 5), 2)).startsWith("even of 5 nodes (one for each replica) the");
    assertThat(why(seen(3_380, 6, 5), 5)).startsWith("even of 5 nodes (guard.maxNodes) the most");
  }

  @Test
  void theTargetTheScaleAndTheFewestNodesAreTheSettings() {
    Hardware.Kind small = kind("small", 1, PARTITIONS * BLOCKS + 400, 0.01);
    Settings lower = Settings.defaults().with(UsageSettings.builder().target(0.45).build());
    assertThat(ask(1_000, lower, small).get(0).nodes()).hasValue(4);
    Settings five = Settings.defaults().with(GuardSettings.builder().minNodes(5).build());
    assertThat(ask(1_000, five, small).get(0).nodes()).hasValue(5);

    assertThat(ask(500, Settings.defaults(), small).get(0).nodes()).hasValue(2);
    List<Hardware.Fit> twice =
        Hardware.of(seen(500), List.of(small), Map.of("t", 2.0), Settings.defaults());
    assertThat(twice.get(0).nodes()).hasValue(3);
    assertThatThrownBy(
            () -> Hardware.of(seen(5), List.of(small), Map.of("u", 2.0), Settings.defaults()))
        .hasMessage("there is no table u");
  }

  @Test
  void modelsThatCanNotBeUsedAreNamed() {
    UsageModel plain = UsagePackingTest.model();
    assertThatThrownBy(() -> new Hardware.Kind("old.json", plain, OptionalDouble.empty()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "old.json: fingerprint.cacheBytes must be the size of a node's cache in bytes, not ''");

    var fingerprint = new TreeMap<>(Map.of("cacheBytes", "1000000"));
    UsageModel ring =
        new UsageModel(
            UsageModel.SCHEMA, "cassandra", fingerprint, 0.02, plain.reads(), null, null, null);
    Hardware.Kind kind = new Hardware.Kind("ring.json", ring, OptionalDouble.empty());
    assertThatThrownBy(() -> ask(10, Settings.defaults(), kind))
        .hasMessage("the load is of hbase, ring.json is a model of cassandra");
  }
}
