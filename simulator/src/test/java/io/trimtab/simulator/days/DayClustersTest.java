package io.trimtab.simulator.days;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.models.usage.CostLearner;
import io.trimtab.models.usage.LearnedCosts;
import io.trimtab.models.usage.ScanShape;
import io.trimtab.models.usage.UsageModel.Load;
import io.trimtab.testkit.VirtualClock;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.InMemoryCluster;
import io.trimtab.testkit.law.RequestCosts;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class DayClustersTest {
  private static final long FIRST = 10_001;
  private static final double NEAR = 0.25;

  /** CPU of a read, a missed block, a write, a scan and a row. */
  private static double[] drawn(long seed) {
    RequestCosts costs = DayClusters.spec(seed).costs();
    return new double[] {
      costs.readSeconds(),
      costs.missSeconds(),
      costs.writeSeconds(),
      costs.scanSeconds(),
      costs.rowSeconds()
    };
  }

  /** The same as a policy takes it to be that has seen nothing yet. */
  private static double[] guessed() {
    LearnedCosts costs = CostLearner.NOTHING.costs();
    double read = busy(costs, 1, 1, 0, ScanShape.ONE_ROW, 0);
    double oneRow = busy(costs, 1, 0, 1, ScanShape.ONE_ROW, 0);
    double row = busy(costs, 1, 0, 1, new ScanShape(1, 2, 1, 1), 0) - oneRow;
    return new double[] {
      read,
      busy(costs, 0, 1, 0, ScanShape.ONE_ROW, 0) - read,
      busy(costs, 1, 0, 0, ScanShape.ONE_ROW, 1),
      oneRow - row,
      row
    };
  }

  private static double busy(
      LearnedCosts costs, double hits, double reads, double scans, ScanShape scan, double writes) {
    double idle = costs.parts(Load.NONE).orElseThrow().cpu();
    return costs.parts(new Load(hits, reads, scans, scan, writes, 0)).orElseThrow().cpu() - idle;
  }

  @Test
  void whatRequestsCostIsOfEachClusterItsOwn() {
    Set<Double> reads = new HashSet<>();
    int near = 0;
    for (long seed = FIRST; seed < FIRST + 50; seed++) {
      double[] costs = drawn(seed);
      double[] guessed = guessed();
      reads.add(costs[0]);
      near +=
          IntStream.range(0, costs.length)
                  .allMatch(i -> Math.abs(costs[i] / guessed[i] - 1) <= NEAR)
              ? 1
              : 0;
    }
    assertThat(reads).hasSizeGreaterThan(40);
    assertThat(near).as("clusters whose costs a policy knows beforehand").isLessThan(5);
  }

  /** Dear requests come less often: else a law would only make clusters too small or too large. */
  @Test
  void clustersAreUsedAsMuchWhateverRequestsCost() throws Exception {
    double[] used =
        LongStream.range(FIRST, FIRST + 30).mapToDouble(DayClustersTest::used).sorted().toArray();

    // Left to costs that differ eightfold, some would idle and others be full all day.
    assertThat(used[2]).as("of those that are used least").isBetween(0.15, 0.3);
    assertThat(used[15]).isBetween(0.3, 0.5);
    assertThat(used[27]).as("of those that are used most").isBetween(0.5, 0.7);
  }

  /** Mean over a day and the nodes, where nobody acts. */
  private static double used(long seed) {
    VirtualClock clock = new VirtualClock();
    InMemoryCluster cluster = new InMemoryCluster(DayClusters.spec(seed), clock);
    double sum = 0;
    int looks = 0;
    for (int i = 0; i < 24 * 6; i++) {
      clock.advance(Duration.ofMinutes(10));
      for (NodeState node : cluster.truth().nodes()) {
        sum += node.usage().server();
        looks++;
      }
    }
    return sum / looks;
  }

  /** What was once looked at is found again by its seed. */
  @Test
  void theLawIsDrawnBesideAllElse() {
    ClusterSpec spec = DayClusters.spec(FIRST);

    assertThat(spec.nodes()).isEqualTo(8);
    assertThat(spec.heapBytes()).isEqualTo(536_870_912);
    assertThat(spec.tables().stream().map(table -> table.bytes()))
        .containsExactly(1_548_430_897L, 1_957_127_562L, 4_022_976_417L, 3_223_886_515L);
    assertThat(spec.tables().get(1).keys().between(0, 0.3, 50_000)).isCloseTo(0.637, within(0.001));
  }

  @Test
  void blockCountsAreAsChanceMakesThem() {
    assertThat(DayClusters.spec(FIRST).chance()).isTrue();
  }
}
