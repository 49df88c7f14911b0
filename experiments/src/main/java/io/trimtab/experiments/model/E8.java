package io.trimtab.experiments.model;

import io.trimtab.calibrate.MeasurementFile;
import io.trimtab.calibrate.ModelBuilder;
import io.trimtab.calibrate.ModelNode;
import io.trimtab.calibrate.ModelPlan;
import io.trimtab.config.UserError;
import io.trimtab.experiments.Experiment;
import io.trimtab.experiments.model.UnseenTables.Part;
import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.lab.testbed.NodeWindow;
import io.trimtab.lab.testbed.RunResult;
import io.trimtab.lab.testbed.TestbedLoad;
import io.trimtab.lab.testbed.TestbedSettings;
import io.trimtab.models.usage.LearnedCosts;
import io.trimtab.models.usage.UsageModel;
import io.trimtab.models.usage.UsageModel.Load;
import io.trimtab.workload.WorkloadSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * HBase's part of E8 and E9: a model is built from uniform reads, updates and scans, and predicts
 * the usage of other distributions, mixes and several tables, using predicted hit ratios only (Cruz
 * 2016, §5.5.1, Figures 5.5 to 5.7). The thesis does not validate scans (§5.3.2); here a part of
 * the loads scans, in one call or in several, and what a scan asks for is as the plug-in counted
 * it.
 */
public final class E8 extends Experiment {
  private static final ModelPlan PLAN = ModelPlan.quick();
  private static final Duration FILL = Duration.ofSeconds(20);
  private static final Duration SETTLE = Duration.ofSeconds(8);
  private static final Duration MEASURE = Duration.ofSeconds(30);

  /**
   * A load to predict.
   *
   * @param tables tables that share its operations equally
   * @param reads share of the operations
   * @param scans share of the operations; what is neither is an update
   * @param level intended usage
   */
  private record LoadCase(
      String title, List<String> tables, double reads, double scans, double level) {
    LoadCase(String title, List<String> tables, double reads, double level) {
      this(title, tables, reads, 0, level);
    }

    List<Part> parts() {
      double share = 1.0 / tables.size();
      return tables.stream().map(table -> new Part(table, share, reads, scans)).toList();
    }
  }

  private static final List<LoadCase> CASES =
      List.of(
          new LoadCase("hotspot", List.of("h"), 1, 0.3),
          new LoadCase("hotspot", List.of("h"), 1, 0.7),
          new LoadCase("zipf scrambled", List.of("s"), 1, 0.3),
          new LoadCase("zipf scrambled", List.of("s"), 1, 0.7),
          new LoadCase("zipf clustered", List.of("c"), 1, 0.3),
          new LoadCase("zipf clustered", List.of("c"), 1, 0.7),
          new LoadCase("hotspot and zipf clustered", List.of("h", "c"), 1, 0.5),
          new LoadCase("all three", List.of("h", "s", "c"), 1, 0.5),
          new LoadCase("zipf scrambled, 10 % updates", List.of("s"), 0.9, 0.5),
          new LoadCase("zipf scrambled, 50 % updates", List.of("s"), 0.5, 0.5),
          new LoadCase("zipf scrambled, 90 % updates", List.of("s"), 0.1, 0.5),
          new LoadCase("scans of 1 to 20 rows, zipf scrambled", List.of("r"), 0, 1, 0.5),
          new LoadCase("scans of 1 to 100 rows by tens, hotspot", List.of("l"), 0, 1, 0.3),
          new LoadCase("scans of 1 to 100 rows by tens, hotspot", List.of("l"), 0, 1, 0.5),
          new LoadCase("scans of ten columns, zipf clustered", List.of("k"), 0, 1, 0.5),
          new LoadCase("60 % reads, 20 % scans, 20 % updates", List.of("r"), 0.6, 0.2, 0.5),
          new LoadCase("both kinds of scans", List.of("l", "k"), 0, 1, 0.5));

  private final UsageRuns made;
  private final UnseenTables tables;

  /** Built before, perhaps in a run whose other part went wrong. */
  private final Optional<UsageModel> given;

  private String built = "in the same run";

  /**
   * @param made its runs so far
   * @throws UserError if the model has no scans
   */
  public E8(Trial trial, UsageRuns made) {
    super(trial);
    this.made = made;
    tables = new UnseenTables(bed);
    given = trial.model();
    if (given.isPresent() && given.get().scans() == null) {
      throw new UserError("the model has no scans, which E8 predicts: build it with them");
    }
  }

  public static WorkloadSpec spec(TestbedSettings settings) {
    var tenants =
        new ArrayList<>(
            ModelBuilder.tenants(settings.node().cacheSize(), settings.threads(), PLAN));
    tenants.addAll(UnseenTables.tenants(settings.threads()));
    return new WorkloadSpec(null, null, tenants);
  }

  @Override
  public Path run() throws Exception {
    bed.loadAll();
    UsageModel model = model();
    made.madeWith(model, "of one to all of the tables");
    for (int run : made.missing()) {
      made.add(measure(model, run));
      // What is known is not lost where the rest is cut off.
      write(model);
    }
    tables.writeCounts(folder);
    return write(model);
  }

  private UsageModel model() throws Exception {
    if (given.isEmpty()) {
      // Half an hour of measurements: an interrupted run continues with them.
      MeasurementFile memory = MeasurementFile.of(folder.resolve("model.json.partial"), true);
      if (memory.size() > 0) {
        built = "in the same run, with " + memory.size() + " measurements of an interrupted one,";
        console.step(memory.size() + " measurements are known from an interrupted run");
      }
      UsageModel model = ModelBuilder.of(bed, console, PLAN, memory).build();
      memory.forget();
      return model;
    }
    built = "in an earlier run, on a separate node";
    bed.checkModel(given.get());
    new ModelNode(bed, console, PLAN, MeasurementFile.none()).begin();
    return given.get();
  }

  private UsageRun measure(UsageModel model, int run) throws Exception {
    long its = seed + run - 1;
    bed.limit(false);
    bed.clearCaches();
    try (TestbedLoad load = bed.start(tables.filling(UnseenTables.warming()))) {
      load.fill(bed, console, "all tables: filling the cache", FILL);
    }
    OrdinaryLoad.Lesson lesson =
        new OrdinaryLoad(
                bed,
                console,
                (random, level) -> {
                  List<Part> parts = UnseenTables.ordinary(random);
                  return tables.asking(parts, model.headroom(tables.one(parts), level));
                })
            .during(made.order().learn(), its);
    LearnedCosts learned = lesson.costs(bed.nodes().get(0));
    // Rows that its updates have left in memory would make reads dearer than the model knows.
    bed.compactAll();
    List<UsageOutcome> outcomes = new ArrayList<>();
    for (LoadCase of : CASES) {
      UsageOutcome outcome = measure(model, learned, of, its);
      outcomes.add(outcome);
      console.step(outcome.line());
    }
    return new UsageRun(
        run, its, LocalDate.now(ZoneOffset.UTC).toString(), lesson, List.copyOf(outcomes));
  }

  private UsageOutcome measure(UsageModel model, LearnedCosts learned, LoadCase of, long runSeed)
      throws Exception {
    String label = of.title();
    bed.limit(false);
    bed.clearCaches();
    try (TestbedLoad load = bed.start(tables.filling(of.parts()))) {
      load.fill(bed, console, label + ": filling the cache", FILL);
    }
    bed.limit(true);
    Load one = tables.one(of.parts());
    double rate = model.headroom(one, of.level());
    try (TestbedLoad load = bed.start(tables.asking(of.parts(), rate))) {
      load.follow(console, label + ": settles", SETTLE);
      int from = load.second();
      NodeWindow window = NodeWindow.measure(bed, load, console, label, MEASURE);
      RunResult result = load.finish(label, runSeed, from, load.second());
      // What was requested and what was done may differ a little.
      Load served = one.times(window.opsPerSecond());
      return new UsageOutcome(
          of.title(),
          of.reads(),
          of.scans(),
          one.scan(),
          of.level(),
          one.hitRatio(),
          model.predict(served),
          UsageOutcome.Learned.of(learned, served),
          null,
          window,
          result);
    }
  }

  private Path write(UsageModel model) throws Exception {
    List<UsageOutcome> outcomes = made.outcomes();
    ExperimentReport report =
        new ExperimentReport(folder, "E8 and E9: predicted and observed server usage");
    for (UsageRun run : made.made()) {
      for (int i = 0; i < run.outcomes().size(); i++) {
        report.raw("case-%d-%d.json".formatted(i + 1, run.run()), run.outcomes().get(i));
      }
    }
    report
        .paragraph(
            "Made by `./trimtab lab run E8 --runs %d --seed %d` on %s. Cruz 2016, §5.5.1."
                .formatted(runs, seed, LocalDate.now(ZoneOffset.UTC)))
        .heading("Result");
    UsageTables.summary(report, outcomes, UsageTables.Targets.HBASE);
    report.paragraph(
        "Accuracy is 1 − |predicted − observed| / observed. The model"
            + " ([model.json](model.json)) was built "
            + built
            + " from uniform reads, updates and scans; the standard deviation of its own"
            + String.format(
                Locale.ROOT,
                " measurements from it is %.1f points (reads), %.1f points (updates) and %.1f"
                    + " points (scans). Costs were learned from the same node while it served"
                    + " ordinary load, and count where a policy would use them.",
                100 * model.readResidual(),
                100 * model.updateResidual(),
                100 * model.scans().residual()));
    UsageTables.byUpdates(report, outcomes);
    UsageTables.details(report, outcomes);
    UsageTables.waits(report, outcomes);
    UsageTables.scans(report, outcomes);
    List<String> setting =
        new ArrayList<>(
            List.of(
                "one RegionServer with the READ profile; %,d records of 1,000 bytes per table, %,d"
                        .formatted(UnseenTables.RECORDS, UnseenTables.WIDE_RECORDS)
                    + " of ten columns, one region each; operations are distributed equally over"
                    + " the tables",
                "a scan is one that a client begins; its calls, rows, columns and blocks are the"
                    + " means that the plug-in counted of the table's scans up to when the cache"
                    + " was full",
                "the rate is the one for which the model predicts 30, 50 or 70 % usage at the hit"
                    + " ratio predicted from the plug-in's histograms by the model of HBase's"
                    + " cache",
                "caches are emptied and filled for %d s or more, then %d s with limits, %d s"
                        .formatted(FILL.toSeconds(), SETTLE.toSeconds(), MEASURE.toSeconds())
                    + " measured",
                UsageTables.usageFrom(outcomes)));
    setting.addAll(made.setting());
    describe(report, setting);
    return report.write();
  }
}
