package io.trimtab.runtime.quarantine;

import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.EngineException;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.SimulatedTime;
import io.trimtab.runtime.ports.MemoryState;
import io.trimtab.runtime.ports.Workers;
import io.trimtab.testkit.cluster.ClusterSpec;
import io.trimtab.testkit.cluster.InMemoryCluster;
import io.trimtab.testkit.load.Access;
import io.trimtab.testkit.load.KeyDistribution;
import io.trimtab.testkit.load.TableSpec;
import java.time.Duration;
import java.util.Optional;

/** Four nodes in memory, one with too much load, and a loop that acts on them. */
abstract class FourNodes {
  static final Duration PERIOD = Duration.ofSeconds(5);

  InMemoryCluster cluster = of(4);
  final MemoryState home = new MemoryState();

  /** The one that runs, for whoever listens to it. */
  ControlLoop loop;

  static InMemoryCluster of(int nodes) {
    return new InMemoryCluster(
        ClusterSpec.assigned(
            1,
            nodes,
            TableSpec.of("t", 8, 64 << 20, Access.reads(25_000))
                .with(KeyDistribution.zipf(29, 8, 0.7))));
  }

  static Settings settings(int samples, GuardSettings guard) {
    return Settings.defaults()
        .with(ObserveSettings.builder().period(PERIOD).samples(samples).build())
        .with(guard)
        .with(Policies.AUTOPILOT);
  }

  /** Until the listener stops it. */
  void run(Settings settings, LoopListener listener) throws EngineException {
    loop =
        new ControlLoop(
            cluster.engine(),
            Optional.of(cluster.provider()),
            settings,
            listener,
            SimulatedTime.ports(cluster.clock(), Workers.IN_TURN, id -> home),
            FaultPoints.NONE);
    loop.run(true, 0, false);
  }
}
