package io.trimtab.calibrate;

import io.trimtab.clikit.ClusterAddress;
import io.trimtab.config.Bytes;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.formats.ModelFile;
import io.trimtab.lab.cluster.Database;
import io.trimtab.lab.process.Isolation;
import io.trimtab.lab.testbed.CassandraTestbed;
import io.trimtab.lab.testbed.Console;
import io.trimtab.lab.testbed.HBaseTestbed;
import io.trimtab.lab.testbed.LiveNode;
import io.trimtab.lab.testbed.NodeSpec;
import io.trimtab.lab.testbed.Testbed;
import io.trimtab.lab.testbed.TestbedSettings;
import io.trimtab.models.usage.NodeKind;
import io.trimtab.models.usage.UsageModel;
import io.trimtab.workload.TenantSpec;
import io.trimtab.workload.WorkloadSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;

/** {@code trimtab model build}: a usage model of an isolated node, or of a live cluster's. */
public final class ModelBuild {
  /** The kernel limits memory in whole pages. */
  private static final long PAGE_BYTES = 4_096;

  /**
   * What to measure.
   *
   * @param database of the node
   * @param node the kind of node
   * @param limited whether that node is another one without its limits: then they must be in force
   * @param hitRatios in (0, 1]; empty for the default ones
   * @param levels of usage, in (0, 1); empty for the default ones
   * @param quick fewer points and shorter measurements
   * @param resume go on with an interrupted build of the same file
   * @param nodes that measure at the same time, ≥ 1
   */
  public record Options(
      Database database,
      NodeSpec node,
      boolean limited,
      List<Double> hitRatios,
      List<Double> levels,
      boolean quick,
      boolean resume,
      int nodes) {
    private ModelPlan plan() {
      ModelPlan plan = ModelPlan.of(quick).with(hitRatios, levels);
      // A ring's range reads go to many nodes at once: what they cost one is not modelled.
      return database == Database.CASSANDRA ? plan.withoutScans() : plan;
    }
  }

  private ModelBuild() {}

  /** The measurements of an interrupted build of a file, or none. */
  static MeasurementFile partial(Path out, boolean resume) {
    return MeasurementFile.of(
        out.toAbsolutePath().resolveSibling(out.getFileName() + ".partial"), resume);
  }

  /**
   * Measures a node of a live cluster that was taken out of service.
   *
   * @param tenants from {@link ModelBuilder#tenants(String, Bytes, int, ModelPlan)}; their tables
   *     are made, and left to whoever took the node out of service
   * @param out as for {@link #run}
   */
  public static UsageModel onNode(
      Engine engine,
      NodeId node,
      ClusterAddress.HBase address,
      List<TenantSpec> tenants,
      ModelPlan plan,
      Path out,
      boolean resume,
      Console console)
      throws Exception {
    MeasurementFile memory = partial(out, resume);
    var spec = new WorkloadSpec(null, null, tenants);
    try (LiveNode bed = LiveNode.open(engine, node, address, spec, console)) {
      bed.loadAll();
      UsageModel model = ModelBuilder.of(bed, console, plan, memory).build();
      ModelFile.write(out, model);
      memory.forget();
      return model;
    }
  }

  /**
   * @param out the model's file; measurements are kept next to it until it is complete
   */
  public static UsageModel run(Options options, Path out, String labName, Console console)
      throws Exception {
    MeasurementFile memory = partial(out, options.resume());
    if (memory.size() > 0) {
      console.step(memory.size() + " measurements are known from the interrupted build");
    }
    ModelPlan plan = options.plan();
    var beds = new ArrayList<Testbed>();
    try {
      var nodes = new ArrayList<ModelNode>();
      for (int i = 1; i <= options.nodes(); i++) {
        // A cluster each: what one node does must not reach another.
        Console own = options.nodes() == 1 ? console : console.of("node " + i);
        String name = options.nodes() == 1 ? labName : labName + "-" + i;
        beds.add(open(options, plan, name, own));
        nodes.add(new ModelNode(beds.get(i - 1), own, plan, memory));
      }
      ModelBuilder.parallel(
          beds.stream().<Callable<Void>>map(bed -> () -> load(bed, options)).toList());
      UsageModel model = new ModelBuilder(nodes, console, plan, memory).build();
      ModelFile.write(out, model);
      memory.forget();
      return model;
    } finally {
      closeAll(beds);
    }
  }

  /** Also those that come after one that can't be closed. */
  private static void closeAll(List<Testbed> beds) throws Exception {
    Exception first = null;
    for (Testbed bed : beds) {
      try {
        bed.close();
      } catch (IOException | RuntimeException e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }

  private static Testbed open(Options options, ModelPlan plan, String labName, Console console)
      throws Exception {
    NodeSpec node = options.node();
    if (options.database() == Database.CASSANDRA) {
      var spec = ModelBuilder.ringSpec(node, plan, List.of());
      return CassandraTestbed.open(node, spec, labName, console);
    }
    TestbedSettings settings = TestbedSettings.of(node);
    var spec =
        new WorkloadSpec(
            null, null, ModelBuilder.tenants(node.cacheSize(), settings.threads(), plan));
    return HBaseTestbed.open(settings, spec, labName, console);
  }

  private static Void load(Testbed bed, Options options) throws Exception {
    if (options.limited()) {
      requireLimits(bed, options.node());
    }
    bed.loadAll();
    return null;
  }

  /** Before hours are spent on another node than the one that was asked for. */
  private static void requireLimits(Testbed bed, NodeSpec node) throws EngineException {
    bed.limit(true);
    Map<String, String> inForce = new TreeMap<>(bed.fingerprint());
    bed.limit(false);
    Optional<NodeKind.Difference> other = otherLimits(node, inForce);
    if (other.isPresent()) {
      throw new UserError(
          "a node with %s can't be made here: it has %s; isolation: %s"
              .formatted(
                  other.get().measured(), other.get().its(), inForce.get(Testbed.ISOLATION)));
    }
  }

  /**
   * The first limit that is another one than was asked for.
   *
   * @param inForce fingerprint of the node that there is
   */
  static Optional<NodeKind.Difference> otherLimits(NodeSpec node, Map<String, String> inForce) {
    // Nothing tells a limit where there is none.
    Map<String, String> all = new TreeMap<>(inForce);
    all.putIfAbsent(NodeKind.MEMORY.key(), "no such limit");
    all.putIfAbsent(NodeKind.DISK_READS.key(), "0");
    Bytes memory = new Bytes(node.memory().value() / PAGE_BYTES * PAGE_BYTES);
    Map<String, String> asked =
        new TreeMap<>(
            Map.of(
                NodeKind.CORES.key(),
                Double.toString(node.cores()),
                NodeKind.MEMORY.key(),
                memory.toString()));
    // A disk in memory has its own pace.
    if (all.getOrDefault(NodeKind.DISK.key(), Isolation.MACHINES_DISK)
        .equals(Isolation.MACHINES_DISK)) {
      asked.put(NodeKind.DISK_READS.key(), Integer.toString(node.readIops()));
    }
    return NodeKind.difference(asked, all);
  }
}
