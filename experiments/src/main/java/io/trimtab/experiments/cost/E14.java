package io.trimtab.experiments.cost;

import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.lab.cluster.Database;
import io.trimtab.lab.testbed.Console;
import io.trimtab.lab.testbed.Machine;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * E14: what it costs to add a node under load and to take it away again, parted into the node's
 * start, its joining, the reassignment of partitions and the movement of data, and what the clients
 * see of each (Konstantinou 2011, §§3.4, 4.2 and 4.3).
 */
public final class E14 {
  private final Console console;
  private final Path folder;
  private final String labName;

  public E14(Console console, Path folder, String labName) {
    this.console = console;
    this.folder = folder;
    this.labName = labName;
  }

  public Path run() throws Exception {
    ExperimentReport report =
        new ExperimentReport(folder, "E14: what a node more costs, and one less");
    Map<ResizeVariant, List<List<String>>> tables = new LinkedHashMap<>();
    for (ResizeVariant variant : ResizeVariant.values()) {
      console.step(variant.title);
      tables.put(variant, variant.run(console, report).measure(labName));
    }
    report
        .paragraph(
            "Made by `./trimtab lab run E14` on %s. Konstantinou 2011, §§3.4, 4.2 and 4.3."
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
                "HBase %s and Cassandra %s; nodes and clients all on this machine"
                    .formatted(Database.HBASE.version(), Database.CASSANDRA.version()),
                ("%d nodes and one more, each 150 reads/s from disk; HBase: %s cores, %s heap, %s"
                        + " memory; Cassandra: %s cores, %s heap, %s memory, 2 copies, 16 tokens"
                        + " each")
                    .formatted(
                        ResizeVariant.NODES,
                        ResizeVariant.CORES,
                        ResizeVariant.HBASE.lab().heap(),
                        ResizeVariant.HBASE.lab().memoryLimit(),
                        ResizeVariant.RING_CORES,
                        ResizeVariant.CASSANDRA.lab().heap(),
                        ResizeVariant.CASSANDRA.lab().memoryLimit()),
                ("%,d records of 1,000 bytes in %d partitions, 80 %% reads, 20 %% updates,"
                        + " uniform; %d clients in a closed loop; Cassandra at QUORUM")
                    .formatted(ResizeRun.RECORDS, ResizeRun.PARTITIONS, ResizeRun.THREADS),
                ("before each level caches fill for %d s without limits and the nodes settle for"
                        + " %d s with them; levels over %d s; each read is checked, and at the end"
                        + " every record")
                    .formatted(
                        ResizeRun.FILL.toSeconds(),
                        ResizeRun.SETTLE.toSeconds(),
                        ResizeRun.LEVEL.toSeconds()),
                "retries: tries that were repeated, and why; no node ended by itself",
                "one run each: compare what is large"));
  }
}
