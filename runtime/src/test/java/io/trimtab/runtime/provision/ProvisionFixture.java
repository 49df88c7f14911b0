package io.trimtab.runtime.provision;

import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.connect.NoClusterException;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.SimulatedTime;
import io.trimtab.runtime.ports.Ports;
import io.trimtab.runtime.ports.Workers;
import io.trimtab.testkit.VirtualClock;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.InMemoryCluster;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

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
  NodeProvider provider;

  /** As the provider sees the cluster that is given back. */
  FoundedCluster seen;

  /** Whether the cluster keeps silent, for whatever reason. */
  boolean away;

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
    provider = made.provider();
  }

  /** A ring, of which each node is told what the others own. */
  static ProvisionFixture ring() {
    return new ProvisionFixture(ClusterSpec.ring(7, 0, 1));
  }

  /** A cluster whose nodes are gone once they are stopped. */
  static ProvisionFixture assigned() {
    return new ProvisionFixture(ClusterSpec.assigned(7, 0));
  }

  /** Who starts a node again that has stopped, when its request is made again. */
  NodeProvider restarting() {
    return watched(
        verb -> {},
        answer -> {
          if (answer instanceof NodeId node
              && made.truth().node(node).filter(n -> !n.alive()).isPresent()) {
            made.start(node);
          }
        });
  }

  /** Who does what the cluster's own does; something happens before and after. */
  NodeProvider watched(Consumer<String> before, Consumer<Object> after) {
    return (NodeProvider)
        Proxy.newProxyInstance(
            NodeProvider.class.getClassLoader(),
            new Class<?>[] {NodeProvider.class},
            (proxy, verb, arguments) -> {
              before.accept(verb.getName());
              try {
                Object answer = verb.invoke(made.provider(), arguments);
                after.accept(answer);
                return answer;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  FoundedCluster cluster() {
    return new FoundedCluster(this::connect, MARK, clock);
  }

  private Engine connect() throws EngineException {
    if (away) {
      throw new EngineException("here: no answer");
    }
    if (made.truth().liveNodes().isEmpty()) {
      throw new NoClusterException("here: nobody listens", null);
    }
    return made.engine();
  }

  Provisioned provision(FaultPoints faults) throws EngineException {
    try (FoundedCluster cluster = cluster()) {
      return new Provisioning(
              kept,
              cluster,
              provider,
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
        kept, cluster, provider, tables::remove, state -> kept = state, told::add, ports, faults);
  }

  void release(boolean drop, FaultPoints faults) throws EngineException {
    release(drop, false, faults);
  }

  void release(boolean drop, boolean unreachable, FaultPoints faults) throws EngineException {
    try (FoundedCluster cluster = cluster()) {
      seen = cluster;
      releasing(cluster, faults).run(drop, unreachable, LIMIT);
    }
  }

  /** A node that an autopilot has asked for, and that starts now. */
  NodeId late() {
    try {
      return made.provider().add("slo-9/new-2", Profile.READ, List.of(), LIMIT);
    } catch (EngineException e) {
      throw new AssertionError(e);
    }
  }

  /** What the provider sees: how many nodes, or why none. */
  String look() {
    try {
      return seen.look().nodes().size() + " nodes";
    } catch (EngineException e) {
      return e.getMessage();
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
