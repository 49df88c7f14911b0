package io.trimtab.contract.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.config.StrictYaml;
import io.trimtab.contract.LiveCluster;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.HealthSettings;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.settings.UsageSettings;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.lab.cluster.Isolate;
import io.trimtab.lab.cluster.LabConfig;
import io.trimtab.providers.ProviderContext;
import io.trimtab.providers.ProviderFile;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.Executor;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.ports.SystemPorts;
import io.trimtab.workload.WorkloadRun;
import io.trimtab.workload.WorkloadSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A real ring whose nodes a provider starts and stops, as the autopilot decides by their load. */
abstract class ProvidedRing extends LiveCluster {
  /** A machine boots and a node joins on two cores that are busy with a load. */
  private static final Duration ACTION_LIMIT = Duration.ofMinutes(5);

  /** Of a node. */
  private static final double NODE_CORES = 0.5;

  /** Share of those that a node takes whose clients ask for all they can get, at least. */
  private static final double BUSY = 0.60;

  /** What nodes shall be used to. */
  private static final double TARGET = 0.55;

  /**
   * Less than the default: of nodes that are so small a database without load, that is observed,
   * takes up to 0.40, and three shall be enough for four of these.
   */
  private static final double MARGIN = 0.10;

  /** Of all clients together, operations per second. */
  private static final double LOW_RATE = 50;

  private static final int PLANS_MAX = 3;
  private static final long SETTLE_MS = 10_000;

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

  /** Nodes whose CPU is limited, so that clients have some of the machine when all are busy. */
  static LabConfig limited(LabConfig config) {
    return config.withIsolate(Isolate.ON).withLimits(NODE_CORES, config.memoryLimit(), 0);
  }

  /**
   * Clients that ask for as much as they get, or for little.
   *
   * @param run of the one tenant
   */
  record Load(WorkloadRun run, String tenant) {
    void low() {
      run.admit(tenant, LOW_RATE);
    }

    void high() {
      run.admit(tenant, Double.POSITIVE_INFINITY);
    }
  }

  /** What is done while clients read and write, at a low rate at first. */
  interface LoadedWork {
    void run(Load load) throws Exception;
  }

  final void fromLowLoad(String tenant, LoadedWork work) throws Exception {
    WorkloadSpec spec =
        WorkloadSpec.parse(
            "tenant",
            """
            tenants:
              - {name: %s, partitions: 4, records: 2000, fields: 2, fieldLength: 200,
                 mix: {read: 0.7, update: 0.3}, distribution: {kind: uniform}, threads: 24}
            """
                .formatted(tenant));
    underChangingLoad(
        spec,
        run -> {
          Load load = new Load(run, tenant);
          load.low();
          // What filling the tables has left to do must not count as load.
          pause(SETTLE_MS);
          work.run(load);
        });
  }

  /**
   * Raises a low load; runs the plans that come of it until a node is added. Their actions' kinds.
   */
  final List<String> grow(NodeProvider provider, Load load) throws EngineException {
    return until("add-node", provider, load::high);
  }

  /** Lowers a high load; runs the plans that come of it until a node is removed. The same. */
  final List<String> shrink(NodeProvider provider, Load load) throws EngineException {
    return until("remove-node", provider, load::low);
  }

  /** The first plan may configure the nodes for their requests, which takes less. */
  private List<String> until(String kind, NodeProvider provider, Runnable change)
      throws EngineException {
    List<String> kinds = run(provider, change, false);
    for (int plans = 1; plans < PLANS_MAX && !kinds.contains(kind); plans++) {
      kinds.addAll(run(provider, () -> {}, true));
    }
    return kinds;
  }

  /**
   * Runs a plan.
   *
   * @param change of the load, once the policy has said that it lets all nodes be
   * @param changed whether the load has changed already, so that it need not say so
   */
  private List<String> run(NodeProvider provider, Runnable change, boolean changed)
      throws EngineException {
    List<String> kinds = new ArrayList<>();
    List<String> held = new ArrayList<>();
    LoopListener listener =
        new LoopListener() {
          @Override
          public void held(String by, String reason, String setting) {
            if (by.equals("policy " + Policies.AUTOPILOT.name())) {
              if (held.isEmpty()) {
                change.run();
              }
              held.add(reason);
            }
          }

          @Override
          public void planned(Plan plan, boolean act) {
            assertThat(changed || !held.isEmpty())
                .as("the load has changed before %s", plan)
                .isTrue();
            plan.actions().forEach(a -> kinds.add(a.action().kind()));
          }
        };
    ControlLoop loop =
        new ControlLoop(
            engine(),
            Optional.of(provider),
            settings(),
            listener,
            SystemPorts.ports(),
            FaultPoints.NONE);
    Optional<Executor.Outcome> outcome = loop.run(true, 1, false);
    assertThat(outcome.orElseThrow().how())
        .as("%s, after %s", outcome, held)
        .isEqualTo(PlanOutcome.DONE);
    return kinds;
  }

  /** The same for growing and for shrinking: which of them it is, the load decides. */
  private static Settings settings() {
    return Settings.defaults()
        .with(ObserveSettings.builder().period(Duration.ofSeconds(2)).samples(3).build())
        .with(HealthSettings.builder().high(BUSY).build())
        .with(UsageSettings.builder().target(TARGET).ringMargin(MARGIN).build())
        .with(GuardSettings.builder().cooldown(Duration.ZERO).actionLimit(ACTION_LIMIT).build())
        .with(Policies.AUTOPILOT);
  }
}
