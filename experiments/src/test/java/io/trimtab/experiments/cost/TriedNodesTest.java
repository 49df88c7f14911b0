package io.trimtab.experiments.cost;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.experiments.cost.TriedNodes.Chosen;
import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.formats.ProvisioningFile;
import io.trimtab.models.capacity.ProvisioningTable.Cell;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TriedNodesTest {
  private static final Path MEASURED = Path.of("..", "docs", "experiments", "E13");

  /** The mean response times of two to four nodes under some clients. */
  private static List<Cell> cells(int clients, double... ms) {
    List<Cell> cells = new ArrayList<>();
    for (int i = 0; i < ms.length; i++) {
      cells.add(
          new Cell(
              "zipf", TriedNodes.NODE_TYPE, clients, 2 + i, ms[i], 2, Double.NaN, Double.NaN, 2));
    }
    return cells;
  }

  private static TriedNodes tried(double[] table, double... delivered) {
    return new TriedNodes(
        "zipf", cells(TriedNodes.ASKED, table), cells(TriedNodes.ASKED, delivered));
  }

  @Test
  void aTableThatIsNotTrueMissesObjectivesThatDoNotComeFromIt() {
    double[] table = {250, 155, 110};

    assertThat(tried(table, 250, 155, 110).chosen())
        .containsExactly(
            new Chosen(120, 4, 4),
            new Chosen(160, 3, 3),
            new Chosen(220, 3, 3),
            new Chosen(300, 2, 2))
        .allMatch(Chosen::right);
    assertThat(tried(table, 310, 240, 130).chosen())
        .containsExactly(
            new Chosen(120, 4, 0),
            new Chosen(160, 3, 4),
            new Chosen(220, 3, 4),
            new Chosen(300, 2, 3))
        .noneMatch(Chosen::right);
  }

  /** As docs/experiments/README.md says of what was measured. */
  @Test
  void theReportTellsWhatBecameOfEachObjective(@TempDir Path folder) throws Exception {
    ExperimentReport report = new ExperimentReport(folder, "E13");
    List<TriedNodes> measured = new ArrayList<>();
    for (String workload : List.of("zipf", "uniform")) {
      measured.add(
          new TriedNodes(
              workload,
              ProvisioningFile.rows(MEASURED.resolve("table-" + workload + ".csv")),
              ProvisioningFile.rows(MEASURED.resolve("tried-" + workload + ".csv"))));
    }
    NodesReport.chosen(report, measured);
    measured.forEach(of -> NodesReport.sizes(report, of));

    assertThat(Files.readString(report.write()))
        .contains(
            "8 of 8 choices were the smallest number",
            "| zipf | 120 ms | 4 | 4 | yes |",
            "| uniform | 120 ms | none | none | yes |",
            "| uniform | 220 ms | 4 | 4 | yes |",
            "| 3 | 155.4 ms | 152.2 ms | 2.1 % | 2.4 MB/s | 2.5 MB/s | 3.0 % | 423.3 ms |");
  }
}
