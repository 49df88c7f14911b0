package io.trimtab.contract.autopilot;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.contract.HBaseCluster;
import io.trimtab.contract.KnownState;
import io.trimtab.contract.LiveCluster;
import io.trimtab.contract.TestCluster;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.hbase.HBaseEngine;
import io.trimtab.lab.cluster.HBaseLab;
import io.trimtab.workload.AcknowledgedWrites;
import io.trimtab.workload.Loader;
import io.trimtab.workload.Verifier;
import io.trimtab.workload.WorkloadRun;
import io.trimtab.workload.WorkloadSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.client.Admin;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * The autopilot on a real HBase cluster of three nodes, under load all the time: whatever happens,
 * every tenant is served again, every read is right, and the balancer is as it was. Each test
 * begins with the same cluster.
 */
abstract class AutopilotCluster extends LiveCluster {
  protected static final Duration LIMIT = Duration.ofMinutes(2);
  protected static final BalancerState ON = new BalancerState(true, true);

  /** 800 requests a second, which two busy cores can serve. */
  protected static final WorkloadSpec TENANTS = atRates(400, 300, 100);

  private static final WorkloadSpec HALF_AS_MUCH = atRates(200, 150, 50);

  @TempDir static Path home;
  protected static HBaseLab lab;
  protected static HBaseEngine engine;
  private static HBaseCluster cluster;
  private static Map<String, AcknowledgedWrites> ledgers;
  private WorkloadRun run;

  private static WorkloadSpec atRates(int reads, int updates, int scans) {
    return WorkloadSpec.parse(
        "tenants",
        """
        tenants:
          - {name: r, partitions: 3, records: 3000, fields: 1, fieldLength: 500,
             mix: {read: 1.0}, distribution: {kind: uniform}, threads: 2, targetRate: %d}
          - {name: u, partitions: 3, records: 3000, fields: 1, fieldLength: 500,
             mix: {update: 1.0}, distribution: {kind: uniform}, threads: 1, targetRate: %d}
          - {name: s, partitions: 3, records: 3000, fields: 1, fieldLength: 500, scanLength: 20,
             mix: {scan: 1.0}, distribution: {kind: uniform}, threads: 1, targetRate: %d}
        """
            .formatted(reads, updates, scans));
  }

  /** The load under a class's tests: of most only what is read counts, not how much of it. */
  protected WorkloadSpec tenants() {
    return HALF_AS_MUCH;
  }

  /** Classes that run at the same time have a cluster each. */
  protected static String labName() {
    return "it-autopilot-" + System.getProperty("surefire.forkNumber", "1");
  }

  @BeforeAll
  static void up() throws IOException, EngineException {
    cluster = HBaseCluster.up(labName(), home, Map.of(), c -> c);
    lab = cluster.lab();
    engine = cluster.engine();
    engine.setBalancer(ON);
    Loader loader = new Loader(TENANTS, cluster.target());
    loader.create(true);
    ledgers = loader.load((done, of) -> {});
  }

  @AfterAll
  static void down() throws IOException {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Override
  protected TestCluster cluster() {
    return cluster;
  }

  @BeforeEach
  void begin() throws Exception {
    ClusterSnapshot placed;
    // A test before may have let another process take over; servers refuse older epochs.
    try (ControlLock control = engine.takeControl("test")) {
      placed = new KnownState(lab, engine, 3, LIMIT).placed();
      control.require();
    }
    LeftPlan.forget(engine, placed.clusterId());
    engine.setBalancer(ON);
    run = WorkloadRun.start(tenants(), target(), ledgers, samples -> {});
  }

  @AfterEach
  void everythingIsServedAndRight() throws Exception {
    finish(run);
    assertThat(new Verifier(target()).verify(tenants(), ledgers).right()).isTrue();
    ClusterSnapshot now = whole(s -> true);
    assertThat(now.balancer()).isEqualTo(ON);
    assertThat(now.nodes()).noneMatch(NodeState::draining);
  }

  /** A plan, as begun, that moves every partition to the node after its own. */
  protected static Plan shuffle(ClusterSnapshot before) throws EngineException {
    List<NodeId> nodes = before.nodes().stream().map(NodeState::id).toList();
    return LeftPlan.begin(
        engine,
        before,
        ON,
        before.partitions().stream()
            .map(
                p ->
                    (Action)
                        new Action.Move(
                            p.id(), p.node().orElseThrow(), other(nodes, p.node().get())))
            .toList());
  }

  protected static void assertMoved(ClusterSnapshot after, Plan plan) {
    for (PlannedAction planned : plan.actions()) {
      Action.Move move = (Action.Move) planned.action();
      assertThat(placement(after)).containsEntry(move.partition(), Optional.of(move.to()));
    }
  }

  protected static BalancerState balancer() {
    try {
      return engine.snapshot().balancer();
    } catch (EngineException e) {
      throw new AssertionError(e);
    }
  }

  /** Asks the master to balance now; whether it did. */
  protected static boolean balances() {
    try (Admin admin = cluster.connection().getAdmin()) {
      return admin.balance();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  protected static int zookeeperPort() {
    return Integer.parseInt(lab.zookeeperQuorum().replaceFirst(".*:", ""));
  }

  protected static Map<PartitionId, Optional<NodeId>> placement(ClusterSnapshot snapshot) {
    Map<PartitionId, Optional<NodeId>> placement = new java.util.TreeMap<>();
    snapshot.partitions().forEach(p -> placement.put(p.id(), p.node()));
    return placement;
  }

  protected static PartitionState partition(ClusterSnapshot snapshot, String table, int index) {
    return snapshot.partitions().stream()
        .filter(p -> p.id().table().equals(table))
        .sorted(java.util.Comparator.comparing(PartitionState::id))
        .toList()
        .get(index);
  }

  protected static NodeId other(List<NodeId> nodes, NodeId than) {
    return nodes.get((nodes.indexOf(than) + 1) % nodes.size());
  }
}
