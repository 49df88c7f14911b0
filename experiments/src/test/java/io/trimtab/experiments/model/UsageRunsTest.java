package io.trimtab.experiments.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trimtab.config.UserError;
import io.trimtab.controller.learn.NodeLearning;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.WaitSource;
import io.trimtab.experiments.Order;
import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.experiments.report.KeptRuns;
import io.trimtab.formats.ModelFile;
import io.trimtab.lab.testbed.NodeWindow;
import io.trimtab.lab.testbed.RunResult;
import io.trimtab.models.usage.CostLearner;
import io.trimtab.models.usage.CostSample;
import io.trimtab.models.usage.ScanShape;
import io.trimtab.models.usage.UsageModel;
import io.trimtab.models.usage.UsageModel.Load;
import io.trimtab.models.usage.UsageModel.Prediction;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UsageRunsTest {
  private static final Path MODEL = Path.of("..", "docs", "experiments", "E8RING", "model.json");
  private static final NodeId NODE = new NodeId("n1:9042");
  private static final String ASKED = "of the table";

  @TempDir private Path folder;

  /** Reads of 1 ms, of a node that idles at 2 %. */
  private static CostLearner learner() {
    CostLearner learner = CostLearner.NOTHING;
    for (int i = 0; i < 120; i++) {
      double reads = 100 + 5 * i;
      learner = learner.with(new CostSample(reads, 0, 0, 0, 0, 0.02 + 1e-3 * reads, 0));
    }
    return learner;
  }

  private static OrdinaryLoad.Lesson lesson() {
    return new OrdinaryLoad.Lesson(
        60,
        120,
        WaitSource.DELAY_ACCOUNTING.text(),
        new NodeLearning.Kept(
            Map.of(0, new NodeLearning.KeptKind(Map.of("cores", "1.5"), learner().kept())),
            Map.of(NODE.name(), 0)),
        List.of(new CostSample(100, 0, 0, 0, 0, 0.12, 0)));
  }

  private static UsageOutcome outcome(double reads, double observed, UsageOutcome.Learned learned) {
    return outcome(reads, observed, 0.05, learned);
  }

  /**
   * @param width half of the built model's interval
   */
  private static UsageOutcome outcome(
      double reads, double observed, double width, UsageOutcome.Learned learned) {
    return new UsageOutcome(
        reads == 1 ? "zipf" : "zipf, some updates",
        reads,
        0,
        ScanShape.ONE_ROW,
        0.5,
        reads == 1 ? 0.91 : 0.888,
        new Prediction(0.5, 0.5 - width, 0.5 + width, 0.5, 0, 0, 0, List.of()),
        learned,
        new UsageOutcome.Keys(1.5, 0.8),
        new NodeWindow(
            new NodeUsage(observed / 2, observed / 4, observed / 4, 1, WaitSource.PRESSURE),
            0.9,
            1 << 20,
            500),
        new RunResult("zipf", 7, Map.of("z", new double[] {500, 500}), 0, 2, 0, 0, 0, 0, 0));
  }

  private static List<UsageOutcome> outcomes() {
    return List.of(
        outcome(1, 0.5, new UsageOutcome.Learned(0.52, 0.02, "")),
        outcome(1, 0.4, new UsageOutcome.Learned(0.9, 0.2, "± 20 points, too little variation")),
        outcome(0.5, 0.625, new UsageOutcome.Learned(0.5, 0.02, "")));
  }

  private Order order(KeptRuns.Start start, Duration learn, Optional<Path> model) {
    return new Order(3, 7, folder, model, "lab", start, List.of(), Optional.empty(), learn);
  }

  private static UsageRun run(int number) {
    return new UsageRun(number, 6 + number, "2026-11-27", lesson(), outcomes());
  }

  @Test
  void aRunIsKeptAsItEndsAndTheOthersAreMadeLater() throws Exception {
    Duration hour = Duration.ofHours(1);
    UsageRuns first = UsageRuns.open("E8RING", order(KeptRuns.Start.NEW, hour, Optional.of(MODEL)));
    UsageModel model = first.model().orElseThrow();
    first.madeWith(model, ASKED);
    assertThat(first.missing()).containsExactly(1, 2, 3);
    first.add(run(2));

    UsageRuns later =
        UsageRuns.open("E8RING", order(KeptRuns.Start.CONTINUE, hour, Optional.empty()));
    later.madeWith(later.model().orElseThrow(), ASKED);
    assertThat(later.missing()).containsExactly(1, 3);
    assertThat(later.outcomes()).hasSize(3);
    UsageOutcome read = later.outcomes().get(0);
    assertThat(read.window().usage().server()).isCloseTo(0.5, within(1e-9));
    assertThat(read.learned()).isEqualTo(outcomes().get(0).learned());
    OrdinaryLoad.Lesson lesson = later.made().get(0).lesson();
    assertThat(lesson.costs(NODE).costs()[0]).isCloseTo(1e-3, within(1e-5));
    assertThat(lesson.samples()).isEqualTo(lesson().samples()).hasSize(1);
  }

  /** E8's first run was made before samples, and the most that was seen, were kept. */
  @Test
  void aRunOfBeforeSamplesWereKeptIsRead() throws Exception {
    String kept = "\"highest\"";
    Duration hour = Duration.ofHours(1);
    UsageRuns first = UsageRuns.open("E8RING", order(KeptRuns.Start.NEW, hour, Optional.of(MODEL)));
    first.madeWith(first.model().orElseThrow(), ASKED);
    first.add(run(1));
    Path file = folder.resolve("runs.json");
    JsonMapper json = new JsonMapper();
    JsonNode all = json.readTree(file.toFile());
    ObjectNode lesson = (ObjectNode) all.path("runs").get(0).path("lesson");
    lesson.remove("samples");
    ((ObjectNode) lesson.at("/kept/kinds/0/costs")).remove("highest");
    assertThat(Files.readString(file)).contains(kept);
    json.writeValue(file.toFile(), all);
    assertThat(Files.readString(file)).doesNotContain(kept);

    UsageRuns later =
        UsageRuns.open("E8RING", order(KeptRuns.Start.CONTINUE, hour, Optional.empty()));

    OrdinaryLoad.Lesson read = later.made().get(0).lesson();
    assertThat(read.samples()).isEmpty();
    assertThat(read.costs(NODE).costs()[0]).isCloseTo(1e-3, within(1e-5));
  }

  @Test
  void runsOfAnotherModelOrAnotherHourAreNotMixed() throws Exception {
    UsageRuns first =
        UsageRuns.open(
            "E8RING", order(KeptRuns.Start.NEW, Duration.ofHours(1), Optional.of(MODEL)));
    first.madeWith(first.model().orElseThrow(), ASKED);
    first.add(run(1));

    UsageRuns shorter =
        UsageRuns.open(
            "E8RING", order(KeptRuns.Start.CONTINUE, Duration.ofMinutes(20), Optional.empty()));
    assertThatThrownBy(() -> shorter.madeWith(shorter.model().orElseThrow(), ASKED))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("60 minutes of ordinary load of the table");
    Path other = MODEL.resolveSibling("../E8/estimated-waits/model.json");
    UsageRuns another =
        UsageRuns.open(
            "E8RING", order(KeptRuns.Start.CONTINUE, Duration.ofHours(1), Optional.of(other)));
    assertThatThrownBy(() -> another.madeWith(ModelFile.read(other), ASKED))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("are of the model in its model.json, now it would be another");
    assertThat(ModelFile.read(folder.resolve("model.json")))
        .as("nothing is half done")
        .isEqualTo(ModelFile.read(MODEL));
  }

  @Test
  void whatIsLearnedCountsOnlyWhereItWouldBeUsed() throws Exception {
    ExperimentReport report = new ExperimentReport(folder, "E8");
    UsageTables.summary(report, outcomes(), UsageTables.Targets.CASSANDRA);
    UsageTables.byUpdates(report, outcomes());
    UsageTables.details(report, outcomes());
    UsageTables.keys(report, outcomes());

    // Built: 100, 75 and 80 %. Learned: 96 and 80 %, and of the second load it says nothing.
    assertThat(Files.readString(report.write()))
        .contains(
            "| mean | 94 % | ≥ 92 % | 85.0 % | ≥ 90 % | 88.0 % |",
            "| worst | 88 % | ≥ 85 % | 75.0 % | ≥ 82 % | 80.0 % |",
            "| within the prediction's interval | – | – | 1 of 3 (mean ± 5.0 points) | – | 1 of 2"
                + " (mean ± 3.9 points) |",
            "| not certain enough to be used | – | – | – | – | 1 of 3 |",
            "| hit ratio, mean error | – | – | 1.1 points | – | – |",
            "| hit ratio, worst error | – | – | 1.2 points | – | – |",
            "| without | 2 | 87.5 % | 75.0 % |",
            "| with updates | 1 | 80.0 % | 80.0 % | 80.0 % | -12.5 points |",
            "52.0 % ± 3.9 | 96.0 % |  |",
            "± 20 points, too little variation |",
            "| zipf | 50.00 | 1.50 | 80.0 % | 1.80 | 2.50 ms |");
  }

  /** Which of them holds what was seen says something only where it could have been otherwise. */
  @Test
  void anIntervalThatHoldsNearlyAnythingIsNotCountedAsRight() throws Exception {
    UsageOutcome.Learned narrow = new UsageOutcome.Learned(0.5, 0.01, "");
    UsageOutcome.Learned wide = new UsageOutcome.Learned(0.5, 0.08, "");
    ExperimentReport report = new ExperimentReport(folder, "E8");
    UsageTables.summary(
        report,
        List.of(
            outcome(1, 0.55, 0.09, narrow),
            outcome(1, 0.6, 0.3, wide),
            outcome(1, 0.9, 0.3, wide),
            outcome(1, 0.51, 0.31, narrow)),
        UsageTables.Targets.HBASE);

    assertThat(Files.readString(report.write()))
        .contains(
            "| within the prediction's interval | – | – | 1 of 4, 2 too wide to tell (mean ± 25.0"
                + " points) | – | 1 of 4, 1 too wide to tell (mean ± 8.8 points) |");
  }

  @Test
  void ofHbaseHitRatiosAreJudgedToo() throws Exception {
    ExperimentReport report = new ExperimentReport(folder, "E8");
    UsageTables.summary(report, outcomes(), UsageTables.Targets.HBASE);

    assertThat(Files.readString(report.write()))
        .contains(
            "| mean | 94 % | ≥ 97 % | 85.0 % | ≥ 94 % | 88.0 % |",
            "| hit ratio, mean error | – | ≤ 0.5 points | 1.1 points | – | – |",
            "| hit ratio, worst error | – | ≤ 1.0 points | 1.2 points | – | – |");
  }

  @Test
  void whereAMissLooksForItsRowIsCountedBetweenTwoLooks() {
    NodeGauges before = gauges(100, 1_000, 900);
    NodeGauges after = gauges(300, 1_500, 1_300);

    assertThat(UsageOutcome.Keys.between(before, after)).isEqualTo(new UsageOutcome.Keys(2.5, 0.8));
    assertThat(UsageOutcome.Keys.between(before, NodeGauges.UNKNOWN).hits()).isNaN();
  }

  private static NodeGauges gauges(long misses, double requests, double hits) {
    return new NodeGauges(
        -1,
        -1,
        -1,
        0,
        misses,
        -1,
        -1,
        -1,
        -1,
        -1,
        -1,
        -1,
        Map.of("KeyCache.requests", requests, "KeyCache.hits", hits));
  }

  @Test
  void whatPoliciesWouldNotUseHasItsReason() {
    UsageOutcome.Learned known = UsageOutcome.Learned.of(learner().costs(), Load.ofReads(1, 400));
    UsageOutcome.Learned unknown =
        UsageOutcome.Learned.of(learner().costs(), Load.ofReads(0.5, 400));

    assertThat(known.known()).isTrue();
    assertThat(known.usage()).isCloseTo(0.42, within(0.01));
    assertThat(unknown.known()).isFalse();
    assertThat(unknown.doubt()).contains("misses between 0.0 and 0.0/s lately, 200/s now");
  }

  @Test
  void ordinaryLoadAsksOfSomeTablesInOtherShares() {
    Random random = new Random(3);
    Set<Integer> sizes = new TreeSet<>();
    Set<String> asked = new TreeSet<>();
    for (int i = 0; i < 200; i++) {
      List<UnseenTables.Part> parts = UnseenTables.ordinary(random);
      double sum = parts.stream().mapToDouble(UnseenTables.Part::share).sum();
      assertThat(sum).isCloseTo(1, within(1e-9));
      assertThat(parts)
          .allMatch(part -> part.reads() + part.scans() > 0 && part.reads() + part.scans() <= 1)
          .allMatch(part -> part.scans() > 0 == Set.of("k", "l", "r").contains(part.table()));
      sizes.add(parts.size());
      parts.forEach(part -> asked.add(part.table()));
    }

    assertThat(sizes).containsExactly(1, 2, 3, 4, 5, 6);
    assertThat(asked).containsExactly("c", "h", "k", "l", "r", "s");
  }
}
