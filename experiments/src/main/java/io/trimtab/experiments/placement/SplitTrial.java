package io.trimtab.experiments.placement;

import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.engineapi.snapshot.SplitHint;
import io.trimtab.lab.testbed.Console;
import io.trimtab.lab.testbed.HBaseTestbed;
import io.trimtab.lab.testbed.PartitionSlot;
import io.trimtab.lab.testbed.RunResult;
import io.trimtab.lab.testbed.TableFlush;
import io.trimtab.lab.testbed.TestbedLoad;
import io.trimtab.workload.TenantSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Durability;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/** One table on the first two nodes of a bed, which is split under load or is not. */
final class SplitTrial {
  static final String TABLE = "t";

  /** Its only partition before a split. */
  static final PartitionSlot WHOLE = new PartitionSlot(TABLE, 0);

  /** On each node before anything is measured. */
  static final Duration WORK_IN = Duration.ofSeconds(45);

  /** Before the split, which happens under load. */
  static final Duration OBSERVE = Duration.ofSeconds(12);

  static final Duration SETTLE = Duration.ofSeconds(20);
  static final Duration MEASURE = Duration.ofSeconds(25);
  private static final Duration LIMIT = Duration.ofMinutes(3);

  private final HBaseTestbed bed;
  private final Console console;

  /** How the table is split. */
  enum Way {
    NOT("not split"),
    SIZE("HBase's split by size"),
    LOAD("split by load"),
    /** For a comparison with halves of a split: written into a file of its own like these. */
    ALONE("not split, in one file");

    final String title;

    Way(String title) {
      this.title = title;
    }
  }

  /**
   * One measurement.
   *
   * @param key where the table was split; empty where it was not
   * @param secondShare share of all requests that the second node served
   * @param usages of the two nodes meanwhile
   */
  record SplitRun(RunResult result, String key, double secondShare, List<NodeUsage> usages) {
    /** Server usage of the first node or of the second, 0 or 1. */
    double busy(int node) {
      return usages.get(node).server();
    }
  }

  SplitTrial(HBaseTestbed bed, Console console) {
    this.bed = bed;
    this.console = console;
  }

  /**
   * Lets both nodes serve the table with no limit on their CPU: a server that has never worked runs
   * interpreted code, and would be what is measured.
   */
  void workIn(long seed) throws Exception {
    for (int node = 1; node >= 0; node--) {
      bed.load(Map.of(WHOLE, node));
      bed.limit(false);
      String label = "node " + (node + 1) + " warms up";
      console.step(label);
      try (TestbedLoad load = bed.start()) {
        load.follow(console, label, WORK_IN);
        load.finish(label, seed, 0, load.second());
      }
    }
    bed.limit(true);
  }

  /** From now on updates are kept in memory only; the table stays on its node, 0 or 1. */
  void withoutLog(int node) throws IOException, EngineException {
    bed.limit(false);
    try (Admin admin = bed.connection().getAdmin()) {
      admin.modifyTable(
          TableDescriptorBuilder.newBuilder(admin.getDescriptor(TableName.valueOf(TABLE)))
              .setDurability(Durability.SKIP_WAL)
              .build());
    }
    // Its region was opened anew.
    bed.arrange(Map.of(WHOLE, node));
  }

  /**
   * Splits under load, or does not, and measures afterwards.
   *
   * @param tenants who load the table
   * @param label for the person who watches, and of the result
   */
  SplitRun measure(Way way, List<TenantSpec> tenants, String label, long seed) throws Exception {
    try (TestbedLoad load = bed.start(tenants)) {
      load.follow(console, label + ": before", OBSERVE);
      String key =
          switch (way) {
            case NOT -> "";
            case ALONE -> flushed();
            case SIZE -> sizeSplit();
            case LOAD -> loadSplit();
          };
      for (PartitionState p : bed.engine().snapshot().partitions()) {
        if (way != Way.NOT) {
          // Each half reads the parent's files until it has files of its own.
          bed.engine().compact(p.id(), LIMIT);
        }
      }
      load.follow(console, label + ": settles", SETTLE);
      int from = load.second();
      ClusterSnapshot before = bed.engine().snapshot();
      load.follow(console, label, MEASURE);
      ClusterSnapshot after = bed.engine().snapshot();
      int to = load.second();
      List<NodeUsage> both =
          bed.nodes().subList(0, 2).stream().map(n -> after.node(n).orElseThrow().usage()).toList();
      return new SplitRun(
          load.finish(label, seed, from, to), key, secondShare(before, after), both);
    }
  }

  /** As a split does: rows in the memstore make reads dearer, and neither half has them. */
  private String flushed() throws IOException {
    TableFlush.of(bed.connection(), TABLE);
    return "";
  }

  /** What HBase does when a region has grown too large, and then its half moves over. */
  private String sizeSplit() throws Exception {
    Engine engine = bed.engine();
    try (Admin admin = bed.connection().getAdmin()) {
      RegionInfo unsplit = admin.getRegions(TableName.valueOf(TABLE)).get(0);
      admin
          .splitRegionAsync(unsplit.getRegionName(), null)
          .get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new EngineException("HBase's own split failed: " + e, e);
    }
    PartitionState right = right(engine);
    engine.move(right.id(), second(), LIMIT);
    return right.range().start().toString();
  }

  private static PartitionState right(Engine engine) throws EngineException {
    return engine.snapshot().partitions().stream()
        .filter(p -> !p.range().start().isEmpty())
        .findFirst()
        .orElseThrow(() -> new EngineException("the table has not been split"));
  }

  /** What the autopilot's plug-in advises. */
  private String loadSplit() throws Exception {
    Engine engine = bed.engine();
    SplitHint hint =
        engine.splitHints().stream()
            .filter(h -> h.partition().table().equals(TABLE))
            .findFirst()
            .orElseThrow(() -> new EngineException("no plug-in observes the table's requests"));
    if (hint.refusal().isPresent()) {
      throw new EngineException("no split is advised: " + hint.refusal().get());
    }
    PartitionId unsplit = hint.partition();
    RowKey key = hint.key();
    engine.split(unsplit, key, second(), LIMIT);
    return key.toString();
  }

  private NodeId second() {
    return bed.nodes().get(1);
  }

  private double secondShare(ClusterSnapshot before, ClusterSnapshot after) {
    double all = 0;
    double there = 0;
    for (PartitionState p : after.partitions()) {
      PartitionCounters then =
          before.partition(p.id()).flatMap(PartitionState::counters).orElse(PartitionCounters.ZERO);
      PartitionCounters now = p.counters().orElse(then);
      double requests = now.pointReads() - then.pointReads() + now.writes() - then.writes();
      all += requests;
      there += p.node().filter(second()::equals).isPresent() ? requests : 0;
    }
    return all > 0 ? there / all : 0;
  }
}
