package io.trimtab.runtime.cold;

import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.HealthSettings;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.SplitSettings;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.SimulatedTime;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.ports.MemoryState;
import io.trimtab.runtime.ports.Workers;
import io.trimtab.testkit.VirtualClock;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.InMemoryCluster;
import io.trimtab.testkit.load.KeyDistribution;
import io.trimtab.testkit.load.LoadScript;
import io.trimtab.testkit.load.TableSpec;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A cluster in memory whose caches can take minutes to fill, and controllers of it. */
final class ColdCluster {
  /** Without a cooldown, so that only what is tested keeps plans from following each other. */
  static final Settings SETTINGS =
      Settings.defaults()
          .with(ObserveSettings.builder().period(Duration.ofSeconds(5)).samples(3).build())
          .with(GuardSettings.builder().minNodes(2).maxNodes(2).cooldown(Duration.ZERO).build())
          .with(HealthSettings.builder().slowFor(Duration.ofHours(2)).build())
          .with(SplitSettings.builder().enabled(false).build());

  final InMemoryCluster cluster;
  final MemoryState home = new MemoryState();
  final List<Plan> plans = new ArrayList<>();
  final List<String> held = new ArrayList<>();

  /** When the first plan ended, in seconds since the beginning. */
  double after = Double.POSITIVE_INFINITY;

  /** What controllers see of what there is. */
  UnaryOperator<ClusterSnapshot> seen = UnaryOperator.identity();

  /** Done at every look, when it is told. */
  Runnable atLook = () -> {};

  /** Told each plan when it is made. */
  Consumer<Plan> atPlan = plan -> {};

  ColdCluster(ClusterSpec spec) {
    cluster = new InMemoryCluster(spec);
  }

  /** One partition in blocks that are so small that it takes long to read them all. */
  static TableSpec table(String name, long bytes, int blockBytes, LoadScript load) {
    return new TableSpec(name, 1, bytes, 1_000, blockBytes, 0, KeyDistribution.uniform(), load);
  }

  /** What is seen of nodes that tell nothing of their caches. */
  static ClusterSnapshot untold(ClusterSnapshot seen) {
    return seen.with(
        seen.nodes().stream().map(node -> node.with(node.usage(), NodeGauges.UNKNOWN)).toList(),
        seen.partitions(),
        seen.gaps());
  }

  NodeId node(int index) {
    return cluster.truth().nodes().get(index).id();
  }

  double seconds() {
    return Duration.between(VirtualClock.START, cluster.clock().instant()).toMillis() / 1e3;
  }

  private Engine engine() {
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          try {
            Object answer = method.invoke(cluster.engine(), arguments);
            return answer instanceof ClusterSnapshot snapshot ? seen.apply(snapshot) : answer;
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        };
    return (Engine)
        Proxy.newProxyInstance(
            Engine.class.getClassLoader(), new Class<?>[] {Engine.class}, handler);
  }

  /** Runs a controller until something is so at a look. */
  void run(Settings settings, boolean act, BooleanSupplier end) throws EngineException {
    ControlLoop[] loop = new ControlLoop[1];
    LoopListener listener =
        new LoopListener() {
          @Override
          public void sampled(int samples, int needed) {
            atLook.run();
            if (end.getAsBoolean()) {
              loop[0].stop();
            }
          }

          @Override
          public void planned(Plan plan, boolean executed) {
            plans.add(plan);
            atPlan.accept(plan);
          }

          @Override
          public void planEnded(Plan plan, PlanOutcome outcome, String why) {
            if (outcome != PlanOutcome.DONE) {
              throw new AssertionError(plan.summary() + ": " + why);
            }
            after = Math.min(after, seconds());
          }

          @Override
          public void held(String by, String reason, String setting) {
            held.add(by + ": " + reason);
          }
        };
    loop[0] =
        new ControlLoop(
            engine(),
            Optional.of(cluster.provider()),
            settings,
            listener,
            SimulatedTime.ports(cluster.clock(), Workers.IN_TURN, id -> home),
            FaultPoints.NONE);
    loop[0].run(act, 0, false);
  }
}
