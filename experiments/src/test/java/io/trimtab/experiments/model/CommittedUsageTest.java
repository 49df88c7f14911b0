package io.trimtab.experiments.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.trimtab.engineapi.NodeId;
import io.trimtab.experiments.Order;
import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.experiments.report.KeptRuns;
import io.trimtab.formats.ModelFile;
import io.trimtab.models.usage.LearnedCosts;
import io.trimtab.models.usage.ScanShape;
import io.trimtab.models.usage.UsageModel;
import io.trimtab.models.usage.UsageModel.Load;
import io.trimtab.models.usage.UsagePredictor;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The predictor of today against the loads that were measured for the reports. */
class CommittedUsageTest {
  private static final Path EXPERIMENTS = Path.of("..", "docs", "experiments");

  /** 1 − |predicted − observed| / observed, of each load. */
  private static List<Double> accuracies(String experiment) throws IOException {
    UsageModel model = ModelFile.read(EXPERIMENTS.resolve(experiment).resolve("model.json"));
    UsagePredictor predictor = new UsagePredictor(model);
    List<Double> all = new ArrayList<>();
    try (DirectoryStream<Path> cases =
        Files.newDirectoryStream(EXPERIMENTS.resolve(experiment), "case-*.json")) {
      for (Path file : cases) {
        JsonNode load = new ObjectMapper().readTree(file.toFile());
        JsonNode window = load.path("window");
        JsonNode usage = window.path("usage");
        double reads = load.path("reads").asDouble();
        double observed =
            usage.path("cpuUser").asDouble()
                + usage.path("cpuSystem").asDouble()
                + usage.path("ioWait").asDouble();
        double scans = load.path("scans").asDouble();
        JsonNode scan = load.path("scan");
        Load one =
            new Load(
                    load.path("hits").asDouble(),
                    reads,
                    scans,
                    new ScanShape(
                        scan.path("calls").asDouble(1),
                        scan.path("rows").asDouble(1),
                        scan.path("columns").asDouble(1),
                        scan.path("blocks").asDouble(1)),
                    Math.max(0, 1 - reads - scans),
                    1_000)
                .times(window.path("opsPerSecond").asDouble());
        all.add(1 - Math.abs(predictor.usage(one) - observed) / observed);
      }
    }
    return all;
  }

  @Test
  void hbaseLoadsAreToldAsWellAsIsAsked() throws IOException {
    List<Double> accuracies = accuracies("E8/estimated-waits");

    assertThat(accuracies).hasSizeGreaterThanOrEqualTo(11).allMatch(a -> a >= 0.90);
    assertThat(accuracies.stream().mapToDouble(a -> a).average().orElseThrow())
        .isGreaterThanOrEqualTo(0.97);
  }

  /** Below what is asked (97 and 90 %), and as the report has it. */
  @Test
  void hbaseLoadsWithMeasuredWaitsAreToldAsTheReportSays() throws IOException {
    List<Double> accuracies = accuracies("E8");

    assertThat(accuracies).hasSize(17).allMatch(a -> a >= 0.87);
    assertThat(accuracies.stream().mapToDouble(a -> a).average().orElseThrow())
        .isBetween(0.93, 0.95);
  }

  /** Of a report, copied: to open them may change the folder. */
  private static UsageRuns runs(String report, Path folder) throws IOException {
    for (String file : List.of("runs.json", "model.json")) {
      Files.copy(EXPERIMENTS.resolve(report).resolve(file), folder.resolve(file));
    }
    return UsageRuns.open(
        "E8",
        new Order(
            1,
            7,
            folder,
            Optional.empty(),
            "lab",
            KeptRuns.Start.CONTINUE,
            List.of(),
            Optional.empty(),
            Duration.ofHours(1)));
  }

  /** What decision 0052 and docs/results.md say of the hour of run 1, as it is learned from now. */
  @Test
  void fromTheKeptHourCostsAreLearnedAsTheDecisionSays(@TempDir Path folder) throws Exception {
    UsageRun run = runs("E8", folder).made().get(0);
    LearnedCosts costs = run.lesson().costs(new NodeId("node"));
    List<Double> all = new ArrayList<>();
    List<Double> used = new ArrayList<>();
    int inside = 0;
    for (UsageOutcome of : run.outcomes()) {
      Load load =
          new Load(of.hits(), of.reads(), of.scans(), of.scan(), 1 - of.reads() - of.scans(), 1_000)
              .times(of.window().opsPerSecond());
      UsageOutcome.Learned now = UsageOutcome.Learned.of(costs, load);
      double observed = of.window().usage().server();
      all.add(of.accuracy(now.usage()));
      if (now.known()) {
        used.add(of.accuracy(now.usage()));
      }
      inside += Math.abs(now.usage() - observed) <= now.width() ? 1 : 0;
    }

    assertThat(mean(all)).isCloseTo(0.87, within(0.005));
    assertThat(Collections.min(all)).isCloseTo(0.50, within(0.005));
    assertThat(used).hasSize(15);
    assertThat(mean(used)).isCloseTo(0.89, within(0.005));
    assertThat(Collections.min(used)).isCloseTo(0.77, within(0.005));
    assertThat(inside).isEqualTo(12);
  }

  /** What docs/results.md says of intervals; the report counted those too wide to be wrong. */
  @Test
  void intervalsHoldWhatWasSeenAsTheResultsSay(@TempDir Path folder) throws IOException {
    ExperimentReport report = new ExperimentReport(folder, "E8");
    UsageTables.summary(report, runs("E8", folder).outcomes(), UsageTables.Targets.HBASE);

    assertThat(Files.readString(report.write()))
        .contains(
            "| – | – | 8 of 17, 9 too wide to tell (mean ± 17.4 points) | – | 4 of 17 (mean ± 4.2"
                + " points) |");
  }

  private static double mean(List<Double> values) {
    return values.stream().mapToDouble(v -> v).average().orElseThrow();
  }

  /** A table that E8 prints by now, in the report of a run from before. */
  @Test
  void theReportTellsWhatAMissHasWaitedFor(@TempDir Path folder) throws IOException {
    List<UsageOutcome> outcomes = runs("E8/wrong-waits", folder).outcomes();
    ExperimentReport report = new ExperimentReport(folder, "E8");
    UsageTables.waits(report, outcomes);

    List<String> table =
        Files.readAllLines(report.write()).stream().filter(line -> line.startsWith("|")).toList();
    assertThat(table).hasSize(2 + 8);
    assertThat(Files.readAllLines(EXPERIMENTS.resolve("E8/wrong-waits").resolve("README.md")))
        .containsAll(table);
  }
}
