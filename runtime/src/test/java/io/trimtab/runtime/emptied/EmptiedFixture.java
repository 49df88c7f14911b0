package io.trimtab.runtime.emptied;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.controller.maintenance.TakenOut;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.Executor;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopContext;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.SimulatedTime;
import io.trimtab.runtime.control.ControlDocuments;
import io.trimtab.runtime.ports.MemoryState;
import io.trimtab.runtime.ports.Ports;
import io.trimtab.runtime.ports.Workers;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.InMemoryCluster;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/** A cluster of three nodes in memory, and a node of it that is taken out of service. */
abstract class EmptiedFixture {
  static final BalancerState ON = new BalancerState(true, true);
  static final List<String> TABLES = List.of("trimtab_model_1_b", "trimtab_model_1_m");
  static final String COMMAND = "model build";

  static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  final InMemoryCluster cluster =
      new InMemoryCluster(
          ClusterSpec.assigned(1, 3, TableSpec.of("t", 6, 1L << 30, Access.reads(100))));

  final MemoryState here = new MemoryState();
  final MemoryState elsewhere = new MemoryState();

  /** Tables that the work has made and nobody has deleted. */
  final Set<String> made = new TreeSet<>();

  final List<String> told = new ArrayList<>();
  Workers workers = Workers.IN_TURN;
  Settings settings =
      Settings.defaults()
          .with(ObserveSettings.builder().period(Duration.ofSeconds(5)).samples(2).build())
          .with(GuardSettings.builder().maxNodes(3).maxConcurrentMoves(1).build())
          .with(Policies.TIRAMOLA);

  final NodeId node = cluster.truth().nodes().get(0).id();

  Ports ports(MemoryState home) {
    return SimulatedTime.ports(cluster.clock(), workers, id -> home);
  }

  LoopContext context(MemoryState home, FaultPoints faults) {
    LoopListener listener =
        new LoopListener() {
          @Override
          public void putBack(String what) {
            told.add(what);
          }
        };
    return new LoopContext(
        cluster.engine(), Optional.empty(), settings, listener, ports(home), faults);
  }

  /** Every partition has the same load, and no node has much. */
  Plan away() {
    ClusterSnapshot now = cluster.truth();
    Map<NodeId, Double> usage = new TreeMap<>();
    now.nodes().forEach(n -> usage.put(n.id(), 0.2));
    Observation.Usable seen = new Observation.Usable(now, Map.of(), usage, Map.of(), List.of());
    return ((TakenOut.Answer.Moves) TakenOut.away(seen, node, 0, settings)).plan();
  }

  OutOfService.Order order() {
    return new OutOfService.Order(COMMAND, node, away(), TABLES);
  }

  /** What it finds is what the test looks at: the node alone, with tables. */
  OutOfService.Work work() {
    return engine -> {
      made.addAll(TABLES);
      assertThat(served()).isEmpty();
      assertThat(engine.snapshot().balancer()).isEqualTo(BalancerState.PAUSED);
      assertThat(cluster.truth().node(node).orElseThrow().draining()).isFalse();
    };
  }

  Executor.Outcome during(FaultPoints faults, BooleanSupplier stop, OutOfService.Work work)
      throws EngineException {
    return OutOfService.during(context(here, faults), order(), stop, made::remove, work);
  }

  Executor.Outcome during(OutOfService.Work work) throws EngineException {
    return during(FaultPoints.NONE, () -> false, work);
  }

  /**
   * The autopilot on another host, until it has nothing to do.
   *
   * @param abandon as {@code --abandon}
   */
  void autopilot(boolean abandon) throws EngineException {
    ControlLoop[] loop = new ControlLoop[1];
    LoopListener listener =
        new LoopListener() {
          @Override
          public void putBack(String what) {
            told.add(what);
          }

          @Override
          public void discarded(String what) {
            told.add(what);
          }

          @Override
          public void held(String by, String reason, String setting) {
            loop[0].stop();
          }
        };
    loop[0] =
        new ControlLoop(
            cluster.engine(),
            Optional.empty(),
            settings,
            listener,
            ports(elsewhere),
            FaultPoints.NONE);
    loop[0].run(true, 0, abandon);
  }

  Optional<Executor.Outcome> putBack() throws EngineException {
    return OutOfService.putBack(context(elsewhere, FaultPoints.NONE), COMMAND, made::remove);
  }

  Map<PartitionId, NodeId> placement() {
    Map<PartitionId, NodeId> placement = new TreeMap<>();
    for (PartitionState p : cluster.truth().partitions()) {
      placement.put(p.id(), p.node().orElseThrow());
    }
    return placement;
  }

  List<PartitionId> served() {
    return placement().entrySet().stream()
        .filter(at -> at.getValue().equals(node))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Partitions and balancer are as before, and nobody need put anything back. */
  void assertBack(Map<PartitionId, NodeId> before) throws EngineException {
    assertThat(placement()).isEqualTo(before);
    assertThat(cluster.truth().balancer()).isEqualTo(ON);
    assertThat(cluster.truth().nodes()).noneMatch(n -> n.draining());
    assertThat(ControlDocuments.read(cluster.control()).open()).isEmpty();
    assertThat(ControlDocuments.hold(cluster.control())).isEmpty();
  }

  /** And so are the tables. */
  void assertWhole(Map<PartitionId, NodeId> before) throws EngineException {
    assertBack(before);
    assertThat(made).isEmpty();
    assertThat(ControlDocuments.emptied(cluster.control())).isEmpty();
  }
}
