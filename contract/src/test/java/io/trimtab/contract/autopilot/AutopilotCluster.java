package io.trimtab.contract.autopilot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.trimtab.contract.HBaseCluster;
import io.trimtab.contract.KnownState;
import io.trimtab.contract.LiveCluster;
import io.trimtab.contract.TestCluster;
import io.trimtab.controller.settings.Settings;
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
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.Executor;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.ports.SystemPorts;
import io.trimtab.workload.AcknowledgedWrites;
import io.trimtab.workload.Loader;
import io.trimtab.workload.TenantSpec;
import io.trimtab.workload.Verifier;
import io.trimtab.workload.WorkloadRun;
import io.trimtab.workload.WorkloadSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.hbase.client.Admin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
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

  /** Reads that a plan's pace can be judged by, and as little else as leaves the machine free. */
  private static final WorkloadSpec FEW = atRates(100, 20, 5);

  /** Nodes that were limited, or given other partitions, serve alike after some seconds. */
  private static final int BEFORE_SERVED_S = 5;

  private static final int SERVED_S = 9;

  @TempDir static Path home;
  protected static HBaseLab lab;
  protected static HBaseEngine engine;
  @AutoClose private static HBaseCluster cluster;
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
    return FEW;
  }

  /** Classes that run at the same time have a cluster each. */
  protected static String labName() {
    return "it-autopilot-" + System.getProperty("surefire.forkNumber", "1");
  }

  @BeforeAll
  static void up() throws IOException, EngineException {
    // Limits are lifted but in tests that set them.
    cluster =
        HBaseCluster.up(
            labName(), home, Map.of(), c -> c.withLimits(TightNodes.CORES, c.memoryLimit(), 0));
    lab = cluster.lab();
    engine = cluster.engine();
    engine.setBalancer(ON);
    Loader loader = new Loader(TENANTS, cluster.target());
    loader.create(true);
    ledgers = loader.load((done, of) -> {});
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
    // One that was ended for another load, and not served to its end, has failed the test already.
    if (run.running()) {
      finish(run);
    }
    assertThat(new Verifier(target()).verify(tenants(), ledgers).right()).isTrue();
    ClusterSnapshot now = whole(s -> true);
    assertThat(now.balancer()).isEqualTo(ON);
    assertThat(now.nodes()).noneMatch(NodeState::draining);
  }

  /** Ends the load, and asks for something else of the same tables until the test's end. */
  protected final WorkloadRun ask(WorkloadSpec spec) throws Exception {
    finish(run);
    run = WorkloadRun.start(spec, target(), ledgers, samples -> {});
    return run;
  }

  /**
   * A tenant of {@link #TENANTS} with another load.
   *
   * @param rate requests a second; null: as many as its threads can
   */
  protected static TenantSpec tenant(String name, int threads, Double rate) {
    TenantSpec one =
        TENANTS.tenants().stream().filter(t -> t.name().equals(name)).findFirst().orElseThrow();
    return one.asked(one.mix(), one.distribution(), threads, rate);
  }

  /** Requests a second of each tenant: the median of some seconds, after others. */
  protected static Map<String, Double> served(WorkloadRun load) {
    int until = load.seconds() + BEFORE_SERVED_S + SERVED_S;
    while (load.seconds() < until) {
      pause(100);
    }
    Map<String, Double> served = new TreeMap<>();
    load.opsPerSecond()
        .forEach(
            (tenant, series) -> {
              double[] last = Arrays.copyOfRange(series, series.length - SERVED_S, series.length);
              Arrays.sort(last);
              served.put(tenant, last[SERVED_S / 2]);
            });
    System.out.println("served a second: " + served);
    return served;
  }

  /** Takes the partitions of some tables to the first node, and all others to the second. */
  protected static NodeId gather(ClusterSnapshot before, String... tables) throws EngineException {
    NodeId hot = before.nodes().get(0).id();
    NodeId second = before.nodes().get(1).id();
    for (PartitionState p : before.partitions()) {
      engine.move(p.id(), List.of(tables).contains(p.id().table()) ? hot : second, LIMIT);
    }
    return hot;
  }

  /** Runs a loop in this process; as {@link ControlLoop#run(boolean, int, boolean)}. */
  protected static Optional<Executor.Outcome> autopilot(
      Settings settings, boolean act, int plans, LoopListener listener, FaultPoints faults)
      throws EngineException {
    return new ControlLoop(
            engine, Optional.of(lab.provider()), settings, listener, SystemPorts.ports(), faults)
        .run(act, plans, false);
  }

  /** A plan, as begun, that moves every partition to the node after its own; the balancer is on. */
  protected static Plan shuffle(ClusterSnapshot before) throws EngineException {
    return shuffle(before, ON);
  }

  /**
   * The same.
   *
   * @param balancer as the plan has found it; giving back one that was on takes half a minute
   */
  protected static Plan shuffle(ClusterSnapshot before, BalancerState balancer)
      throws EngineException {
    List<NodeId> nodes = before.nodes().stream().map(NodeState::id).toList();
    return LeftPlan.begin(
        engine,
        before,
        balancer,
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
    try (Admin admin = admin()) {
      return admin.balance();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  protected static Admin admin() throws IOException {
    return cluster.connection().getAdmin();
  }

  protected static int zookeeperPort() {
    return Integer.parseInt(lab.zookeeperQuorum().replaceFirst(".*:", ""));
  }

  protected static Map<PartitionId, Optional<NodeId>> placement(ClusterSnapshot snapshot) {
    Map<PartitionId, Optional<NodeId>> placement = new TreeMap<>();
    snapshot.partitions().forEach(p -> placement.put(p.id(), p.node()));
    return placement;
  }

  protected static PartitionState partition(ClusterSnapshot snapshot, String table, int index) {
    return snapshot.partitions().stream()
        .filter(p -> p.id().table().equals(table))
        .sorted(Comparator.comparing(PartitionState::id))
        .toList()
        .get(index);
  }

  protected static NodeId other(List<NodeId> nodes, NodeId than) {
    return nodes.get((nodes.indexOf(than) + 1) % nodes.size());
  }

  /** Of nodes that tests limit. */
  abstract static class Limited extends AutopilotCluster {
    @BeforeEach
    void isolated() {
      assumeTrue(lab.state().isolated(), "without control groups nodes have no CPU of their own");
    }

    @AfterEach
    void limitsAreLifted() {
      lab.limitNodes(false);
    }
  }
}
