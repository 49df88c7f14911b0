package io.trimtab.experiments.cost;

import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.models.capacity.ProvisioningTable.Cell;
import io.trimtab.models.capacity.ProvisioningTable.ServiceEstimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The tables of E13's report. */
final class NodesReport {
  private NodesReport() {}

  /** For each objective, which number of nodes a table chose, and which was enough. */
  static void chosen(ExperimentReport report, List<TriedNodes> results) {
    List<List<String>> rows = new ArrayList<>();
    int right = 0;
    for (TriedNodes of : results) {
      for (TriedNodes.Chosen chosen : of.chosen()) {
        rows.add(
            ExperimentReport.row(
                of.workload(),
                chosen.objectiveMs() + " ms",
                nodes(chosen.nodes()),
                nodes(chosen.smallest()),
                chosen.right() ? "yes" : "no"));
        right += chosen.right() ? 1 : 0;
      }
    }
    report
        .paragraph(
            ("%d of %d choices were the smallest number that met the objective. Objectives are"
                    + " fixed beforehand, whatever the table then says.")
                .formatted(right, rows.size()))
        .table(
            List.of("workload", "objective", "nodes chosen", "smallest that met it", "the same"),
            rows);
  }

  private static String nodes(int number) {
    return number == 0 ? "none" : Integer.toString(number);
  }

  /** Each size as predicted, and as it was. */
  static void sizes(ExperimentReport report, TriedNodes of) {
    List<List<String>> rows = new ArrayList<>();
    for (Cell cell : of.tried()) {
      ServiceEstimate predicted = of.predicted(cell.nodes());
      double ms = predicted.responseTimeMs().value();
      double rate = predicted.throughputMBps().value();
      rows.add(
          ExperimentReport.row(
              cell.nodes(),
              value(ms, "ms"),
              value(cell.responseTimeMs(), "ms"),
              error(ms, cell.responseTimeMs()),
              value(rate, "MB/s"),
              value(cell.throughputMBps(), "MB/s"),
              error(rate, cell.throughputMBps()),
              value(cell.p99Ms(), "ms")));
    }
    report
        .heading(of.workload() + ": all measured sizes")
        .table(
            List.of(
                "nodes",
                "response time, predicted",
                "delivered",
                "error (target ≤ 15 %)",
                "throughput, predicted",
                "delivered",
                "error (target ≤ 10 %)",
                "p99, delivered"),
            rows)
        .paragraph(
            "Raw: [table-%1$s.csv](table-%1$s.csv), [tried-%1$s.csv](tried-%1$s.csv)."
                .formatted(of.workload()));
  }

  private static String value(double value, String unit) {
    return String.format(Locale.ROOT, "%.1f %s", value, unit);
  }

  private static String error(double predicted, double delivered) {
    return String.format(Locale.ROOT, "%.1f %%", 100 * Math.abs(predicted - delivered) / delivered);
  }
}
