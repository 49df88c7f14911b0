package io.trimtab.contract.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.config.StrictYaml;
import io.trimtab.contract.LiveCluster;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.TiramolaSettings;
import io.trimtab.controller.settings.Trigger;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.providers.ProviderContext;
import io.trimtab.providers.ProviderFile;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.Executor;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.ports.SystemPorts;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A real ring whose nodes a provider starts and stops, as the autopilot decides. */
abstract class ProvidedRing extends LiveCluster {
  /** A machine boots and a node joins on two cores that are busy with a load. */
  private static final Duration ACTION_LIMIT = Duration.ofMinutes(5);

  /**
   * As a file of settings has it.
   *
   * @param home for the file's paths, and of what the provider remembers
   */
  final NodeProvider provider(String yaml, Path home) {
    return StrictYaml.parse("provider.yaml", yaml, ProviderFile.class)
        .provider()
        .in(home)
        .settings()
        .provider(
            new ProviderContext(
                engine()::snapshot, ProviderContext.Words.PLAIN, id -> home, line -> {}));
  }

  static String host(NodeId node) {
    return node.name().substring(0, node.name().lastIndexOf(':'));
  }

  /** The port in the names of all nodes. */
  static int port(ClusterSnapshot ring) {
    String first = ring.nodes().get(0).id().name();
    return Integer.parseInt(first.substring(first.lastIndexOf(':') + 1));
  }

  /** Runs a plan that adds nodes to its end; the kinds of its actions. */
  final List<String> grow(NodeProvider provider) throws EngineException {
    Trigger busy = Trigger.above(Trigger.Metric.CPU, 0.0, Trigger.Nodes.ANY);
    return run(provider, new TiramolaSettings(List.of(busy), List.of()));
  }

  /** Runs a plan that removes nodes to its end; the kinds of its actions. */
  final List<String> shrink(NodeProvider provider) throws EngineException {
    Trigger idle = Trigger.below(Trigger.Metric.CPU, 0.999, Trigger.Nodes.ALL);
    return run(provider, new TiramolaSettings(List.of(), List.of(idle)));
  }

  private List<String> run(NodeProvider provider, TiramolaSettings thresholds)
      throws EngineException {
    Settings settings =
        Settings.defaults()
            .with(ObserveSettings.builder().period(Duration.ofSeconds(1)).samples(2).build())
            .with(thresholds)
            .with(GuardSettings.builder().cooldown(Duration.ZERO).actionLimit(ACTION_LIMIT).build())
            .with(Policies.TIRAMOLA);
    List<String> kinds = new ArrayList<>();
    LoopListener listener =
        new LoopListener() {
          @Override
          public void planned(Plan plan, boolean act) {
            plan.actions().forEach(a -> kinds.add(a.action().kind()));
          }
        };
    ControlLoop loop =
        new ControlLoop(
            engine(),
            Optional.of(provider),
            settings,
            listener,
            SystemPorts.ports(),
            FaultPoints.NONE);
    Optional<Executor.Outcome> outcome = loop.run(true, 1, false);
    assertThat(outcome.orElseThrow().how()).as("%s", outcome).isEqualTo(PlanOutcome.DONE);
    return kinds;
  }
}
