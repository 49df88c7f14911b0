package io.trimtab.runtime.safety;

import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.Executor;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.SimulatedTime;
import io.trimtab.runtime.TestTenure;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.ports.ClusterState;
import io.trimtab.runtime.ports.MemoryState;
import io.trimtab.runtime.ports.Ports;
import io.trimtab.runtime.ports.Workers;
import io.trimtab.testkit.TestPlans;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.Faults.Verb;
import io.trimtab.testkit.cluster.InMemoryCluster;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.TableSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A cluster of three nodes in memory, a plan of moves on it, and controllers with own homes. */
abstract class SafetyFixture {
  static final int MOVES = 6;

  final InMemoryCluster cluster;
  final MemoryState here = new MemoryState();
  final MemoryState elsewhere = new MemoryState();
  final List<String> ended = new ArrayList<>();
  private int plans;

  /** Ended plans after which a controller ends. */
  int plansMax = 1;

  final List<String> held = new ArrayList<>();
  Settings settings =
      Settings.defaults()
          .with(ObserveSettings.builder().period(Duration.ofSeconds(5)).samples(2).build())
          .with(GuardSettings.builder().maxNodes(3).maxConcurrentMoves(1).build())
          .with(Policies.TIRAMOLA);

  SafetyFixture() {
    this(ClusterSpec.assigned(1, 3, TableSpec.of("t", MOVES, 1L << 30, Access.reads(100))));
  }

  SafetyFixture(ClusterSpec spec) {
    cluster = new InMemoryCluster(spec);
  }

  /** A plan that moves every partition to the next node. */
  Plan plan() throws EngineException {
    ClusterSnapshot now = cluster.engine().snapshot();
    List<NodeId> nodes = now.nodes().stream().map(n -> n.id()).toList();
    List<Action> moves = new ArrayList<>();
    for (PartitionState p : now.partitions()) {
      NodeId from = p.node().orElseThrow();
      NodeId to = nodes.get((nodes.indexOf(from) + 1) % nodes.size());
      moves.add(new Action.Move(p.id(), from, to));
    }
    return plan(now, moves.toArray(Action[]::new));
  }

  private Plan plan(ClusterSnapshot now, Action... actions) {
    return TestPlans.of("p" + ++plans, now, actions);
  }

  /** A plan of these actions. */
  Plan plan(Action... actions) throws EngineException {
    return plan(cluster.engine().snapshot(), actions);
  }

  /** Writes a plan down as begun by a controller that is gone. */
  Plan leave(ClusterState home) throws EngineException {
    return leave(home, plan());
  }

  /** The same with a plan of one's own. */
  Plan leave(ClusterState home, Plan plan) throws EngineException {
    TestTenure.begun(cluster, home, plan);
    return plan;
  }

  /** Something happens at each of these points. */
  static FaultPoints at(String point, Runnable work) {
    return reached -> {
      if (reached.equals(point)) {
        work.run();
      }
    };
  }

  ControlLoop loop(ClusterState home, FaultPoints faults) {
    ControlLoop[] loop = new ControlLoop[1];
    LoopListener listener =
        new LoopListener() {
          @Override
          public void planEnded(Plan plan, PlanOutcome outcome, String why) {
            ended.add(outcome + ": " + why);
            if (outcome != PlanOutcome.LOST && ended.size() >= plansMax) {
              loop[0].stop();
            }
          }

          @Override
          public void held(String by, String reason, String setting) {
            held.add(by + ": " + reason);
            loop[0].stop();
          }
        };
    loop[0] =
        new ControlLoop(
            cluster.engine(),
            Optional.of(cluster.provider()),
            settings,
            listener,
            ports(home),
            faults);
    return loop[0];
  }

  Ports ports(ClusterState home) {
    return SimulatedTime.ports(cluster.clock(), Workers.IN_TURN, id -> home);
  }

  Optional<Executor.Outcome> run(ClusterState home, FaultPoints faults) throws EngineException {
    return loop(home, faults).run(true, 0, false);
  }

  int moves() {
    return cluster.faults().calls(Verb.MOVE);
  }

  NodeId at(PartitionId partition) throws EngineException {
    return cluster.engine().snapshot().partition(partition).orElseThrow().node().orElseThrow();
  }

  void assertMoved(Plan plan) throws EngineException {
    for (Action.Move move : plan.actions(Action.Move.class)) {
      if (!at(move.partition()).equals(move.to())) {
        throw new AssertionError(move + " was not done: " + at(move.partition()));
      }
    }
  }
}
