package io.trimtab.experiments.cost;

import io.trimtab.config.Bytes;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.lab.cluster.CassandraSettings;
import io.trimtab.lab.cluster.Lab;
import io.trimtab.lab.cluster.LabConfig;
import io.trimtab.lab.cluster.Owner;
import io.trimtab.lab.testbed.Console;
import io.trimtab.lab.testbed.Machine;
import io.trimtab.workload.AcknowledgedWrites;
import io.trimtab.workload.Loader;
import io.trimtab.workload.Mix;
import io.trimtab.workload.Sample;
import io.trimtab.workload.Target;
import io.trimtab.workload.TenantSpec;
import io.trimtab.workload.Verifier;
import io.trimtab.workload.WorkloadRun;
import io.trimtab.workload.WorkloadSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * E14: what it costs to add a node under load and to take it away again, parted into the node's
 * start, its joining, the reassignment of partitions and the movement of data, and what the clients
 * see of each (Konstantinou 2012, §§3.4, 4.2 and 4.3).
 */
public final class E14 {
  private static final int NODES = 3;
  private static final int PARTITIONS = 12;
  private static final int RECORDS = 60_000;
  private static final int THREADS = 8;
  private static final double CORES = 0.3;

  /** A Cassandra node's waiting threads alone take a third of a core. */
  private static final double RING_CORES = 0.45;

  /** Beside heap and native memory: what the compiler needs at its peak is not known. */
  private static final Bytes SLACK = Bytes.parse("48m");

  private static final int WINDOW_S = 5;

  /** Without limits: within them a node reads for many minutes until its caches hold what fits. */
  private static final Duration FILL = Duration.ofSeconds(60);

  private static final Duration SETTLE = Duration.ofSeconds(15);
  private static final Duration LEVEL = Duration.ofSeconds(30);
  private static final Duration LIMIT = Duration.ofMinutes(10);

  /** What is compared. */
  private enum Variant {
    HBASE("HBase, data stay where they are"),
    HBASE_DATA("HBase, data follow by compaction"),
    CASSANDRA("Cassandra, data follow the tokens");

    final String title;

    Variant(String title) {
      this.title = title;
    }

    LabConfig lab() {
      LabConfig plain = LabConfig.defaults().withNodes(NODES).withSpareNodes(1);
      LabConfig config =
          this == CASSANDRA
              ? plain
                  .withCassandra(CassandraSettings.DEFAULTS.with(2, 16))
                  .withHeap(new Bytes(256L << 20))
              : plain;
      Bytes memory = new Bytes(config.memoryLimit().value() + SLACK.value());
      return config.withLimits(this == CASSANDRA ? RING_CORES : CORES, memory, 150);
    }
  }

  /**
   * A part of the whole, in seconds of the load.
   *
   * @param seconds that it took
   * @param retryReasons how many tries were repeated during it, by what had gone wrong
   */
  record Phase(
      String name, int from, int to, double seconds, SortedMap<String, Long> retryReasons) {}

  private final Console console;
  private final Path folder;
  private final String labName;

  public E14(Console console, Path folder, String labName) {
    this.console = console;
    this.folder = folder;
    this.labName = labName;
  }

  private static WorkloadSpec spec() {
    TenantSpec tenant =
        new TenantSpec(
            "t",
            null,
            PARTITIONS,
            RECORDS,
            1,
            1_000,
            null,
            32 << 10,
            null,
            new Mix(0.8, 0.2, null, null, null),
            null,
            null,
            TenantSpec.KeyOrder.HASHED,
            THREADS,
            null,
            null,
            null);
    return new WorkloadSpec(null, null, List.of(tenant));
  }

  public Path run() throws Exception {
    ExperimentReport report =
        new ExperimentReport(folder, "E14: what a node more costs, and one less");
    Map<Variant, List<List<String>>> tables = new LinkedHashMap<>();
    for (Variant variant : Variant.values()) {
      console.step(variant.title);
      tables.put(variant, new One(variant, report).measure());
    }
    report
        .paragraph(
            "Made by `./trimtab lab run E14` on %s. Konstantinou 2012, §§3.4, 4.2 and 4.3."
                .formatted(LocalDate.now(ZoneOffset.UTC)))
        .heading("Result");
    tables.forEach(
        (variant, rows) -> {
          report.heading(variant.title);
          report.table(
              List.of("phase", "seconds", "ops/s", "least 5 s", "p99 ms", "errors", "retries"),
              rows);
        });
    setting(report);
    return report.write();
  }

  private static void setting(ExperimentReport report) {
    report
        .heading("Setting")
        .list(
            List.of(
                Machine.describe(),
                "HBase 2.6.4-hadoop3 and Cassandra 5.0.9; nodes and clients all on this machine",
                ("%d nodes and one more, each 150 reads/s from disk; HBase: %s cores, %s heap, %s"
                        + " memory; Cassandra: %s cores, %s heap, %s memory, 2 copies, 16 tokens"
                        + " each")
                    .formatted(
                        NODES,
                        CORES,
                        Variant.HBASE.lab().heap(),
                        Variant.HBASE.lab().memoryLimit(),
                        RING_CORES,
                        Variant.CASSANDRA.lab().heap(),
                        Variant.CASSANDRA.lab().memoryLimit()),
                ("%,d records of 1,000 bytes in %d partitions, 80 %% reads, 20 %% updates,"
                        + " uniform; %d clients in a closed loop; Cassandra at QUORUM")
                    .formatted(RECORDS, PARTITIONS, THREADS),
                ("before each level caches fill for %d s without limits and the nodes settle for"
                        + " %d s with them; levels over %d s; each read is checked, and at the end"
                        + " every record")
                    .formatted(FILL.toSeconds(), SETTLE.toSeconds(), LEVEL.toSeconds()),
                "retries: tries that were repeated, and why; no node ended by itself",
                "one run each: compare what is large"));
  }

  /** One variant, on a cluster of its own. */
  private final class One {
    private final Variant variant;
    private final ExperimentReport report;
    private final List<Phase> phases = new ArrayList<>();
    private Lab lab;
    private Engine engine;
    private WorkloadRun run;

    One(Variant variant, ExperimentReport report) {
      this.variant = variant;
      this.report = report;
    }

    List<List<String>> measure() throws Exception {
      lab =
          Lab.up(
              variant.lab().withName(labName),
              Owner.PROCESS,
              (done, of, what) -> console.live(what));
      try (Engine connected = lab.engine();
          Target target = lab.target()) {
        engine = connected;
        engine.setBalancer(BalancerState.PAUSED);
        lab.limitNodes(false);
        Loader loader = new Loader(spec(), target);
        loader.create(true);
        Map<String, AcknowledgedWrites> ledgers =
            loader.load((done, of) -> console.live("loaded " + done));
        lab.limitNodes(true);
        run = WorkloadRun.start(spec(), target, ledgers, samples -> {});
        try {
          fill();
          phase("before", () -> follow("before", LEVEL));
          grow();
          fill();
          phase("one node more", () -> follow("one node more", LEVEL));
          shrink();
          fill();
          phase("one node less again", () -> follow("one node less again", LEVEL));
        } finally {
          run.stop();
        }
        report.raw("%s.json".formatted(variant.name().toLowerCase(Locale.ROOT)), run.samples());
        var found = new Verifier(target).verify(spec(), ledgers);
        List<List<String>> rows = new ArrayList<>();
        phases.forEach(p -> rows.add(row(p)));
        rows.add(
            ExperimentReport.row(
                "read back: %,d records, %d wrong, %d lost"
                    .formatted(found.records(), found.wrong(), found.lost()),
                "",
                "",
                "",
                "",
                "",
                ""));
        return rows;
      } finally {
        lab.down();
      }
    }

    /** Before each level, so that they can be compared. */
    private void fill() throws Exception {
      lab.limitNodes(false);
      follow("caches fill", FILL);
      lab.limitNodes(true);
      follow("settles", SETTLE);
    }

    private void grow() throws Exception {
      NodeId[] added = new NodeId[1];
      phase(
          "add: the node's process starts",
          () -> added[0] = lab.provider().add("e14", Profile.HOMOGENEOUS, List.of(), LIMIT));
      boolean tokens = engine.snapshot().ownership() == Ownership.TOKENS;
      phase(
          tokens ? "add: it joins, and data move" : "add: it joins",
          () -> engine.awaitNode(added[0], 0, LIMIT));
      if (tokens) {
        List<NodeId> old =
            engine.snapshot().nodes().stream()
                .map(io.trimtab.engineapi.snapshot.NodeState::id)
                .filter(n -> !n.equals(added[0]))
                .toList();
        phase(
            "add: the old nodes clean up",
            () -> {
              for (NodeId node : old) {
                engine.cleanup(node, LIMIT);
              }
            });
        return;
      }
      List<PartitionId> moving = share();
      phase(
          "add: partitions are reassigned",
          () -> {
            for (PartitionId id : moving) {
              engine.move(id, added[0], LIMIT);
            }
          });
      compact(moving, "add: data move");
    }

    /** A part of each node's partitions, as many as the new node should have. */
    private List<PartitionId> share() throws EngineException {
      List<PartitionState> all = engine.snapshot().partitions();
      List<PartitionId> moving = new ArrayList<>();
      for (int i = 0; i < all.size(); i += NODES + 1) {
        moving.add(all.get(i).id());
      }
      return moving;
    }

    private void compact(List<PartitionId> partitions, String name) throws Exception {
      if (variant == Variant.HBASE_DATA) {
        phase(
            name,
            () -> {
              for (PartitionId id : partitions) {
                engine.compact(id, LIMIT);
              }
            });
      }
    }

    private void shrink() throws Exception {
      List<io.trimtab.engineapi.snapshot.NodeState> nodes = engine.snapshot().liveNodes();
      NodeId leaving = nodes.get(nodes.size() - 1).id();
      if (engine.snapshot().ownership() == Ownership.TOKENS) {
        phase("remove: data move to the others", () -> engine.vacate(leaving, LIMIT));
      } else {
        List<PartitionId> moving =
            engine.snapshot().partitions().stream()
                .filter(p -> p.node().filter(leaving::equals).isPresent())
                .map(PartitionState::id)
                .toList();
        phase(
            "remove: partitions are reassigned",
            () -> {
              engine.setDraining(leaving, true);
              int next = 0;
              for (PartitionId id : moving) {
                engine.move(id, nodes.get(next++ % (nodes.size() - 1)).id(), LIMIT);
              }
              engine.vacate(leaving, LIMIT);
            });
        compact(moving, "remove: data move to the others");
      }
      phase("remove: the node stops", () -> lab.provider().remove(leaving, LIMIT));
    }

    private interface Work {
      public void run() throws Exception;
    }

    private void phase(String name, Work work) throws Exception {
      console.step(variant.title + ": " + name);
      int from = run.seconds();
      Map<String, Long> before = run.retryReasons();
      long startNs = System.nanoTime();
      work.run();
      double seconds = (System.nanoTime() - startNs) / 1e9;
      lab.requireWhole();
      var reasons = new TreeMap<>(run.retryReasons());
      before.forEach((reason, times) -> reasons.merge(reason, -times, Long::sum));
      reasons.values().removeIf(times -> times == 0);
      phases.add(new Phase(name, from, Math.max(from + 1, run.seconds()), seconds, reasons));
    }

    private void follow(String what, Duration time) throws InterruptedException {
      int until = run.seconds() + (int) time.toSeconds();
      while (run.seconds() < until) {
        TimeUnit.MILLISECONDS.sleep(200);
        console.live(what + ", " + (until - run.seconds()) + " s left");
      }
    }

    private List<String> row(Phase phase) {
      List<Sample> seen =
          run.samples().stream()
              .filter(s -> s.second() >= phase.from() && s.second() < phase.to())
              .toList();
      double[] ops = seen.stream().mapToDouble(Sample::operations).toArray();
      return ExperimentReport.row(
          phase.name(),
          String.format(Locale.ROOT, "%.1f", phase.seconds()),
          String.format(Locale.ROOT, "%,.0f", Arrays.stream(ops).average().orElse(Double.NaN)),
          String.format(Locale.ROOT, "%,.0f", least(ops)),
          String.format(
              Locale.ROOT,
              "%.0f",
              seen.stream().mapToLong(Sample::p99Micros).average().orElse(Double.NaN) / 1e3),
          seen.stream().mapToLong(Sample::errors).sum(),
          retries(phase.retryReasons()));
    }
  }

  private static String retries(SortedMap<String, Long> reasons) {
    long all = reasons.values().stream().mapToLong(Long::longValue).sum();
    return reasons.isEmpty()
        ? "0"
        : all
            + reasons.entrySet().stream()
                .map(reason -> reason.getKey() + " " + reason.getValue())
                .collect(Collectors.joining(", ", " (", ")"));
  }

  /** The least mean of some seconds next to each other; of all where there are fewer. */
  private static double least(double[] ops) {
    int width = Math.min(WINDOW_S, ops.length);
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i + width <= ops.length; i++) {
      least = Math.min(least, Arrays.stream(ops, i, i + width).average().orElse(0));
    }
    return least;
  }
}
