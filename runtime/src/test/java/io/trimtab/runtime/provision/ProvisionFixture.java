package io.trimtab.runtime.provision;

import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.SimulatedTime;
import io.trimtab.runtime.ports.Ports;
import io.trimtab.runtime.ports.Workers;
import io.trimtab.testkit.VirtualClock;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.InMemoryCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A place where there is no cluster yet, with machines for one. */
final class ProvisionFixture {
  static final Duration LIMIT = Duration.ofMinutes(30);
  static final String MARK = "slo-shop-1a2b3c4d";

  /** A command dies. */
  static final class KilledException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  final VirtualClock clock = new VirtualClock();
  final Ports ports = SimulatedTime.ports(clock, Workers.IN_TURN);
  final InMemoryCluster made;
  final List<String> tables = new ArrayList<>();
  final List<String> told = new ArrayList<>();

  /** As it was kept last. */
  Provisioned kept =
      new Provisioned(
          "shop",
          MARK,
          "name: shop",
          "small",
          3,
          "shop.orders",
          2,
          "here",
          List.of(),
          Provisioned.Step.STARTING);

  ProvisionFixture(ClusterSpec spec) {
    made = new InMemoryCluster(spec, clock);
  }

  /** A ring, of which each node is told what the others own. */
  static ProvisionFixture ring() {
    return new ProvisionFixture(ClusterSpec.ring(7, 0, 1));
  }

  /** A cluster whose nodes are gone once they are stopped. */
  static ProvisionFixture assigned() {
    return new ProvisionFixture(ClusterSpec.assigned(7, 0));
  }

  FoundedCluster cluster() {
    return new FoundedCluster(this::connect, MARK, clock);
  }

  private Engine connect() throws EngineException {
    if (made.truth().liveNodes().isEmpty()) {
      throw new EngineException("here: nobody answers");
    }
    return made.engine();
  }

  Provisioned provision(FaultPoints faults) throws EngineException {
    try (FoundedCluster cluster = cluster()) {
      return new Provisioning(
              kept,
              cluster,
              made.provider(),
              (table, copies) -> tables.add(table + " x " + copies),
              state -> kept = state,
              told::add,
              ports,
              faults)
          .run(LIMIT);
    }
  }

  Releasing releasing(FoundedCluster cluster, FaultPoints faults) {
    return new Releasing(
        kept,
        cluster,
        made.provider(),
        tables::remove,
        state -> kept = state,
        told::add,
        ports,
        faults);
  }

  void release(boolean drop, FaultPoints faults) throws EngineException {
    try (FoundedCluster cluster = cluster()) {
      releasing(cluster, faults).run(drop, LIMIT);
    }
  }

  List<NodeId> live() {
    return made.truth().liveNodes().stream().map(NodeState::id).toList();
  }

  /** Dies when a point is reached for the n-th time. */
  static FaultPoints killedAt(int nth) {
    int[] reached = new int[1];
    return point -> {
      if (++reached[0] == nth) {
        throw new KilledException();
      }
    };
  }
}
