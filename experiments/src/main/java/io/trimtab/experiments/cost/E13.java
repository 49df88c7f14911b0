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
import io.trimtab.models.capacity.ProvisioningTable.Cell;
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
import java.util.Map;

/**
 * E13: a provisioning table is measured, asked for a number of clients that it does not have, and
 * its answer compared with what fresh clusters of every size then do (Chalkiadaki 2013, ch. 5).
 */
public final class E13 {
  private static final int NODES_FROM = 2;
  private static final int COPIES = 2;

  /** The thesis's: fewer than a hundred hardly wait for each other on such nodes. */
  private static final List<Integer> CLIENTS = List.of(256, 512);

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
        TriedNodes.NODE_TYPE,
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
    List<TriedNodes> results = new ArrayList<>();
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

  private TriedNodes measure(String workload) throws Exception {
    Path measured = fresh("table-" + workload + ".csv");
    List<Cell> table =
        new TableBuilder(
                plan(workload, CLIENTS, NODES_FROM, TriedNodes.NODES_TO, runs), measured, console)
            .build(labName);
    for (int ms : TriedNodes.OBJECTIVES_MS) {
      int nodes = TriedNodes.nodes(workload, table, ms);
      console.step(
          "%s: %d ms for %d clients requires %s nodes"
              .formatted(workload, ms, TriedNodes.ASKED, nodes == 0 ? "too many" : nodes));
    }
    Path tried = fresh("tried-" + workload + ".csv");
    List<Cell> all = new ArrayList<>();
    for (int nodes = NODES_FROM; nodes <= TriedNodes.NODES_TO; nodes++) {
      TablePlan one = plan(workload, List.of(TriedNodes.ASKED), nodes, nodes, runs);
      for (Cell cell : new TableBuilder(one, tried, console).build(labName)) {
        if (cell.nodes() == nodes) {
          all.add(cell);
        }
      }
    }
    return new TriedNodes(workload, table, all);
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

  private void write(ExperimentReport report, List<TriedNodes> results) {
    report
        .paragraph(
            "Made by `./trimtab lab run E13 --runs %d` on %s. Chalkiadaki 2013, ch. 5."
                .formatted(runs, LocalDate.now(ZoneOffset.UTC)))
        .heading("Result")
        .paragraph(
            ("The table has %s clients; the query is for %d. Then a new cluster of every size is"
                    + " measured under that load.")
                .formatted(CLIENTS.toString().replaceAll("[\\[\\]]", ""), TriedNodes.ASKED));
    NodesReport.chosen(report, results);
    results.forEach(of -> NodesReport.sizes(report, of));
    setting(report);
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
}
