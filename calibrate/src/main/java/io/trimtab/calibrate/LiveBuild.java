package io.trimtab.calibrate;

import io.trimtab.clikit.ClusterAddress;
import io.trimtab.clikit.CommandModules;
import io.trimtab.clikit.NodeService;
import io.trimtab.clikit.Terminal;
import io.trimtab.config.Bytes;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.lab.testbed.Console;
import io.trimtab.lab.testbed.LiveNode;
import io.trimtab.lab.testbed.NodeSpec;
import io.trimtab.lab.testbed.TestbedSettings;
import io.trimtab.workload.HBaseWorkloadTarget;
import io.trimtab.workload.TenantSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** {@code trimtab model build --node}: a usage model of a node of a live cluster. */
record LiveBuild(Terminal terminal, LiveOptions live, ModelPlan plan) {
  private static final String COMMAND = "model build";

  /** Tables of measurements begin with it, so that a person knows what they are. */
  private static final String PREFIX = "trimtab_model_";

  /** Of a cell, beside its value. */
  private static final int CELL_BYTES = 60;

  private static final int RECORDS_MAX = 500_000_000;

  /** Only partitions that are assigned can be moved off a node that stays. */
  private static final class OnlyAssigned
      implements ClusterAddress.Visitor<ClusterAddress.HBase, RuntimeException> {
    @Override
    public ClusterAddress.HBase hbase(ClusterAddress.HBase address) {
      HBaseWorkloadTarget.requireOpen(address);
      return address;
    }

    @Override
    public ClusterAddress.HBase cassandra(ClusterAddress.Cassandra address) {
      throw new UserError(
          "a node of a ring always owns its part of the data, so that it can't be taken out of"
              + " service to be measured; measure an isolated node of the same kind (--engine"
              + " cassandra, with --heap, --cores and --read-iops)");
    }
  }

  /** Puts back what a command that was killed has left. */
  int putBack() throws EngineException {
    ClusterAddress.HBase address = address();
    return CommandModules.nodeService()
            .putBack(terminal, COMMAND, live.cluster(), table -> LiveNode.drop(address, table))
        ? 0
        : 1;
  }

  /** Says what would be done. */
  int show() throws EngineException, InterruptedException {
    address();
    NodeService.Order order = order(tenants(look()));
    CommandModules.nodeService().show(terminal, order);
    terminal.line(
        "on it are made, and deleted afterwards: tables %s*, at most %s",
        PREFIX, Bytes.human(order.tablesBytes()));
    terminal.line("");
    terminal.line("nothing was changed; to measure the node, add --act");
    return 0;
  }

  /** Measures the node, and writes the model. */
  int build(Path out, boolean resume, Console console)
      throws EngineException, InterruptedException {
    ClusterAddress.HBase address = address();
    // What is refused is refused before anything is moved.
    int known = ModelBuild.partial(out, resume).size();
    if (known > 0) {
      console.step(known + " measurements are known from the interrupted build");
    }
    List<TenantSpec> tenants = tenants(look());
    return CommandModules.nodeService()
            .during(
                terminal,
                order(tenants),
                table -> LiveNode.drop(address, table),
                engine ->
                    console.print(
                        ModelBuildCommand.told(
                            out,
                            ModelBuild.onNode(
                                engine,
                                live.node(),
                                address,
                                tenants,
                                plan,
                                out,
                                resume,
                                console))))
        ? 0
        : 1;
  }

  private ClusterAddress.HBase address() {
    return live.cluster().address().accept(new OnlyAssigned());
  }

  private NodeState look() throws EngineException {
    NodeId node = live.node();
    try (Engine engine = live.cluster().connect()) {
      ClusterSnapshot now = engine.snapshot();
      return now.node(node)
          .filter(NodeState::alive)
          .orElseThrow(
              () ->
                  new UserError(
                      "%s has no live node %s; there are %s"
                          .formatted(
                              live.cluster().label(),
                              node,
                              now.liveNodes().stream()
                                  .map(n -> n.id().name())
                                  .collect(Collectors.joining(", ")))));
    }
  }

  /** With tables for the cache that the node has. */
  private List<TenantSpec> tenants(NodeState node) {
    long cache = node.gauges().cacheMaxBytes();
    if (cache <= 0) {
      throw new UserError("node " + node.id() + " does not tell how large its block cache is");
    }
    double records = ModelBuilder.records(new Bytes(cache), plan);
    if (records > RECORDS_MAX) {
      throw new UserError(
          "the cache of node %s is so large that %,.0f records are needed, more than %,d; measure"
                  .formatted(node.id(), records, RECORDS_MAX)
              + " no hit ratios as small as these (--hit-ratios)");
    }
    double cores = node.usage().limits().cores();
    double scale = Double.isFinite(cores) ? NodeSpec.scale(cores) : 1;
    return ModelBuilder.tenants(
        PREFIX + Long.toString(System.currentTimeMillis(), Character.MAX_RADIX) + "_",
        new Bytes(cache),
        (int) Math.ceil(TestbedSettings.modelled().threads() * scale),
        plan);
  }

  private NodeService.Order order(List<TenantSpec> tenants) {
    return new NodeService.Order(
        COMMAND,
        live.cluster(),
        live.config(),
        live.node(),
        live.period(),
        tenants.stream().map(t -> t.table()).toList(),
        tenants.stream().mapToLong(LiveBuild::bytes).sum());
  }

  private static long bytes(TenantSpec tenant) {
    return (long) tenant.records() * tenant.fields() * (tenant.fieldLength() + CELL_BYTES);
  }
}
