package io.trimtab.controller.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.controller.learn.CostSamples;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeLimits;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.engineapi.snapshot.WaitSource;
import io.trimtab.models.usage.LearnedNodes;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.InMemoryCluster;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.LoadScript;
import io.trimtab.testkit.load.TableSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class LoadRecordTest {
  private static final Duration PERIOD = Duration.ofSeconds(30);
  private static final double READ = 80e-6;

  private static InMemoryCluster cluster() {
    TableSpec small =
        TableSpec.of("t", 6, 16 << 20, Access.NONE)
            .with(LoadScript.steps(Access.reads(4_000), Duration.ofMinutes(20), 1, 2, 0.5, 3, 1.5));
    return new InMemoryCluster(ClusterSpec.assigned(1, 3, small));
  }

  private static ClusterSnapshot next(InMemoryCluster cluster) throws Exception {
    cluster.clock().advance(PERIOD);
    return cluster.engine().snapshot();
  }

  @Test
  void whatAReadCostsIsLearnedFromNodesThatServe() throws Exception {
    InMemoryCluster cluster = cluster();
    LoadRecord record = LoadRecord.NOTHING;
    assertThat(record.costs()).isEmpty();
    for (int i = 0; i < 240; i++) {
      record = record.with(next(cluster));
    }

    assertThat(record.costs().orElseThrow().together().costs()[0])
        .isCloseTo(READ, within(0.1 * READ));
  }

  /** Its compiler works, and takes as much as the requests of several nodes. */
  @Test
  void whatANewProcessUsesForItselfIsNotTakenForWhatRequestsCost() throws Exception {
    InMemoryCluster cluster = cluster();
    LoadRecord learned = LoadRecord.NOTHING;
    LoadRecord all = LoadRecord.NOTHING;
    History history = History.EMPTY;
    for (int i = 0; i < 80; i++) {
      ClusterSnapshot seen = next(cluster);
      if (i > 50 && i <= 60) {
        seen = with(seen, 0, n -> n.with(compiling(n.usage()), n.gauges()));
      }
      history = history.append(seen, ObserveSettings.builder().build());
      learned = learned.with(seen, history.cold().unexplained());
      all = all.with(seen);
      if (i == 50) {
        NodeId first = seen.nodes().get(0).id();
        cluster.kill(first);
        cluster.start(first);
      }
    }

    assertThat(all.costs().orElseThrow().together().costs()[0]).isGreaterThan(1.12 * READ);
    assertThat(learned.costs().orElseThrow().together().costs()[0])
        .isCloseTo(READ, within(0.1 * READ));
  }

  private static NodeUsage compiling(NodeUsage u) {
    return new NodeUsage(
        Math.min(0.98, u.cpuUser() + 0.8), 0, u.ioWait(), u.load5(), u.waitSource());
  }

  @Test
  void aNodeThatWasChangedMeanwhileTellsNothing() throws Exception {
    InMemoryCluster cluster = cluster();
    next(cluster);
    ClusterSnapshot before = next(cluster);
    PartitionState first = before.partitions().get(0);
    NodeId from = first.node().orElseThrow();
    NodeId to =
        before.liveNodes().stream().map(n -> n.id()).filter(n -> !n.equals(from)).findFirst().get();
    assertThat(CostSamples.between(before, next(cluster))).hasSize(3);

    ClusterSnapshot unmoved = next(cluster);
    cluster.engine().move(first.id(), to, Duration.ofMinutes(1));
    assertThat(CostSamples.between(unmoved, next(cluster))).hasSize(1).doesNotContainKeys(from, to);
  }

  private static ClusterSnapshot from(WaitSource source, ClusterSnapshot seen) {
    return seen.with(
        seen.nodes().stream()
            .map(
                n -> {
                  NodeUsage u = n.usage();
                  return n.with(
                      new NodeUsage(u.cpuUser(), u.cpuSystem(), u.ioWait(), u.load5(), source),
                      n.gauges());
                })
            .toList(),
        seen.partitions(),
        seen.gaps());
  }

  /** Half of the samples would be of another kind of usage, and the costs of neither. */
  @Test
  void costsFromAnotherKindOfWaitAreForgotten() throws Exception {
    InMemoryCluster cluster = cluster();
    LoadRecord record = LoadRecord.NOTHING;
    for (int i = 0; i < 20; i++) {
      record = record.with(next(cluster));
    }
    double weight = record.costs().orElseThrow().together().weight();

    ClusterSnapshot gap = next(cluster);
    record =
        record.with(
            gap.with(
                gap.nodes().stream().map(n -> n.with(NodeUsage.UNKNOWN, n.gauges())).toList(),
                gap.partitions(),
                gap.gaps()));
    assertThat(record.costs().orElseThrow().together().weight())
        .isCloseTo(weight, within(0.1 * weight));
    record = record.with(from(WaitSource.READS_BY_LIMIT, next(cluster)));

    assertThat(record.costs().orElseThrow().together().weight()).isLessThan(0.2 * weight);
  }

  /** The same with one node changed. */
  private static ClusterSnapshot with(ClusterSnapshot seen, int node, UnaryOperator<NodeState> to) {
    List<NodeState> nodes = new ArrayList<>(seen.nodes());
    nodes.set(node, to.apply(nodes.get(node)));
    return seen.with(nodes, seen.partitions(), seen.gaps());
  }

  /** One whose source comes and goes must not make all others forget. */
  @Test
  void aNodeWhoseWaitIsFromAnotherSourceLeavesWhatOthersHaveShown() throws Exception {
    InMemoryCluster cluster = cluster();
    LoadRecord record = LoadRecord.NOTHING;
    for (int i = 0; i < 40; i++) {
      boolean flaps = i % 2 == 1;
      record =
          record.with(
              with(
                  next(cluster),
                  0,
                  n -> {
                    NodeUsage u = n.usage();
                    WaitSource source = flaps ? WaitSource.READS_BY_LIMIT : u.waitSource();
                    return n.with(
                        new NodeUsage(u.cpuUser(), u.cpuSystem(), u.ioWait(), u.load5(), source),
                        n.gauges());
                  }));
    }

    LoadRecord.Kept kept = record.kept().orElseThrow();
    assertThat(kept.learned().kinds()).hasSize(2);
    // 39 samples of three nodes, of which one has half of its own elsewhere; and some hours' decay.
    assertThat(record.costs().orElseThrow().together().weight()).isBetween(90.0, 98.0);
    assertThat(weight(kept)).isBetween(108.0, 117.0);
  }

  /** On a node with four times the cores the same read is a quarter of the share. */
  @Test
  void eachKindOfNodeHasItsOwnCosts() throws Exception {
    InMemoryCluster cluster = cluster();
    LoadRecord record = LoadRecord.NOTHING;
    for (int i = 0; i < 240; i++) {
      ClusterSnapshot seen = next(cluster);
      for (int node = 0; node < 3; node++) {
        double share = node == 0 ? 0.25 : 1;
        int cores = node == 0 ? 16 : 4;
        seen =
            with(
                seen,
                node,
                n -> {
                  NodeUsage u = n.usage();
                  return n.with(
                      new NodeUsage(
                          share * u.cpuUser(),
                          share * u.cpuSystem(),
                          share * u.ioWait(),
                          u.load5(),
                          u.waitSource(),
                          NodeLimits.ofCores(cores)),
                      n.gauges());
                });
      }
      record = record.with(seen);
    }

    LearnedNodes learned = record.costs().orElseThrow();
    List<String> names =
        cluster.engine().snapshot().nodes().stream().map(n -> n.id().name()).toList();
    assertThat(learned.kinds(names)).isEqualTo(2);
    assertThat(learned.of(names.get(0)).costs()[0]).isCloseTo(0.25 * READ, within(0.05 * READ));
    assertThat(learned.of(names.get(1)).costs()[0]).isCloseTo(READ, within(0.15 * READ));
    assertThat(learned.of(names.subList(1, 3))).isSameAs(learned.of(names.get(2)));
    assertThat(learned.of(names)).isSameAs(learned.together());
  }

  @Test
  void aTableThatIsGoneIsForgotten() throws Exception {
    InMemoryCluster cluster = cluster();
    ObserveSettings settings = ObserveSettings.builder().build();
    History history = History.EMPTY;
    LoadRecord record = LoadRecord.NOTHING;
    for (int i = 0; i < 30; i++) {
      history = history.append(next(cluster), settings);
      Observation seen = Observation.of(history, cluster.clock().instant(), settings);
      if (seen instanceof Observation.Usable usable) {
        record = record.with(usable);
      }
    }
    assertThat(record.outlooks(Duration.ofHours(1))).containsOnlyKeys("t");

    LoadRecord at = record.with(without(cluster.engine().snapshot()));
    assertThat(at.outlooks(Duration.ofHours(1))).as("it may be disabled").containsOnlyKeys("t");
    cluster.clock().advance(Duration.ofHours(2));
    assertThat(at.with(without(cluster.engine().snapshot())).outlooks(Duration.ofHours(1)))
        .isEmpty();
  }

  /** A look at which no table has any partitions. */
  private static Observation.Usable without(ClusterSnapshot snapshot) {
    return new Observation.Usable(snapshot, Map.of(), Map.of(), Map.of(), List.of());
  }

  private static double weight(LoadRecord.Kept kept) {
    return kept.learned().kinds().values().stream()
        .mapToDouble(kind -> kind.costs().weight())
        .sum();
  }

  @Test
  void whatWasKeptGoesOnAndCountsLessTheOlderItIs() throws Exception {
    InMemoryCluster cluster = cluster();
    LoadRecord record = LoadRecord.NOTHING;
    assertThat(record.kept()).isEmpty();
    for (int i = 0; i < 120; i++) {
      record = record.with(next(cluster));
    }
    LoadRecord.Kept kept = record.kept().orElseThrow();
    LoadRecord again = LoadRecord.of(kept);
    assertThat(again.costs().orElseThrow().together().costs())
        .isEqualTo(record.costs().get().together().costs());

    cluster.clock().advance(Duration.ofHours(6));
    LoadRecord later = again.with(cluster.engine().snapshot());
    double weight = weight(kept);
    assertThat(weight(later.kept().orElseThrow()))
        .isCloseTo(weight / Math.E, within(0.01 * weight));
  }
}
