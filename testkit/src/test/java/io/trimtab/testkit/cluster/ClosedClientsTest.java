package io.trimtab.testkit.cluster;

import static io.trimtab.testkit.cluster.SmallCluster.after;
import static io.trimtab.testkit.cluster.SmallCluster.assigned;
import static io.trimtab.testkit.cluster.SmallCluster.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.testkit.law.RequestCosts;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.ClosedClients;
import io.trimtab.testkit.load.KeyDistribution;
import io.trimtab.testkit.load.LoadScript;
import io.trimtab.testkit.load.TableSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Clients that wait for their answers: throughput, counters and usage follow from one another. */
class ClosedClientsTest {
  private static final Duration WARM = Duration.ofMinutes(10);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final Access READ = Access.reads(1);
  private static final Access WRITE = Access.writes(1);

  private static TableSpec table(String name, int partitions, long bytes, ClosedClients clients) {
    return TableSpec.of(name, partitions, bytes, READ).with(LoadScript.closed(clients));
  }

  /** Operations a second over a minute, once caches are filled. */
  private static double rate(InMemoryCluster cluster, String table) {
    cluster.clock().advance(WARM);
    double before = cluster.totals().operations().get(table);
    cluster.clock().advance(MINUTE);
    return (cluster.totals().operations().get(table) - before) / MINUTE.toSeconds();
  }

  @Test
  void clientsThatAskAtOnceUseANodeFully() throws EngineException {
    InMemoryCluster cluster = assigned(1, table("t", 4, 100_000_000, ClosedClients.of(4, READ)));

    // 80 µs of CPU each, all from the cache.
    assertThat(rate(cluster, "t")).isCloseTo(12_500, within(50.0));
    ClusterSnapshot now = cluster.engine().snapshot();
    assertThat(now.nodes().get(0).usage().server()).isGreaterThan(0.92);
    long before = reads(now);
    assertThat((reads(after(cluster, MINUTE)) - before) / 60.0).isCloseTo(12_500, within(50.0));
    assertThat(cluster.totals().served().get("t")).isCloseTo(1, within(0.01));
  }

  private static long reads(ClusterSnapshot snapshot) {
    return snapshot.partitions().stream()
        .mapToLong(p -> p.counters().orElseThrow().pointReads())
        .sum();
  }

  /** By the skew of 3 : 1 one of two nodes is used fully, and the other one to a third of it. */
  @Test
  void theBusiestNodeHoldsUpAll() throws EngineException {
    TableSpec skewed =
        table("t", 2, 100_000_000, ClosedClients.of(40, READ))
            .with(KeyDistribution.lowest(0.5, 0.75));
    InMemoryCluster cluster = assigned(2, skewed);

    assertThat(rate(cluster, "t")).isBetween(0.95 * 12_500 / 0.75, 12_501 / 0.75);
    ClusterSnapshot now = cluster.engine().snapshot();
    assertThat(now.nodes().get(0).usage().server()).isGreaterThan(0.92);
    assertThat(now.nodes().get(1).usage().server()).isBetween(0.28, 0.38);
  }

  /** Two tables on one node, each with as many clients, get through the same number. */
  @Test
  void tablesShareANode() {
    InMemoryCluster cluster =
        assigned(
            1,
            table("a", 1, 1_000_000, ClosedClients.of(10, READ)),
            table("b", 1, 1_000_000, ClosedClients.of(10, READ).atMost(2_000)),
            table("c", 1, 1_000_000, ClosedClients.of(10, READ)));

    double a = rate(cluster, "a");
    assertThat(rate(cluster, "b")).isCloseTo(2_000, within(20.0));
    assertThat(rate(cluster, "c")).isCloseTo(a, within(20.0));
    assertThat(2 * a + 2_000).isCloseTo(12_500, within(100.0));
  }

  /** A node that caches all serves an order of magnitude more than one that reads its disk. */
  @Test
  void missesWaitForTheDisk() throws EngineException {
    RequestCosts disk = new RequestCosts(200e-6, 60e-6, 1e-3, 0, 0, 1 / 150.0, 1e12, 1, 1, 0);
    ClusterSpec spec =
        ClusterSpec.assigned(1, 1, table("t", 4, 300 << 20, ClosedClients.of(20, READ)))
            .withHeap(300 << 20)
            .withCosts(disk);
    InMemoryCluster cluster = new InMemoryCluster(spec);
    cluster.engine().setBalancer(BalancerState.PAUSED);
    // 0.61 of the reads miss: 150 ÷ 0.61.
    double small = rate(cluster, "t");
    assertThat(small).isBetween(200.0, 290.0);
    cluster.engine().applyProfile(node(1), Profile.READ, LIMIT);
    // 0.45 miss.
    assertThat(rate(cluster, "t")).isBetween(1.2 * small, 1.6 * small);
  }

  @Test
  void requestsCostLessOnAFullNode() {
    RequestCosts falling = new RequestCosts(0.34e-3, 0, 1e-3, 0, 0, 0, 1e12, 0.2 / 0.34, 0.4, 0);
    ClusterSpec reads =
        ClusterSpec.assigned(1, 1, table("t", 1, 1_000_000, ClosedClients.of(20, READ)))
            .withCosts(falling);
    ClusterSpec writes =
        ClusterSpec.assigned(1, 1, table("t", 1, 1_000_000, ClosedClients.of(20, WRITE)))
            .withCosts(falling);

    assertThat(rate(new InMemoryCluster(reads), "t")).isCloseTo(5_000, within(25.0));
    assertThat(rate(new InMemoryCluster(writes), "t")).isCloseTo(2_500, within(15.0));
  }

  /** What the cluster was asked for is what it serves also where costs fall in between. */
  @Test
  void usageIsThatOfTheRequests() throws EngineException {
    RequestCosts falling = new RequestCosts(0.4e-3, 0, 1e-3, 0, 0, 0, 1e12, 0.5, 0.5, 0);
    ClosedClients one = ClosedClients.of(1, READ).thinking(0.1e-3);
    InMemoryCluster cluster =
        new InMemoryCluster(
            ClusterSpec.assigned(1, 1, table("t", 1, 1_000_000, one)).withCosts(falling));

    // As in ClosedNetworkTest, a thousand times as fast.
    assertThat(rate(cluster, "t")).isCloseTo(2_500, within(10.0));
    assertThat(cluster.engine().snapshot().nodes().get(0).usage().server())
        .isCloseTo(0.75, within(0.06));
  }

  @Test
  void whileAPartitionIsClosedItsClientsWait() throws EngineException {
    InMemoryCluster cluster =
        assigned(
            2,
            table("t", 2, 1_000_000, ClosedClients.of(20, READ)),
            table("other", 1, 1_000_000, ClosedClients.of(20, READ)));
    cluster.clock().advance(WARM);
    Map<String, Double> before = cluster.totals().operations();
    PartitionState moved =
        cluster.truth().partitions().stream()
            .filter(p -> p.id().table().equals("t"))
            .findFirst()
            .orElseThrow();
    boolean onFirst = moved.node().orElseThrow().equals(node(1));
    cluster.engine().move(moved.id(), onFirst ? node(2) : node(1), LIMIT);
    Map<String, Double> after = cluster.totals().operations();

    assertThat(after.get("t")).isEqualTo(before.get("t"));
    assertThat(after.get("other")).isGreaterThan(before.get("other") + 1_000);
  }

  /** The half second in which nobody asked for its blocks is no reason to forget them. */
  @Test
  void whatIsCachedStaysWhileClientsWait() throws EngineException {
    InMemoryCluster cluster = assigned(2, table("t", 2, 200 << 20, ClosedClients.of(20, READ)));
    double before = rate(cluster, "t");
    PartitionId first = cluster.truth().partitions().get(0).id();
    long missesBefore = misses(cluster);
    cluster.engine().move(first, node(2), LIMIT);
    cluster.engine().move(first, node(1), LIMIT);
    // After the next draw of what the node caches.
    cluster.clock().advance(Duration.ofSeconds(40));

    // The other partition's are all there.
    assertThat(misses(cluster) - missesBefore).isZero();
    assertThat(rate(cluster, "t")).isCloseTo(before, within(0.05 * before));
  }

  private static long misses(InMemoryCluster cluster) {
    return cluster.truth().node(node(2)).orElseThrow().gauges().cacheMisses();
  }

  @Test
  void otherClientsComeInTheirTime() {
    LoadScript turns =
        LoadScript.from(
            new TreeMap<>(
                Map.of(
                    Duration.ZERO,
                    LoadScript.closed(ClosedClients.of(20, READ)),
                    Duration.ofMinutes(30),
                    LoadScript.closed(ClosedClients.of(20, WRITE)))));
    InMemoryCluster cluster = assigned(1, TableSpec.of("t", 1, 1_000_000, READ).with(turns));

    assertThat(rate(cluster, "t")).isCloseTo(12_500, within(50.0));
    cluster.clock().advance(Duration.ofMinutes(20));
    // 100 µs each.
    assertThat(rate(cluster, "t")).isCloseTo(10_000, within(50.0));
  }

  @Test
  void theSameCallsGiveTheSame() {
    List<Double> rates =
        List.of(1, 2).stream()
            .map(i -> rate(assigned(2, table("t", 3, 2L << 30, ClosedClients.of(9, READ))), "t"))
            .toList();

    assertThat(rates.get(0)).isPositive().isEqualTo(rates.get(1));
  }

  @Test
  void aClusterOfBothKindsIsRefused() {
    TableSpec waits = table("t", 1, 1_000_000, ClosedClients.of(1, READ));
    TableSpec open = TableSpec.of("open", 1, 1_000_000, READ);

    assertThatThrownBy(() -> new InMemoryCluster(ClusterSpec.assigned(1, 1, waits, open)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("all tables or of none");
    assertThatThrownBy(() -> new InMemoryCluster(ClusterSpec.ring(1, 1, 1, waits)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
