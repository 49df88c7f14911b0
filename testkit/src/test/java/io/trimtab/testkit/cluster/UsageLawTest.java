package io.trimtab.testkit.cluster;

import static io.trimtab.testkit.cluster.SmallCluster.after;
import static io.trimtab.testkit.cluster.SmallCluster.assigned;
import static io.trimtab.testkit.cluster.SmallCluster.first;
import static io.trimtab.testkit.cluster.SmallCluster.node;
import static io.trimtab.testkit.cluster.SmallCluster.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.testkit.law.LruSimulation;
import io.trimtab.testkit.law.RequestCosts;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.KeyDistribution;
import io.trimtab.testkit.load.LoadScript;
import io.trimtab.testkit.load.TableSpec;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What requests cost, and what it costs to know it. */
class UsageLawTest {
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final Duration PERIOD = Duration.ofSeconds(30);

  private static double hitRatio(InMemoryCluster cluster, NodeId node, Duration over)
      throws EngineException {
    var a = cluster.engine().snapshot().node(node).orElseThrow().gauges();
    var b = after(cluster, over).node(node).orElseThrow().gauges();
    double hits = b.cacheHits() - a.cacheHits();
    return hits / (hits + b.cacheMisses() - a.cacheMisses());
  }

  @Test
  void aCacheThatHoldsHalfOfUniformDataHitsHalf() throws EngineException {
    long cache = (long) (0.39 * (1 << 30));
    InMemoryCluster cluster = assigned(1, read(4, 2 * cache, 1_000));
    cluster.clock().advance(Duration.ofMinutes(10));
    assertThat(hitRatio(cluster, node(1), Duration.ofMinutes(5))).isCloseTo(0.5, within(0.03));
  }

  @Test
  void theUnitsHitAsOftenAsTheBlocksThatTheyStandFor() {
    // 20,000 blocks of skew 0.6 against the 500 units that the law draws.
    double[] coarse = popularity(500, 0.6);
    double[] fine = popularity(20_000, 0.6);
    for (double cached : new double[] {0.1, 0.3, 0.6}) {
      double units = hits(coarse, (int) (cached * coarse.length));
      double blocks = hits(fine, (int) (cached * fine.length));
      assertThat(units).as("cache of %s", cached).isCloseTo(blocks, within(0.03));
    }
  }

  private static double[] popularity(int n, double skew) {
    double[] p = new double[n];
    for (int i = 0; i < n; i++) {
      p[i] = Math.pow((i + 1.0) / n, 1 - skew) - Math.pow((double) i / n, 1 - skew);
    }
    return p;
  }

  private static double hits(double[] popularity, int capacity) {
    return LruSimulation.run(
            popularity, new int[popularity.length], 1, capacity, new java.util.SplittableRandom(1))
        .hitRatio()[0];
  }

  @Test
  void aMovedPartitionIsColdAndWarmsUp() throws EngineException {
    InMemoryCluster cluster = assigned(2, read(2, 200_000_000, 200));
    cluster.clock().advance(Duration.ofHours(1));
    double warm = hitRatio(cluster, node(1), Duration.ofSeconds(10));
    for (PartitionState p : cluster.engine().snapshot().partitions()) {
      cluster.engine().move(p.id(), node(2), LIMIT);
    }
    for (PartitionState p : cluster.engine().snapshot().partitions()) {
      cluster.engine().move(p.id(), node(1), LIMIT);
    }
    double cold = hitRatio(cluster, node(1), Duration.ofSeconds(2));
    cluster.clock().advance(Duration.ofHours(1));
    double again = hitRatio(cluster, node(1), Duration.ofSeconds(10));
    assertThat(warm).isGreaterThan(0.95);
    assertThat(cold).isLessThan(0.5);
    assertThat(again).isGreaterThan(0.95);
  }

  @Test
  void usageGrowsWithLoadMissesAndDistance() throws EngineException {
    double light = usage(read(4, 100_000_000, 500));
    double heavy = usage(read(4, 100_000_000, 5_000));
    double missing = usage(read(4, 4L << 30, 500));
    assertThat(heavy).isGreaterThan(2 * light);
    assertThat(missing).isGreaterThan(1.5 * light);
    assertThat(usage(read(4, 4L << 30, 1e6))).isBetween(0.95, 1.0);
  }

  private static double usage(TableSpec table) throws EngineException {
    InMemoryCluster cluster = assigned(1, table);
    return after(cluster, Duration.ofHours(2)).nodes().get(0).usage().server();
  }

  private static RequestCosts costs(double remoteFactor, double memstorePower) {
    return new RequestCosts(
        80e-6, 0, 100e-6, 0, 0, 500e-6, 400e6, 1, 1, 1, remoteFactor, memstorePower);
  }

  @Test
  void remoteBlocksCostAsMuchMoreAsTheLawSays() throws EngineException {
    assertThat(remoteWait(3)).isCloseTo(2 * remoteWait(1.5), within(0.05));
  }

  private static double remoteWait(double factor) throws EngineException {
    InMemoryCluster cluster =
        new InMemoryCluster(
            ClusterSpec.assigned(1, 2, read(1, 8L << 30, 200)).withCosts(costs(factor, 0.5)));
    cluster.engine().move(first(cluster).id(), node(2), LIMIT);
    return after(cluster, Duration.ofHours(1)).node(node(2)).orElseThrow().usage().ioWait();
  }

  @Test
  void smallMemstoresCostAsMuchMoreAsTheLawSays() throws EngineException {
    double even = rewritingUsage(0);
    double root = rewritingUsage(0.5);

    assertThat(even).isCloseTo(0.1, within(0.01));
    // 0.10 of the heap instead of 0.26.
    assertThat(root / even).isCloseTo(1.61, within(0.1));
    assertThat(rewritingUsage(1) / even).isCloseTo(2.6, within(0.15));
  }

  private static double rewritingUsage(double power) throws EngineException {
    TableSpec table = TableSpec.of("t", 1, 1 << 20, Access.writes(1_000));
    ClusterSpec spec =
        new ClusterSpec(
            1,
            Ownership.ASSIGNED,
            1,
            1,
            0,
            true,
            Profile.READ,
            1L << 30,
            1,
            1,
            List.of(table),
            VerbTimes.DEFAULTS);
    InMemoryCluster cluster = new InMemoryCluster(spec.withCosts(costs(1.5, power)));
    return after(cluster, Duration.ofMinutes(5)).nodes().get(0).usage().cpu();
  }

  @Test
  void anOverloadedNodeServesOnlyWhatItCan() throws EngineException {
    InMemoryCluster cluster = assigned(1, read(1, 1_000_000, 1e6));
    cluster.clock().advance(Duration.ofMinutes(10));
    long before = first(cluster).counters().orElseThrow().pointReads();
    long served =
        after(cluster, Duration.ofSeconds(10))
            .partitions()
            .get(0)
            .counters()
            .orElseThrow()
            .pointReads();
    assertThat((served - before) / 10).isBetween(5_000L, 20_000L);
  }

  /** A month of a loop that looks every 30 s must leave the loop most of its 20 s. */
  @Test
  void aSnapshotOfTwoHundredPartitionsIsCheap() throws EngineException {
    TableSpec table =
        read(200, 40L << 30, 3_000).withSkew(0.5).with(KeyDistribution.zipf(1, 1_000, 0.9));
    InMemoryCluster cluster =
        assigned(
            10, table.with(LoadScript.steps(Access.reads(3_000), Duration.ofDays(1), 0.5, 1, 2)));
    // Of a month's 86,000; before that compilers are at work.
    for (int i = 0; i < 20_000; i++) {
      after(cluster, PERIOD);
    }
    int looks = 10_000;
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long began = threads.getCurrentThreadCpuTime();
    for (int i = 0; i < looks; i++) {
      after(cluster, PERIOD);
    }
    double micros = (threads.getCurrentThreadCpuTime() - began) / 1_000.0 / looks;
    // 13 to 18 µs when measured; CPU time, so that a busy machine does not count.
    assertThat(micros).isLessThan(50);
  }
}
