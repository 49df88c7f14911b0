package io.trimtab.lab.testbed;

import io.trimtab.clikit.ClusterAddress;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.workload.AcknowledgedWrites;
import io.trimtab.workload.HBaseWorkloadTarget;
import io.trimtab.workload.Loader;
import io.trimtab.workload.TenantSpec;
import io.trimtab.workload.WorkloadRun;
import io.trimtab.workload.WorkloadSpec;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * A node of a live HBase cluster that was taken out of service, with tables of its own. It keeps
 * its profile and its caches' sizes, and has no limits but those that it has: what the lab lifts
 * and puts on is left alone here. Whoever took it out of service deletes the tables.
 */
public final class LiveNode implements Testbed {
  private final Engine engine;
  private final NodeId node;
  private final HBaseWorkloadTarget target;
  private final HBaseTables tables;
  private final WorkloadSpec spec;
  private final double cores;
  private final Console console;
  private Map<String, AcknowledgedWrites> ledgers = Map.of();

  private LiveNode(
      Engine engine,
      NodeId node,
      HBaseWorkloadTarget target,
      WorkloadSpec spec,
      double cores,
      Console console) {
    this.engine = engine;
    this.node = node;
    this.target = target;
    this.spec = spec;
    this.cores = cores;
    this.console = console;
    this.tables =
        HBaseTables.of(
            target.connection(), engine, spec.tenants().stream().map(t -> t.table()).toList());
  }

  /**
   * Connects with its cluster.
   *
   * @param spec tables that are not there yet, of one partition each
   */
  public static LiveNode open(
      Engine engine, NodeId node, ClusterAddress.HBase address, WorkloadSpec spec, Console console)
      throws IOException, EngineException {
    double cores = Testbed.live(engine.snapshot(), node).usage().limits().cores();
    return new LiveNode(
        engine,
        node,
        HBaseWorkloadTarget.connect(address.client()),
        spec,
        Double.isFinite(cores) ? cores : 1,
        console);
  }

  /** Deletes a table with its data; does nothing if there is none. */
  public static void drop(ClusterAddress.HBase address, String table) throws EngineException {
    TableName name = TableName.valueOf(table);
    try (HBaseWorkloadTarget target = HBaseWorkloadTarget.connect(address.client());
        Admin admin = target.connection().getAdmin()) {
      if (admin.tableExists(name)) {
        if (admin.isTableEnabled(name)) {
          admin.disableTable(name);
        }
        admin.deleteTable(name);
      }
    } catch (IOException e) {
      throw new EngineException("table " + table + " can't be deleted: " + e.getMessage(), e);
    }
  }

  @Override
  public String database() {
    return "hbase";
  }

  @Override
  public Engine engine() {
    return engine;
  }

  @Override
  public List<NodeId> nodes() {
    return List.of(node);
  }

  /** A cluster may give it a partition that it has just made, or whose node has died. */
  @Override
  public NodeState measured() throws EngineException {
    ClusterSnapshot now = engine.snapshot();
    refuseStrangers(now, node, tables.names());
    return Testbed.live(now, node);
  }

  /**
   * Refuses a node that serves something else.
   *
   * @param own tables of the measurement
   */
  static void refuseStrangers(ClusterSnapshot now, NodeId node, List<String> own)
      throws EngineException {
    for (PartitionState partition : now.partitions()) {
      if (partition.node().filter(node::equals).isPresent()
          && !own.contains(partition.id().table())) {
        throw new EngineException(
            "partition %s has come to node %s, which is to serve nothing else while it is measured;"
                    .formatted(partition.id(), node)
                + " what was measured before is kept, and --resume goes on with it");
      }
    }
  }

  @Override
  public double cores() {
    return cores;
  }

  @Override
  public TenantSpec tenant(String name) {
    return spec.tenants().stream().filter(t -> t.name().equals(name)).findFirst().orElseThrow();
  }

  @Override
  public void loadAll() throws IOException, EngineException, InterruptedException {
    console.step("making tables on node " + node);
    Loader loader = new Loader(spec, target);
    loader.create(false);
    keepWhole();
    Map<PartitionSlot, Integer> here = new TreeMap<>();
    tables.names().forEach(table -> here.put(new PartitionSlot(table, 0), 0));
    tables.regions().place(tables.regions().partitions(tables.names()), here, nodes());
    tellOwnRegions();
    console.step("loading");
    ledgers = loader.load(console::loaded);
    console.step("reading every block once");
    tables.regions().warm(tables.names());
    compactAll();
  }

  /** HBase splits a table's only region early, and would place a half elsewhere. */
  private void keepWhole() throws IOException {
    try (Admin admin = target.connection().getAdmin()) {
      for (String table : tables.names()) {
        admin.modifyTable(
            TableDescriptorBuilder.newBuilder(admin.getDescriptor(TableName.valueOf(table)))
                .setSplitEnabled(false)
                .build());
      }
    }
  }

  /** No snapshot has them, and no plan moves them. */
  private void tellOwnRegions() throws IOException {
    try (Admin admin = target.connection().getAdmin()) {
      for (var server : admin.getRegionServers()) {
        if (server.getAddress().toString().equals(node.name())) {
          List<String> own =
              admin.getRegions(server).stream()
                  .map(RegionInfo::getTable)
                  .filter(TableName::isSystemTable)
                  .map(TableName::getNameAsString)
                  .sorted()
                  .toList();
          if (!own.isEmpty()) {
            console.step(
                "the node goes on serving %s of HBase's own (%s): what others ask of it there is"
                        .formatted(Counted.of(own.size(), "region"), String.join(", ", own))
                    + " measured as usage without load");
          }
        }
      }
    }
  }

  @Override
  public TestbedLoad start(List<TenantSpec> tenants) {
    var these = new WorkloadSpec(spec.rampUp(), spec.duration(), tenants);
    return new TestbedLoad(
        WorkloadRun.start(these, target, ledgers, samples -> {}), tenants.size(), () -> {});
  }

  /** Its limits are its own. */
  @Override
  public void limit(boolean on) {}

  @Override
  public void compactAll() throws IOException, EngineException {
    console.step("compacting");
    for (String table : tables.names()) {
      flush(table);
    }
    tables.compact();
  }

  @Override
  public void flush(String table) throws IOException {
    tables.flush(table);
  }

  @Override
  public void clearCaches() throws IOException {
    tables.clearCaches();
  }

  /** By what the plug-in counts of the blocks, or without it by the size of the compacted file. */
  @Override
  public double cachedRecords(TenantSpec tenant) throws EngineException {
    OptionalDouble blocks = tables.blockBytes(tenant.table());
    double bytes =
        blocks.isPresent()
            ? blocks.getAsDouble()
            : engine.snapshot().partitions().stream()
                .filter(p -> p.id().table().equals(tenant.table()))
                .mapToDouble(PartitionState::sizeBytes)
                .sum();
    if (!(bytes > 0)) {
      throw new EngineException("table " + tenant.table() + " has no file on node " + node);
    }
    long cache = measured().gauges().cacheMaxBytes();
    return HBaseTestbed.FILLED * cache / (bytes / tenant.records());
  }

  /** Only what the engine tells: this machine need not be the node's. */
  @Override
  public Map<String, String> fingerprint() throws EngineException {
    ClusterSnapshot now = engine.snapshot();
    return Fingerprint.told(now.version(), Testbed.live(now, node));
  }

  @Override
  public void close() throws IOException {
    target.close();
  }
}
