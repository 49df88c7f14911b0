package io.trimtab.calibrate;

import io.trimtab.clikit.BytesConverter;
import io.trimtab.clikit.Share;
import io.trimtab.config.Bytes;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.lab.cluster.Database;
import io.trimtab.lab.cluster.LabConfig;
import io.trimtab.lab.testbed.CassandraTestbed;
import io.trimtab.lab.testbed.Machine;
import io.trimtab.lab.testbed.NodeSpec;
import io.trimtab.lab.testbed.TestbedSettings;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The node that a model is measured on; what is not given is that of the default node. */
final class NodeOptions {
  private static final double CORES_MIN = 0.1;
  private static final double CORES_MAX = 64;
  private static final int READS_MAX = 1_000_000;
  private static final double CACHE_MIN = 0.05;
  private static final double CACHE_MAX = 0.70;

  @Option(
      names = "--heap",
      paramLabel = "SIZE",
      converter = BytesConverter.class,
      description = "Heap of the node; default: 400m for HBase, 320m for Cassandra.")
  private Bytes heap;

  @Option(
      names = "--cores",
      paramLabel = "N",
      description = "Cores that the node may use; default: 0.7 for HBase, 1.5 for Cassandra.")
  private Double cores;

  @Option(
      names = "--read-iops",
      paramLabel = "N",
      description = "Disk reads per second that the node may do, 0 for any number; default: 150.")
  private Integer readIops;

  @Option(
      names = "--cache",
      paramLabel = "SHARE",
      description =
          "Size of the block cache (Cassandra: the row cache) as a share of the heap;"
              + " default: 55%%.")
  private String cache;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      converter = BytesConverter.class,
      description = {
        "Memory limit of the node, page cache included; default: the heap and 440m, for Cassandra",
        "heap, row cache and 496m."
      })
  private Bytes memory;

  @Option(
      names = "--engine-version",
      paramLabel = "VERSION",
      description = "Version that the model must be of; an error if another one would be measured.")
  private String version;

  /** The first option that was given, for who can't heed any; empty if none was. */
  Optional<String> given() {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("--heap", heap);
    values.put("--cores", cores);
    values.put("--read-iops", readIops);
    values.put("--cache", cache);
    values.put("--memory", memory);
    values.put("--engine-version", version);
    return values.entrySet().stream()
        .filter(option -> option.getValue() != null)
        .map(Map.Entry::getKey)
        .findFirst();
  }

  /** Whether a node was asked for that only limits make. */
  boolean limited() {
    return cores != null || readIops != null || memory != null;
  }

  /**
   * The node.
   *
   * @param nodes that run at the same time
   * @throws UserError if it can't be made, or not on this machine
   */
  NodeSpec spec(Database database, int nodes) {
    if (version != null && !version.equals(database.version())) {
      throw new UserError(
          "--engine-version %s: %s %s would be measured"
              .formatted(version, database.name().toLowerCase(Locale.ROOT), database.version()));
    }
    NodeSpec usual =
        database == Database.HBASE ? TestbedSettings.modelled().node() : CassandraTestbed.NODE;
    NodeSpec node =
        usual.with(heap(database, usual), cache(usual)).with(cores(usual), reads(usual));
    if (memory != null && memory.value() <= node.held()) {
      throw new UserError(
          "--memory must be more than %s, what heap and cache take, not %s"
              .formatted(new Bytes(node.held()), memory));
    }
    node = memory == null ? node : node.with(memory);
    fits(node, nodes);
    return node;
  }

  private Bytes heap(Database database, NodeSpec usual) {
    Bytes least = LabConfig.leastHeap(database);
    if (heap != null && heap.value() < least.value()) {
      throw new UserError("--heap must be at least " + least + ", not " + heap);
    }
    return heap == null ? usual.heap() : heap;
  }

  private double cache(NodeSpec usual) {
    if (cache == null) {
      return usual.cache();
    }
    double share = Share.parse("--cache", cache);
    if (share < CACHE_MIN || share > CACHE_MAX) {
      throw new UserError("--cache must be in [5%, 70%], not " + cache);
    }
    return share;
  }

  private double cores(NodeSpec usual) {
    if (cores != null && !(cores >= CORES_MIN && cores <= CORES_MAX)) {
      throw new UserError("--cores must be in [0.1, 64], not " + cores);
    }
    return cores == null ? usual.cores() : cores;
  }

  private int reads(NodeSpec usual) {
    if (readIops != null && (readIops < 0 || readIops > READS_MAX)) {
      throw new UserError("--read-iops must be in [0, 1000000], not " + readIops);
    }
    return readIops == null ? usual.readIops() : readIops;
  }

  /** The default nodes are small enough for any machine. */
  private void fits(NodeSpec node, int nodes) {
    String each = Counted.of(nodes, "node");
    if (cores != null && nodes * node.cores() > Machine.cores()) {
      throw new UserError(
          "--cores %s: this machine has %d cores for %s".formatted(cores, Machine.cores(), each));
    }
    long has = Machine.memoryBytes();
    boolean asked = heap != null || cache != null || memory != null;
    if (asked && has > 0 && (double) nodes * node.memory().value() > has) {
      throw new UserError(
          "%s: a limit of %s is too much, this machine has %s for %s"
              .formatted(
                  memory != null ? "--memory" : heap != null ? "--heap" : "--cache",
                  Bytes.human(node.memory().value()),
                  Bytes.human(has),
                  each));
    }
  }
}
