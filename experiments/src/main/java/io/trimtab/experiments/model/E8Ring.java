package io.trimtab.experiments.model;

import io.trimtab.calibrate.MeasurementFile;
import io.trimtab.calibrate.ModelBuilder;
import io.trimtab.calibrate.ModelNode;
import io.trimtab.calibrate.ModelPlan;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.lab.testbed.CassandraTestbed;
import io.trimtab.lab.testbed.Console;
import io.trimtab.lab.testbed.NodeWindow;
import io.trimtab.lab.testbed.RunResult;
import io.trimtab.lab.testbed.TestbedLoad;
import io.trimtab.models.cache.AccessHistogram;
import io.trimtab.models.cache.LruModel;
import io.trimtab.models.usage.LearnedCosts;
import io.trimtab.models.usage.ScanShape;
import io.trimtab.models.usage.UsageModel;
import io.trimtab.models.usage.UsageModel.Load;
import io.trimtab.workload.Distribution;
import io.trimtab.workload.Mix;
import io.trimtab.workload.TenantSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntToDoubleFunction;

/**
 * Cassandra's part of E8 and E9 (Cruz 2016, §5.5.2): a model of a node with a row cache is built
 * from uniform reads and updates, and asked what other distributions and mixes will use of it. The
 * hit ratio is predicted, too, from the distribution that is requested.
 */
public final class E8Ring {
  private static final ModelPlan PLAN =
      ModelPlan.quick().withoutScans().with(List.of(1.0, 0.85, 0.65, 0.45), List.of(0.3, 0.5, 0.7));
  private static final Duration FILL = Duration.ofSeconds(20);

  /**
   * Until nearly each record has been read once: three times as many reads as there are records.
   */
  private static final Duration KEYS = Duration.ofSeconds(90);

  private static final Duration FILL_UPDATED = Duration.ofSeconds(60);
  private static final Duration SETTLE = Duration.ofSeconds(8);
  private static final Duration MEASURE = Duration.ofSeconds(30);
  private static final int RECORDS = 300_000;
  private static final String TABLE = "z";
  private static final double ZIPF = 0.99;
  private static final double HOT_KEYS = 0.3;
  private static final double HOT_OPERATIONS = 0.7;

  /** Enough that the rarest record's expected count is not lost in rounding. */
  private static final double REQUESTS = 1e9;

  private static final Distribution ZIPFIAN =
      new Distribution(Distribution.Kind.ZIPFIAN, null, null);
  private static final Distribution HOTSPOT =
      new Distribution(Distribution.Kind.HOTSPOT, HOT_KEYS, HOT_OPERATIONS);

  /**
   * A load to predict.
   *
   * @param reads share of the operations; the others are updates
   * @param level intended usage
   */
  private record RingCase(String title, Distribution distribution, double reads, double level) {
    /** One of the distributions, and any share of updates. */
    private static RingCase ordinary(Random random, double level) {
      Distribution either = random.nextBoolean() ? HOTSPOT : ZIPFIAN;
      return new RingCase("ordinary", either, 0.1 + 0.9 * random.nextDouble(), level);
    }
  }

  private static final List<RingCase> CASES =
      List.of(
          new RingCase("hotspot", HOTSPOT, 1, 0.35),
          new RingCase("hotspot", HOTSPOT, 1, 0.65),
          new RingCase("zipf", ZIPFIAN, 1, 0.35),
          new RingCase("zipf", ZIPFIAN, 1, 0.65),
          new RingCase("zipf, 10 % updates", ZIPFIAN, 0.9, 0.5),
          new RingCase("zipf, 50 % updates", ZIPFIAN, 0.5, 0.5),
          new RingCase("zipf, 90 % updates", ZIPFIAN, 0.1, 0.5));

  private final Console console;
  private final Path folder;
  private final String labName;
  private final UsageRuns made;

  /** Built before; empty if it is to be built. */
  private final Optional<UsageModel> given;

  /**
   * @param made its runs so far
   * @throws io.trimtab.config.UserError if the model can't be read
   */
  public E8Ring(Console console, UsageRuns made) {
    this.console = console;
    this.folder = made.order().folder();
    this.labName = made.order().labName();
    this.made = made;
    this.given = made.model();
  }

  public Path run() throws Exception {
    TenantSpec table =
        ModelBuilder.tenant(TABLE, RECORDS, 1, 1_000, 32 << 10, CassandraTestbed.THREADS);
    var spec = ModelBuilder.ringSpec(CassandraTestbed.NODE, PLAN, List.of(table));
    try (CassandraTestbed bed =
        CassandraTestbed.open(CassandraTestbed.NODE, spec, labName, console)) {
      bed.loadAll();
      UsageModel model = model(bed);
      made.madeWith(model, "of the table");
      for (int run : made.missing()) {
        made.add(measure(bed, model, run));
        // What is known is not lost where the rest is cut off.
        write(bed);
      }
      return write(bed);
    }
  }

  private UsageModel model(CassandraTestbed bed) throws Exception {
    if (given.isEmpty()) {
      return ModelBuilder.of(bed, console, PLAN, MeasurementFile.none()).build();
    }
    bed.checkModel(given.get());
    new ModelNode(bed, console, PLAN, MeasurementFile.none()).begin();
    return given.get();
  }

  private UsageRun measure(CassandraTestbed bed, UsageModel model, int run) throws Exception {
    long seed = made.order().seed() + run - 1;
    warmKeys(bed, console);
    double before = bed.cachedRecords(bed.tenant(TABLE));
    OrdinaryLoad.Lesson lesson =
        new OrdinaryLoad(
                bed,
                console,
                (random, level) -> {
                  RingCase of = RingCase.ordinary(random, level);
                  return List.of(asking(bed, of, of.reads(), rate(model, of, before)));
                })
            .during(made.order().learn(), seed);
    LearnedCosts learned = lesson.costs(bed.nodes().get(0));
    // What it has updated is in one file with the rest, whose places are to be known.
    bed.compactAll();
    warmKeys(bed, console);
    double rows = bed.cachedRecords(bed.tenant(TABLE));
    console.step(String.format(Locale.ROOT, "the cache holds %,.0f rows of the table", rows));
    List<UsageOutcome> outcomes = new ArrayList<>();
    for (RingCase of : CASES) {
      UsageOutcome outcome = measure(bed, model, learned, rows, of, seed);
      outcomes.add(outcome);
      console.step(outcome.line());
    }
    return new UsageRun(
        run, seed, LocalDate.now(ZoneOffset.UTC).toString(), lesson, List.copyOf(outcomes));
  }

  /**
   * A miss whose place in the file is not in the key cache costs a second read from the disk. The
   * model's misses are of records that were read before; those of a skewed load are of rare ones.
   */
  private static void warmKeys(CassandraTestbed bed, Console console) throws Exception {
    bed.limit(false);
    try (TestbedLoad load = bed.readEvenly(bed.tenant(TABLE))) {
      load.follow(console, "filling the key cache", KEYS);
    }
    double bytes = bed.engine().snapshot().liveNodes().get(0).gauges().own().get("KeyCache.bytes");
    console.step(String.format(Locale.ROOT, "the key cache holds %.0f MB", bytes / 1e6));
  }

  /** How often each record is requested in the long run. */
  private static AccessHistogram asked(Distribution distribution) {
    var builder = new AccessHistogram.Builder();
    if (distribution.kind() == Distribution.Kind.HOTSPOT) {
      double hot = HOT_KEYS * RECORDS;
      builder.add(REQUESTS * HOT_OPERATIONS / hot, hot);
      builder.add(REQUESTS * (1 - HOT_OPERATIONS) / (RECORDS - hot), RECORDS - hot);
      return builder.build();
    }
    IntToDoubleFunction weight = rank -> Math.pow(rank, -ZIPF);
    double sum = 0;
    for (int rank = 1; rank <= RECORDS; rank++) {
      sum += weight.applyAsDouble(rank);
    }
    for (int rank = 1; rank <= RECORDS; rank++) {
      builder.add(REQUESTS * weight.applyAsDouble(rank) / sum, 1);
    }
    return builder.build();
  }

  /**
   * Of the row cache, of which an update throws its row out. A row is there if the last request for
   * it was a read, and within the characteristic time: so the cache is as good as one that is
   * larger by the share of the reads, for that share of the requests.
   *
   * @param rows that the cache holds
   */
  static double hits(AccessHistogram asked, double rows, double reads) {
    return reads * LruModel.ofBlocks(asked, rows / reads).hitRatio();
  }

  /** One operation a second. */
  private static Load one(RingCase of, double rows) {
    double hits = hits(asked(of.distribution()), rows, of.reads());
    return Load.withoutScans(hits, of.reads(), 1 - of.reads(), 1_000);
  }

  /** Operations a second for which the model predicts the intended usage. */
  private static double rate(UsageModel model, RingCase of, double rows) {
    return model.headroom(one(of, rows), of.level());
  }

  private UsageOutcome measure(
      CassandraTestbed bed,
      UsageModel model,
      LearnedCosts learned,
      double rows,
      RingCase of,
      long runSeed)
      throws Exception {
    String label = of.title();
    bed.limit(false);
    bed.clearCaches();
    try (TestbedLoad load = bed.start(List.of(asking(bed, of, of.reads(), null)))) {
      if (of.reads() < 1) {
        // It never gets full: rows that were updated leave it.
        load.follow(console, label + ": filling the cache", FILL_UPDATED);
      } else {
        load.fill(bed, console, label + ": filling the cache", FILL);
      }
    }
    if (of.reads() < 1) {
      // What the fill has updated is in one file with the rest.
      bed.compactAll();
    }
    bed.limit(true);
    Load one = one(of, rows);
    try (TestbedLoad load =
        bed.start(List.of(asking(bed, of, of.reads(), rate(model, of, rows))))) {
      load.follow(console, label + ": settles", SETTLE);
      int from = load.second();
      NodeGauges before = bed.measured().gauges();
      NodeWindow window = NodeWindow.measure(bed, load, console, label, MEASURE);
      NodeGauges after = bed.measured().gauges();
      RunResult result = load.finish(label, runSeed, from, load.second());
      Load served = one.times(window.opsPerSecond());
      return new UsageOutcome(
          of.title(),
          of.reads(),
          0,
          ScanShape.ONE_ROW,
          of.level(),
          one.hitRatio(),
          model.predict(served),
          UsageOutcome.Learned.of(learned, served),
          UsageOutcome.Keys.between(before, after),
          window,
          result);
    }
  }

  private static TenantSpec asking(CassandraTestbed bed, RingCase of, double reads, Double rate) {
    Mix mix = new Mix(reads, 1 - reads, null, null, null);
    return bed.tenant(TABLE).asked(mix, of.distribution(), CassandraTestbed.THREADS, rate);
  }

  private Path write(CassandraTestbed bed) throws Exception {
    List<UsageOutcome> outcomes = made.outcomes();
    ExperimentReport report =
        new ExperimentReport(folder, "E8 and E9 on Cassandra: predicted and observed usage");
    for (UsageRun run : made.made()) {
      for (int i = 0; i < run.outcomes().size(); i++) {
        report.raw("case-%d-%d.json".formatted(i + 1, run.run()), run.outcomes().get(i));
      }
    }
    report
        .paragraph(
            "Made by `./trimtab lab run E8RING --runs %d --seed %d%s` on %s. Cruz 2016, §5.5.2."
                .formatted(
                    made.order().runs(),
                    made.order().seed(),
                    given.isPresent() ? " --model model.json" : "",
                    LocalDate.now(ZoneOffset.UTC)))
        .heading("Result");
    UsageTables.summary(report, outcomes, UsageTables.Targets.CASSANDRA);
    report.paragraph(
        "Accuracy is 1 − |predicted − observed| / observed. The model is"
            + " [model.json](model.json). Costs were learned from the same node while it served"
            + " ordinary load, and count where a policy would use them.");
    UsageTables.byUpdates(report, outcomes);
    UsageTables.details(report, outcomes);
    report
        .heading("Misses")
        .paragraph(
            "A miss of the row cache looks into each file that may have the row, and reads an index"
                + " for each place that the key cache does not know. The model's misses are of one"
                + " file whose places are known; where a load's are not, it is predicted too low by"
                + " as many disk reads.");
    UsageTables.keys(report, outcomes);
    var setting = new ArrayList<>(bed.describe());
    setting.add(
        "%,d records of 1,000 bytes; %d clients; the rate is the one for which the model predicts"
                .formatted(RECORDS, CassandraTestbed.THREADS)
            + " that level of usage, at the predicted hit ratio");
    setting.add(
        "hit ratios are predicted from the distribution itself, by Che's approximation for a cache"
            + " of as many rows as the full cache held; updates evict rows");
    setting.add(
        ("before the loads of a run all files are compacted into one, and the key cache is filled"
                + " by %d s of uniform reads; row caches are emptied and filled for %d s or more,"
                + " with updates for %d s and compacted again, then %d s with limits, %d s"
                + " measured")
            .formatted(
                KEYS.toSeconds(),
                FILL.toSeconds(),
                FILL_UPDATED.toSeconds(),
                SETTLE.toSeconds(),
                MEASURE.toSeconds()));
    setting.add(UsageTables.usageFrom(outcomes));
    setting.addAll(made.setting());
    report.heading("Setting").list(setting);
    return report.write();
  }
}
