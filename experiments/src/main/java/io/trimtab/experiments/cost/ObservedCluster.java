package io.trimtab.experiments.cost;

import io.trimtab.config.Bytes;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.lab.cluster.CassandraSettings;
import io.trimtab.lab.cluster.Isolate;
import io.trimtab.lab.cluster.Lab;
import io.trimtab.lab.cluster.LabConfig;
import io.trimtab.lab.cluster.LabNode;
import io.trimtab.lab.cluster.Owner;
import io.trimtab.lab.testbed.Console;
import io.trimtab.workload.AcknowledgedWrites;
import io.trimtab.workload.Distribution;
import io.trimtab.workload.Loader;
import io.trimtab.workload.Mix;
import io.trimtab.workload.Summary;
import io.trimtab.workload.Target;
import io.trimtab.workload.TenantSpec;
import io.trimtab.workload.WorkloadRun;
import io.trimtab.workload.WorkloadSpec;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** A lab of OBSERVED under a small steady load, and the CPU time of its processes. */
final class ObservedCluster implements AutoCloseable {
  static final int RECORDS = 30_000;
  static final int LENGTH = 1_000;
  static final int THREADS = 4;
  static final double READS_PER_S = 100;

  private static final Duration FLUSH_LIMIT = Duration.ofMinutes(3);

  /** What a lab is made of. */
  enum Kind {
    HBASE("HBase", 150),
    CASSANDRA("Cassandra", 1);

    final String title;
    final int partitions;

    Kind(String title, int partitions) {
      this.title = title;
      this.partitions = partitions;
    }

    /** Nodes without limits: a node that has to wait for its share would take it later. */
    LabConfig lab(String name) {
      LabConfig plain =
          LabConfig.defaults()
              .withName(name)
              .withNodes(this == HBASE ? 1 : 3)
              .withSpareNodes(0)
              .withIsolate(Isolate.OFF);
      // Each region that is written to takes a piece of 2 MiB of the heap.
      return this == HBASE
          ? plain.withHeap(Bytes.parse("1g"))
          : plain.withCassandra(CassandraSettings.DEFAULTS.with(3, 16).withRanking("trimtab"));
    }
  }

  /**
   * One node's processes, or a process that is no node.
   *
   * @param name with the database, for the report
   */
  record Part(String name, boolean node, List<ProcessHandle> processes) {

    /** CPU time since their start, user and system, as the kernel counts it, s. */
    double cpuS() throws IOException {
      double all = 0;
      for (ProcessHandle process : processes) {
        all +=
            process
                    .info()
                    .totalCpuDuration()
                    .orElseThrow(() -> new IOException("process " + process.pid() + " has ended"))
                    .toNanos()
                / 1e9;
      }
      return all;
    }
  }

  private final Kind kind;
  private final Lab lab;
  private final Target target;
  private final WorkloadRun load;
  private final List<Part> parts;
  private final String version;

  private ObservedCluster(Kind kind, Lab lab, Target target, Console console)
      throws IOException, EngineException {
    this.kind = kind;
    this.lab = lab;
    this.target = target;
    try (Engine engine = lab.engine()) {
      engine.pauseBalancer(Duration.ofMinutes(10));
      version = engine.snapshot().version();
    }
    WorkloadSpec spec = new WorkloadSpec(null, null, List.of(tenant(kind.partitions)));
    Loader loader = new Loader(spec, target);
    loader.create(true);
    Map<String, AcknowledgedWrites> ledgers =
        loader.load((done, of) -> console.live("loaded " + done + " of " + of));
    lab.settleLoad(FLUSH_LIMIT);
    parts = parts(kind, lab);
    load = WorkloadRun.start(spec, target, ledgers, samples -> {});
  }

  /** Starts the lab, which goes down with this process, however that ends, and its load. */
  static ObservedCluster open(Kind kind, String name, Console console)
      throws IOException, EngineException {
    console.step("starting " + kind.title);
    Lab lab = Lab.up(kind.lab(name), Owner.PROCESS, (done, of, what) -> console.live(what));
    try {
      return new ObservedCluster(kind, lab, lab.target(), console);
    } catch (IOException | EngineException | RuntimeException e) {
      lab.down();
      throw e;
    }
  }

  private static TenantSpec tenant(int partitions) {
    return new TenantSpec(
        "observed",
        null,
        partitions,
        RECORDS,
        1,
        LENGTH,
        null,
        null,
        null,
        new Mix(1.0, null, null, null, null),
        null,
        Distribution.UNIFORM,
        TenantSpec.KeyOrder.HASHED,
        THREADS,
        READS_PER_S,
        TenantSpec.Loop.OPEN,
        TenantSpec.Consistency.QUORUM);
  }

  private static List<Part> parts(Kind kind, Lab lab) throws IOException {
    List<Part> all = new ArrayList<>();
    for (LabNode node : lab.nodes()) {
      all.add(part(kind.title + ", node " + node.name(), true, node.pids().values()));
    }
    for (Map.Entry<String, OptionalLong> service : lab.status().services().entrySet()) {
      String name = kind.title + ", " + service.getKey();
      all.add(part(name, false, List.of(service.getValue())));
    }
    return List.copyOf(all);
  }

  private static Part part(String name, boolean node, Collection<OptionalLong> pids)
      throws IOException {
    List<ProcessHandle> processes = new ArrayList<>();
    for (OptionalLong pid : pids) {
      processes.add(
          ProcessHandle.of(pid.orElseThrow(() -> new IOException(name + " does not run")))
              .orElseThrow(() -> new IOException(name + " has ended")));
    }
    return new Part(name, node, List.copyOf(processes));
  }

  Kind kind() {
    return kind;
  }

  Lab lab() {
    return lab;
  }

  List<Part> parts() {
    return parts;
  }

  /** The database's. */
  String version() {
    return version;
  }

  /** What its load has done so far. */
  Summary summary() {
    return load.summaries().get(0);
  }

  @Override
  public void close() throws IOException {
    try {
      load.stop();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      try {
        target.close();
      } finally {
        lab.down();
      }
    }
  }
}
