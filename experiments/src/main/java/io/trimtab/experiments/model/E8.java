package io.trimtab.experiments.model;

import io.trimtab.calibrate.MeasurementFile;
import io.trimtab.calibrate.ModelBuilder;
import io.trimtab.calibrate.ModelNode;
import io.trimtab.calibrate.ModelPlan;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.snapshot.BlockHistogram;
import io.trimtab.experiments.Experiment;
import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.formats.ModelFile;
import io.trimtab.lab.testbed.NodeWindow;
import io.trimtab.lab.testbed.RunResult;
import io.trimtab.lab.testbed.TestbedLoad;
import io.trimtab.lab.testbed.TestbedSettings;
import io.trimtab.models.usage.ScanShape;
import io.trimtab.models.usage.UsageModel;
import io.trimtab.models.usage.UsageModel.Load;
import io.trimtab.models.usage.UsageModel.Prediction;
import io.trimtab.workload.Distribution;
import io.trimtab.workload.Mix;
import io.trimtab.workload.TenantSpec;
import io.trimtab.workload.WorkloadSpec;
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
import java.util.TreeMap;

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
  private static final int RECORDS = 400_000;

  /** As many bytes: each of the ten cells has its own key. */
  private static final int WIDE_RECORDS = 280_000;

  private static final int RECORD_BYTES = 1_000;

  private static final Distribution HOTSPOT = new Distribution(Distribution.Kind.HOTSPOT, 0.3, 0.5);
  private static final Distribution SCRAMBLED =
      new Distribution(Distribution.Kind.SCRAMBLED, null, null);
  private static final Distribution CLUSTERED =
      new Distribution(Distribution.Kind.ZIPFIAN, null, null);

  /**
   * A table whose distribution of requests is not used to build the model. All scans of a table are
   * of one kind, since the plug-in knows their mean only.
   *
   * @param fields of a record of 1,000 bytes
   * @param longest rows of its scans, which have 1 to so many
   * @param rowsPerCall the most that a call fetches
   */
  private record UnseenTable(
      Distribution distribution, int records, int fields, int longest, int rowsPerCall) {
    static UnseenTable read(Distribution distribution) {
      return new UnseenTable(distribution, RECORDS, 1, 1, 1);
    }
  }

  private static final Map<String, UnseenTable> UNSEEN =
      Map.of(
          "h",
          UnseenTable.read(HOTSPOT),
          "s",
          UnseenTable.read(SCRAMBLED),
          "c",
          UnseenTable.read(CLUSTERED),
          "r",
          new UnseenTable(SCRAMBLED, RECORDS, 1, 20, 20),
          "l",
          new UnseenTable(HOTSPOT, RECORDS, 1, 100, 10),
          "k",
          new UnseenTable(CLUSTERED, WIDE_RECORDS, 10, 40, 40));

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

    double updates() {
      return Math.max(0, 1 - reads - scans);
    }

    Mix mix() {
      return new Mix(reads, updates(), null, scans, null);
    }

    /** Without updates, whose blocks are in memory. */
    Mix filling() {
      return new Mix(reads / (reads + scans), null, null, scans / (reads + scans), null);
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

  /** Built before, perhaps in a run whose other part went wrong. */
  private final Optional<UsageModel> given;

  private String built = "in the same run";

  public E8(Trial trial) {
    super(trial);
    given = trial.model();
    if (given.isPresent() && given.get().scans() == null) {
      throw new UserError("the model has no scans, which E8 predicts: build it with them");
    }
  }

  public static WorkloadSpec spec(TestbedSettings settings) {
    var tenants =
        new ArrayList<>(
            ModelBuilder.tenants(settings.node().cacheSize(), settings.threads(), PLAN));
    new TreeMap<>(UNSEEN)
        .forEach(
            (name, table) ->
                tenants.add(
                    ModelBuilder.tenant(
                            name,
                            table.records(),
                            table.fields(),
                            RECORD_BYTES / table.fields(),
                            32 << 10,
                            settings.threads())
                        .scanning(table.longest(), table.rowsPerCall())));
    return new WorkloadSpec(null, null, tenants);
  }

  @Override
  public Path run() throws Exception {
    ExperimentReport report =
        new ExperimentReport(folder, "E8 and E9: predicted and observed server usage");
    bed.loadAll();
    UsageModel model = model();
    ModelFile.write(folder.resolve("model.json"), model);
    List<UsageOutcome> outcomes = new ArrayList<>();
    for (int run = 0; run < runs; run++) {
      for (LoadCase of : CASES) {
        UsageOutcome outcome = measure(model, of, seed + run);
        outcomes.add(outcome);
        report.raw("case-%d-%d.json".formatted(CASES.indexOf(of) + 1, run + 1), outcome);
        console.step(outcome.line());
      }
    }
    for (String table : UNSEEN.keySet()) {
      String csv = HitRatios.csv(HitRatios.seen(bed, table));
      Files.writeString(folder.resolve("table-" + table + ".csv"), csv);
    }
    write(report, outcomes, model);
    return report.write();
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

  private UsageOutcome measure(UsageModel model, LoadCase of, long runSeed) throws Exception {
    String label = of.title();
    bed.limit(false);
    bed.clearCaches();
    try (TestbedLoad load = bed.start(tenants(of, of.filling(), null))) {
      load.fill(bed, console, label + ": filling the cache", FILL);
    }
    bed.limit(true);
    Map<String, Load> loads = loads(of);
    Map<String, Double> blocks = new TreeMap<>();
    loads.forEach(
        (table, load) -> blocks.put(table, load.reads() + load.scans() * load.scan().blocks()));
    double cache = bed.engine().snapshot().liveNodes().get(0).gauges().cacheMaxBytes();
    double hits = HitRatios.predict(bed, blocks, cache);
    Load one = loads.values().stream().reduce(Load.NONE, Load::plus).withHitRatio(hits);
    double rate = model.headroom(one, of.level());
    try (TestbedLoad load = bed.start(tenants(of, of.mix(), rate / of.tables().size()))) {
      load.follow(console, label + ": settles", SETTLE);
      int from = load.second();
      NodeWindow window = NodeWindow.measure(bed, load, console, label, MEASURE);
      RunResult result = load.finish(label, runSeed, from, load.second());
      // What was requested and what was done may differ a little.
      Prediction prediction = model.predict(one.times(window.opsPerSecond()));
      return new UsageOutcome(
          of.title(),
          of.reads(),
          of.scans(),
          one.scan(),
          of.level(),
          hits,
          prediction,
          window,
          result);
    }
  }

  /** Of each table, at one operation a second of all tables together; by what has been counted. */
  private Map<String, Load> loads(LoadCase of) throws EngineException {
    List<BlockHistogram> histograms = bed.engine().histograms();
    double share = 1.0 / of.tables().size();
    Map<String, Load> loads = new TreeMap<>();
    for (String table : of.tables()) {
      loads.put(
          table,
          new Load(
              1,
              share * of.reads(),
              share * of.scans(),
              of.scans() > 0 ? HitRatios.scan(histograms, table) : ScanShape.ONE_ROW,
              share * of.updates(),
              RECORD_BYTES));
    }
    return loads;
  }

  private List<TenantSpec> tenants(LoadCase of, Mix mix, Double rate) {
    return of.tables().stream()
        .map(bed::tenant)
        .map(t -> t.asked(mix, UNSEEN.get(t.name()).distribution(), t.threads(), rate))
        .toList();
  }

  private void write(ExperimentReport report, List<UsageOutcome> outcomes, UsageModel model)
      throws Exception {
    report
        .paragraph(
            "Made by `./trimtab lab run E8 --runs %d --seed %d` on %s. Cruz 2016, §5.5.1."
                .formatted(runs, seed, LocalDate.now(ZoneOffset.UTC)))
        .heading("Result");
    UsageOutcome.summary(report, outcomes);
    report.paragraph(
        "Accuracy is 1 − |predicted − observed| / observed. The model"
            + " ([model.json](model.json)) was built "
            + built
            + " from uniform reads, updates and scans; the standard deviation of its own"
            + String.format(
                Locale.ROOT,
                " measurements from it is %.1f points (reads), %.1f points (updates) and %.1f"
                    + " points (scans).",
                100 * model.readResidual(),
                100 * model.updateResidual(),
                100 * model.scans().residual()));
    UsageOutcome.details(report, outcomes);
    UsageOutcome.scans(report, outcomes);
    describe(
        report,
        List.of(
            "one RegionServer with the READ profile; %,d records of 1,000 bytes per table, %,d of"
                    .formatted(RECORDS, WIDE_RECORDS)
                + " ten columns, one region each; operations are distributed equally over the"
                + " tables",
            "a scan is one that a client begins; its calls, rows, columns and blocks are the means"
                + " that the plug-in counted of the table's scans up to when the cache was full",
            "the rate is the one for which the model predicts 30, 50 or 70 % usage at the hit ratio"
                + " predicted from the plug-in's histograms by the model of HBase's cache",
            "caches are emptied and filled for %d s or more, then %d s with limits, %d s measured"
                .formatted(FILL.toSeconds(), SETTLE.toSeconds(), MEASURE.toSeconds()),
            UsageOutcome.usageFrom(outcomes)));
  }
}
