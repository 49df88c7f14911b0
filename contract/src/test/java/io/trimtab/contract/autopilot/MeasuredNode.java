package io.trimtab.contract.autopilot;

import io.trimtab.calibrate.ModelBuild;
import io.trimtab.calibrate.ModelBuilder;
import io.trimtab.calibrate.ModelPlan;
import io.trimtab.clikit.ClusterAddress;
import io.trimtab.config.Bytes;
import io.trimtab.controller.maintenance.TakenOut;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.lab.cluster.HBaseLab;
import io.trimtab.lab.testbed.Console;
import io.trimtab.lab.testbed.LiveNode;
import io.trimtab.runtime.Executor;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopContext;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.emptied.OutOfService;
import io.trimtab.runtime.ports.SystemPorts;
import io.trimtab.workload.TenantSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A node of a lab that is taken out of service to be measured, shortly. */
record MeasuredNode(HBaseLab lab, Engine engine, NodeId node, Duration limit) {
  static final String PREFIX = "trimtab_model_it_";

  /** The least that makes a model: one point of reads, near no level in particular. */
  private static final ModelPlan PLAN =
      new ModelPlan(
          List.of(1.0),
          List.of(0.4),
          0.35,
          Duration.ofSeconds(4),
          Duration.ofSeconds(2),
          Duration.ofSeconds(2),
          Duration.ofSeconds(3),
          false,
          false);

  /** What a controller's death is in this process. */
  static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  private ClusterAddress.HBase address() {
    return new ClusterAddress.HBase(lab.clientProperties());
  }

  private LoopContext context(FaultPoints faults) {
    Settings settings =
        Settings.defaults()
            .with(GuardSettings.builder().actionLimit(limit).cooldown(Duration.ZERO).build());
    return new LoopContext(
        engine, Optional.empty(), settings, LoopListener.SILENT, SystemPorts.ports(), faults);
  }

  /** As if no node had much to do: what the machine does beside is not what is tested. */
  Executor.Outcome during(ClusterSnapshot now, FaultPoints faults, OutOfService.Work work)
      throws EngineException {
    Map<NodeId, Double> usage = new TreeMap<>();
    now.nodes().forEach(n -> usage.put(n.id(), 0.1));
    Observation.Usable seen = new Observation.Usable(now, Map.of(), usage, Map.of(), List.of());
    LoopContext context = context(faults);
    Plan plan = ((TakenOut.Answer.Moves) TakenOut.away(seen, node, 0, context.settings())).plan();
    List<String> tables = tenants().stream().map(t -> t.table()).toList();
    return OutOfService.during(
        context,
        new OutOfService.Order("model build", node, plan, tables),
        () -> false,
        table -> LiveNode.drop(address(), table),
        work);
  }

  private List<TenantSpec> tenants() throws EngineException {
    long cache = engine.snapshot().node(node).orElseThrow().gauges().cacheMaxBytes();
    return ModelBuilder.tenants(PREFIX, new Bytes(cache), 4, PLAN);
  }

  void build(Engine held, Path file) throws Exception {
    ModelBuild.onNode(
        held, node, address(), tenants(), PLAN, file, false, new Console(System.out, false));
  }

  Optional<Executor.Outcome> putBack() throws EngineException {
    return OutOfService.putBack(
        context(FaultPoints.NONE), "model build", table -> LiveNode.drop(address(), table));
  }
}
