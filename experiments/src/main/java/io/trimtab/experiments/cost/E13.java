package io.trimtab.experiments.cost;

import io.trimtab.calibrate.TableBuilder;
import io.trimtab.calibrate.TablePlan;
import io.trimtab.config.Bytes;
import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.formats.ProvisioningFile;
import io.trimtab.lab.cluster.CassandraSettings;
import io.trimtab.lab.cluster.Database;
import io.trimtab.lab.cluster.LabConfig;
import io.trimtab.lab.testbed.Console;
import io.trimtab.lab.testbed.Machine;
import io.trimtab.models.capacity.Objective;
import io.trimtab.models.capacity.Provisioner;
import io.trimtab.models.capacity.Provisioner.Answer;
import io.trimtab.models.capacity.Provisioner.Choice;
import io.trimtab.models.capacity.ProvisioningTable;
import io.trimtab.models.capacity.ProvisioningTable.Cell;
import io.trimtab.models.capacity.ProvisioningTable.ServiceEstimate;
import io.trimtab.workload.Distribution;
import io.trimtab.workload.Mix;
import io.trimtab.workload.TenantSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * E13: a provisioning table is measured, asked for a number of clients that it does not have, and
 * its answer compared with what fresh clusters of every size then do (Chalkiadaki 2013, ch. 5).
 */
public final class E13 {
  private static final String NODE_TYPE = "small";
  private static final int NODES_FROM = 2;
  private static final int NODES_TO = 4;
  private static final int COPIES = 2;

  /** The thesis's: fewer than a hundred hardly wait for each other on such nodes. */
  private static final List<Integer> CLIENTS = List.of(256, 512);

  private static final int ASKED = 384;
  private static final int READ_IOPS = 600;
  private static final Bytes PAGE_CACHE = Bytes.parse("24m");
  private static final double CORES = 0.5;
  private static final int RECORDS = 120_000;
  private static final Duration FILL = Duration.ofSeconds(60);
  private static final Duration MEASURE = Duration.ofSeconds(20);
  private static final Map<String, Distribution> WORKLOADS =
      Map.of(
          "zipf",
          new Distribution(Distribution.Kind.SCRAMBLED, null, null),
          "uniform",
          Distribution.UNIFORM);

  private final Console console;
  private final Path folder;
  private final int runs;
  private final String labName;

  /** There while a run has begun and not ended; where it was cut off, the next one goes on. */
  private final Path begun;

  private final boolean resumes;
  private int known;

  public E13(Console console, Path folder, int runs, String labName) {
    this.console = console;
    this.folder = folder;
    this.runs = runs;
    this.labName = labName;
    this.begun = folder.resolve("unfinished");
    this.resumes = Files.exists(begun);
  }

  /** What one workload's table said, and what came of it. */
  private record WorkloadResult(
      String workload, List<Cell> table, Objective objective, Answer answer, List<Cell> tried) {

    Optional<Cell> delivered() {
      return answer.chosen().flatMap(c -> of(c.nodes()));
    }

    private Optional<Cell> of(int nodes) {
      return tried.stream().filter(t -> t.nodes() == nodes).findFirst();
    }

    boolean meets(Cell cell) {
      return cell.responseTimeMs() <= objective.responseTimeMs();
    }

    /** The fewest nodes that met it when all were tried; 0 where none did. */
    int smallest() {
      return tried.stream().filter(this::meets).mapToInt(Cell::nodes).min().orElse(0);
    }
  }

  private static LabConfig lab() {
    LabConfig config =
        LabConfig.defaults()
            .withNodes(NODES_FROM)
            .withCassandra(CassandraSettings.DEFAULTS.with(COPIES, 16))
            .withHeap(new Bytes(256L << 20));
    return config.withLimits(
        CORES, new Bytes(config.memoryLimit().value() + PAGE_CACHE.value()), READ_IOPS);
  }

  private static TenantSpec tenant(String workload) {
    return new TenantSpec(
        workload,
        null,
        null,
        RECORDS,
        1,
        1_000,
        null,
        null,
        null,
        new Mix(1.0, null, null, null, null),
        null,
        WORKLOADS.get(workload),
        TenantSpec.KeyOrder.HASHED,
        1,
        null,
        null,
        TenantSpec.Consistency.ONE);
  }

  private static TablePlan plan(
      String workload, List<Integer> clients, int from, int to, int repeats) {
    return new TablePlan(
        lab(),
        NODE_TYPE,
        tenant(workload),
        clients,
        from,
        to,
        FILL,
        MEASURE,
        repeats,
        0,
        PAGE_CACHE.value());
  }

  public Path run() throws Exception {
    List<WorkloadResult> results = new ArrayList<>();
    Path written = null;
    Files.createDirectories(folder);
    if (!resumes) {
      Files.createFile(begun);
    }
    for (String workload : List.of("zipf", "uniform")) {
      results.add(measure(workload));
      // What is known is not lost where the rest is cut off.
      ExperimentReport report = new ExperimentReport(folder, "E13: nodes for a response time");
      write(report, results);
      written = report.write();
    }
    Files.delete(begun);
    return written;
  }

  private WorkloadResult measure(String workload) throws Exception {
    Path measured = fresh("table-" + workload + ".csv");
    List<Cell> rows =
        new TableBuilder(plan(workload, CLIENTS, NODES_FROM, NODES_TO, runs), measured, console)
            .build(labName);
    ProvisioningTable table = new ProvisioningTable(rows);
    Objective objective = objective(table, workload);
    Answer answer = Provisioner.plan(table, objective, Map.of());
    console.step(
        String.format(
            Locale.ROOT,
            "%s: %.1f ms for %d clients requires %s nodes",
            workload,
            objective.responseTimeMs(),
            ASKED,
            answer.chosen().map(c -> Integer.toString(c.nodes())).orElse("too many")));
    Path tried = fresh("tried-" + workload + ".csv");
    List<Cell> all = new ArrayList<>();
    for (int nodes = NODES_FROM; nodes <= NODES_TO; nodes++) {
      TablePlan one = plan(workload, List.of(ASKED), nodes, nodes, runs);
      for (Cell cell : new TableBuilder(one, tried, console).build(labName)) {
        if (cell.nodes() == nodes) {
          all.add(cell);
        }
      }
    }
    return new WorkloadResult(workload, rows, objective, answer, all);
  }

  private Path fresh(String name) throws IOException {
    Path file = folder.resolve(name);
    if (!resumes) {
      Files.deleteIfExists(file);
    }
    int rows = ProvisioningFile.rows(file).size();
    if (rows > 0) {
      console.step(file.getFileName() + ": " + rows + " rows of an interrupted run");
    }
    known += rows;
    return file;
  }

  /** What lies half-way, in ratio, between one node less and one more than the middle. */
  private static Objective objective(ProvisioningTable table, String workload) {
    int middle = (NODES_FROM + NODES_TO + 1) / 2;
    double fewer = estimate(table, workload, middle - 1).responseTimeMs().value();
    double enough = estimate(table, workload, middle).responseTimeMs().value();
    double target = Math.rint(Math.sqrt(fewer * enough) * 10) / 10;
    return new Objective(workload, ASKED, target, Double.NaN, Double.NaN, Double.NaN, NODES_TO);
  }

  private static ServiceEstimate estimate(ProvisioningTable table, String workload, int nodes) {
    return table.at(workload, NODE_TYPE, ASKED, nodes);
  }

  private void write(ExperimentReport report, List<WorkloadResult> results) {
    report
        .paragraph(
            "Made by `./trimtab lab run E13 --runs %d` on %s. Chalkiadaki 2013, ch. 5."
                .formatted(runs, LocalDate.now(ZoneOffset.UTC)))
        .heading("Result")
        .paragraph(
            ("The table has %s clients; the query is for %d. Then a new cluster of every size is"
                    + " measured under that load.")
                .formatted(CLIENTS.toString().replaceAll("[\\[\\]]", ""), ASKED));
    List<List<String>> summary = new ArrayList<>();
    for (WorkloadResult r : results) {
      summary.add(summary(r));
    }
    report.table(
        List.of(
            "workload",
            "objective",
            "nodes chosen",
            "smallest number that met it",
            "response time, predicted",
            "delivered",
            "error (target ≤ 15 %)",
            "throughput, predicted",
            "delivered",
            "error (target ≤ 10 %)"),
        summary);
    for (WorkloadResult r : results) {
      everySize(report, r);
    }
    setting(report);
  }

  private static void everySize(ExperimentReport report, WorkloadResult r) {
    report.heading(r.workload() + ": all measured sizes");
    List<List<String>> rows = new ArrayList<>();
    for (Cell cell : r.tried()) {
      ServiceEstimate predicted =
          estimate(new ProvisioningTable(r.table()), r.workload(), cell.nodes());
      rows.add(
          ExperimentReport.row(
              cell.nodes(),
              value(predicted.responseTimeMs().value(), "ms"),
              value(cell.responseTimeMs(), "ms"),
              value(predicted.throughputMBps().value(), "MB/s"),
              value(cell.throughputMBps(), "MB/s"),
              value(cell.p99Ms(), "ms"),
              r.meets(cell) ? "yes" : "no"));
    }
    report.table(
        List.of(
            "nodes",
            "response time, predicted",
            "delivered",
            "throughput, predicted",
            "delivered",
            "p99, delivered",
            "meets objective"),
        rows);
    report.paragraph(
        "Raw: [table-%1$s.csv](table-%1$s.csv), [tried-%1$s.csv](tried-%1$s.csv)."
            .formatted(r.workload()));
  }

  private void setting(ExperimentReport report) {
    LabConfig lab = lab();
    report
        .heading("Setting")
        .list(
            List.of(
                Machine.describe(),
                "Cassandra %s; nodes and clients all on this machine"
                    .formatted(Database.CASSANDRA.version()),
                ("a node: %s cores, %s heap, %s memory, including %s page cache, %d reads/s"
                        + " from disk; %d copies, %d tokens"
                        + " each, row cache %s")
                    .formatted(
                        CORES,
                        lab.heap(),
                        lab.memoryLimit(),
                        PAGE_CACHE,
                        READ_IOPS,
                        COPIES,
                        lab.cassandra().tokens(),
                        lab.cassandra().rowCache()),
                "%,d records of 1,000 bytes, read only, consistency ONE; closed loop without pauses"
                    .formatted(RECORDS),
                ("data reloaded for each size; %d s without limits to fill caches and compile"
                        + " code, then %d s per row, the mean of %d measurements")
                    .formatted(FILL.toSeconds(), MEASURE.toSeconds(), runs),
                "the table's clusters grow by bootstrap, node by node; the measured ones are new",
                "rows taken over from an interrupted run: " + known));
  }

  private static List<String> summary(WorkloadResult r) {
    Optional<Choice> chosen = r.answer().chosen();
    Optional<Cell> got = r.delivered();
    if (chosen.isEmpty() || got.isEmpty()) {
      return ExperimentReport.row(
          r.workload(),
          value(r.objective().responseTimeMs(), "ms"),
          "none",
          r.smallest(),
          "–",
          "–",
          "–",
          "–",
          "–",
          "–");
    }
    ServiceEstimate predicted = chosen.get().estimate();
    double ms = predicted.responseTimeMs().value();
    double rate = predicted.throughputMBps().value();
    return ExperimentReport.row(
        r.workload(),
        value(r.objective().responseTimeMs(), "ms"),
        chosen.get().nodes(),
        r.smallest() == 0 ? "none" : r.smallest(),
        value(ms, "ms"),
        value(got.get().responseTimeMs(), "ms"),
        off(ms, got.get().responseTimeMs()),
        value(rate, "MB/s"),
        value(got.get().throughputMBps(), "MB/s"),
        off(rate, got.get().throughputMBps()));
  }

  private static String value(double value, String unit) {
    return String.format(Locale.ROOT, "%.1f %s", value, unit);
  }

  private static String off(double predicted, double delivered) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * Math.abs(predicted - delivered) / delivered);
  }
}
