package io.trimtab.experiments.placement;

import io.trimtab.calibrate.ModelBuilder;
import io.trimtab.config.UserError;
import io.trimtab.controller.place.Assignment;
import io.trimtab.controller.place.UsagePacking;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.experiments.Experiment;
import io.trimtab.experiments.model.HitRatios;
import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.lab.testbed.PartitionSlot;
import io.trimtab.lab.testbed.RunResult;
import io.trimtab.lab.testbed.TestbedLoad;
import io.trimtab.lab.testbed.TestbedSettings;
import io.trimtab.models.cache.CacheLoad;
import io.trimtab.models.usage.UsageModel;
import io.trimtab.models.usage.UsageModel.Load;
import io.trimtab.models.usage.UsagePredictor;
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
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * How many nodes the same load needs when partitions are placed by their requests a second, and
 * when they are placed by the usage that a model predicts (Cruz 2016, §6.3, Tables 6.2 and 6.3;
 * there with TPC-C, here with tenants of which some read, some update, and some miss the cache).
 */
public final class E11 extends Experiment {
  private static final Duration FILL = Duration.ofSeconds(25);
  private static final Duration SETTLE = Duration.ofSeconds(8);
  private static final Duration MEASURE = Duration.ofSeconds(45);
  private static final Duration COUNT = Duration.ofSeconds(30);

  /** A server that has just started runs interpreted code, and uses a third more. */
  private static final Duration WORK_IN = Duration.ofSeconds(75);

  /** Requests of a fill, beside those of the load itself. */
  private static final double FILL_TIMES = 8;

  private static final int WORK_THREADS = 4;
  private static final int LEAST_NODES = 2;

  /** The load is scaled to what so many nodes are predicted to serve at such a usage. */
  private static final int MEANT_NODES = 3;

  /** The usage policy's default target. */
  private static final double MEANT_USAGE = 0.70;

  /** MeT's default threshold, above which a node is overloaded. */
  private static final double OVERLOADED = 0.80;

  private static final double SERVED = 0.97;
  private static final long PREDICTIONS = 100_000;
  private static final int HALVINGS = 40;
  private static final double SCALE_MOST = 20;

  /**
   * A table's load.
   *
   * @param rate operations a second before scaling
   * @param reads share of the operations; the others are updates
   */
  private record Tenant(
      String name, int records, double rate, double reads, Distribution distribution) {}

  private static final Distribution ZIPF =
      new Distribution(Distribution.Kind.SCRAMBLED, null, null);

  private static final List<Tenant> TENANTS =
      List.of(
          new Tenant("hot1", 30_000, 700, 1, ZIPF),
          new Tenant("hot2", 30_000, 300, 1, ZIPF),
          new Tenant("upd1", 30_000, 60, 0.2, ZIPF),
          new Tenant("upd2", 30_000, 60, 0.2, ZIPF),
          new Tenant("upd3", 30_000, 60, 0.2, ZIPF),
          new Tenant("upd4", 30_000, 60, 0.2, ZIPF),
          new Tenant("cold1", 150_000, 25, 1, Distribution.UNIFORM),
          new Tenant("cold2", 150_000, 25, 1, Distribution.UNIFORM),
          new Tenant("cold3", 150_000, 25, 1, Distribution.UNIFORM),
          new Tenant("cold4", 150_000, 25, 1, Distribution.UNIFORM),
          new Tenant("idle1", 20_000, 1, 1, Distribution.UNIFORM),
          new Tenant("idle2", 20_000, 1, 1, Distribution.UNIFORM),
          new Tenant("idle3", 20_000, 1, 1, Distribution.UNIFORM));

  /** What decides who goes where. */
  private enum Arm {
    REQUESTS("by requests a second"),
    USAGE("by predicted usage");

    private final String title;

    Arm(String title) {
      this.title = title;
    }
  }

  /**
   * One arm on so many nodes.
   *
   * @param nodeOf by tenant
   * @param predicted usage, by node
   * @param usage observed, by node
   * @param asked operations a second
   */
  private record Outcome(
      Arm arm,
      int nodes,
      int[] nodeOf,
      double[] predicted,
      double[] usage,
      double asked,
      double served,
      RunResult result) {
    double most() {
      return Arrays.stream(usage).max().orElse(Double.NaN);
    }

    boolean enough() {
      return served >= SERVED * asked && most() <= OVERLOADED;
    }
  }

  private final UsageModel model;

  public E11(Trial trial) {
    super(trial);
    model = trial.model().orElseThrow();
  }

  /**
   * The model of this bed's nodes, which E8 leaves.
   *
   * @throws UserError where there is none
   */
  public static Path modelFile(Path folder) {
    Path file = folder.toAbsolutePath().resolveSibling("E8").resolve("model.json");
    if (!Files.exists(file)) {
      throw new UserError(
          file + ": is missing; E11 needs the model that lab run E8 makes, or --model FILE");
    }
    return file;
  }

  public static WorkloadSpec spec(TestbedSettings settings) {
    return new WorkloadSpec(
        null,
        null,
        TENANTS.stream()
            .map(
                t ->
                    ModelBuilder.tenant(
                            t.name(),
                            t.records(),
                            1,
                            1_000,
                            Profile.READ.blockSizeBytes(),
                            settings.threads())
                        .asked(mix(t.reads()), t.distribution(), settings.threads(), t.rate()))
            .toList());
  }

  private static Mix mix(double reads) {
    return new Mix(reads, 1 - reads, null, null, null);
  }

  @Override
  public Path run() throws Exception {
    ExperimentReport report =
        new ExperimentReport(folder, "E11: nodes needed, by requests and by predicted usage");
    for (int node = 0; node < bed.size(); node++) {
      bed.applyProfile(node, Profile.READ);
    }
    bed.checkModel(model);
    bed.load(placement(IntStream.range(0, TENANTS.size()).map(i -> i % bed.size()).toArray()));
    bed.compactAll();
    workIn();
    count();
    double cache = bed.engine().snapshot().liveNodes().get(0).gauges().cacheMaxBytes();
    List<UsagePacking.Item> base = items(1);
    var predictor = new UsagePredictor(model);
    double scale = scale(predictor, base, cache);
    List<UsagePacking.Item> items = items(scale);
    console.step(String.format(Locale.ROOT, "the load is scaled by %.2f", scale));
    var outcomes = new ArrayList<Outcome>();
    var enough = EnumSet.noneOf(Arm.class);
    for (int nodes = LEAST_NODES; nodes <= bed.size(); nodes++) {
      // In turns, so that what changes with time is no arm's alone.
      for (Arm arm : EnumSet.complementOf(enough)) {
        int[] nodeOf = place(arm, predictor, items, scale, nodes, cache);
        double[] predicted = predicted(predictor, items, nodeOf, nodes, cache);
        Outcome outcome = measure(arm, nodes, nodeOf, predicted, scale);
        outcomes.add(outcome);
        report.raw("%s-%d.json".formatted(arm.name().toLowerCase(Locale.ROOT), nodes), outcome);
        console.step(
            String.format(
                Locale.ROOT,
                "%s on %d nodes: %.0f of %.0f ops/s, usage %s (predicted %s)",
                arm.title,
                nodes,
                outcome.served(),
                outcome.asked(),
                percents(outcome.usage()),
                percents(outcome.predicted())));
        if (outcome.enough()) {
          enough.add(arm);
        }
      }
    }
    write(report, outcomes, scale, bed.verify());
    return report.write();
  }

  private static Map<PartitionSlot, Integer> placement(int[] nodeOf) {
    var placement = new TreeMap<PartitionSlot, Integer>();
    for (int i = 0; i < nodeOf.length; i++) {
      placement.put(new PartitionSlot(TENANTS.get(i).name(), 0), nodeOf[i]);
    }
    return placement;
  }

  private void workIn() throws Exception {
    bed.limit(false);
    var all =
        TENANTS.stream()
            .map(
                t ->
                    bed.tenant(t.name())
                        .asked(mix(t.reads()), t.distribution(), WORK_THREADS, null))
            .toList();
    try (TestbedLoad load = bed.start(all)) {
      load.follow(console, "the nodes work themselves in", WORK_IN);
    }
  }

  /** Has the plug-in see which blocks are asked for. */
  private void count() throws Exception {
    bed.engine().startCounting();
    bed.limit(false);
    try (TestbedLoad load = bed.start(tenants(FILL_TIMES, true))) {
      load.follow(console, "counting which blocks are asked for", COUNT);
    }
  }

  private List<TenantSpec> tenants(double times, boolean readsOnly) {
    return TENANTS.stream()
        .map(
            t -> {
              TenantSpec spec = bed.tenant(t.name());
              Mix mix = readsOnly ? mix(1) : mix(t.reads());
              return spec.asked(mix, t.distribution(), spec.threads(), times * t.rate());
            })
        .toList();
  }

  private List<UsagePacking.Item> items(double scale) throws EngineException {
    var items = new ArrayList<UsagePacking.Item>();
    for (Tenant t : TENANTS) {
      double reads = scale * t.rate() * t.reads();
      double updates = scale * t.rate() * (1 - t.reads());
      items.add(
          new UsagePacking.Item(
              CacheLoad.of(HitRatios.of(bed, t.name()), reads),
              new Load(1, reads, 0, 1, 1, 1, updates, 1_000)));
    }
    return items;
  }

  private double scale(UsagePredictor predictor, List<UsagePacking.Item> base, double cache) {
    double low = 0;
    double high = SCALE_MOST;
    for (int i = 0; i < HALVINGS; i++) {
      double middle = (low + high) / 2;
      var scaled =
          base.stream()
              .map(
                  item ->
                      new UsagePacking.Item(item.cache().times(middle), item.load().times(middle)))
              .toList();
      boolean more =
          UsagePacking.pack(predictor, scaled, MEANT_NODES, cache, PREDICTIONS / HALVINGS).most()
              > MEANT_USAGE;
      low = more ? low : middle;
      high = more ? middle : high;
    }
    return low;
  }

  private static int[] place(
      Arm arm,
      UsagePredictor predictor,
      List<UsagePacking.Item> items,
      double scale,
      int nodes,
      double cache) {
    return arm == Arm.USAGE
        ? UsagePacking.pack(predictor, items, nodes, cache, PREDICTIONS).nodeOf()
        : Assignment.assign(TENANTS.stream().mapToDouble(t -> scale * t.rate()).toArray(), nodes);
  }

  private static double[] predicted(
      UsagePredictor predictor,
      List<UsagePacking.Item> items,
      int[] nodeOf,
      int nodes,
      double cache) {
    return IntStream.range(0, nodes)
        .mapToDouble(
            node ->
                UsagePacking.usage(
                    predictor,
                    IntStream.range(0, items.size())
                        .filter(i -> nodeOf[i] == node)
                        .mapToObj(items::get)
                        .toList(),
                    cache))
        .toArray();
  }

  private Outcome measure(Arm arm, int nodes, int[] nodeOf, double[] predicted, double scale)
      throws Exception {
    String label = arm.title + " on " + nodes + " nodes";
    console.step("placing " + label);
    bed.place(placement(nodeOf));
    bed.clearCaches();
    try (TestbedLoad load = bed.start(tenants(FILL_TIMES * scale, true))) {
      load.follow(console, label + ": caches fill", FILL);
    }
    bed.limit(true);
    try (TestbedLoad load = bed.start(tenants(scale, false))) {
      load.follow(console, label + ": settles", SETTLE);
      bed.engine().snapshot();
      int from = load.second();
      load.follow(console, label, MEASURE);
      var after = bed.engine().snapshot();
      double[] usage = new double[nodes];
      for (int node = 0; node < nodes; node++) {
        NodeState state =
            after
                .node(bed.nodes().get(node))
                .filter(NodeState::alive)
                .orElseThrow(() -> new EngineException("a node is gone; see its log"));
        usage[node] = state.usage().server();
      }
      RunResult result = load.finish(label, seed, from, load.second());
      double served = RunResult.mean(result.total(), from, result.measureTo());
      double asked = scale * TENANTS.stream().mapToDouble(Tenant::rate).sum();
      return new Outcome(arm, nodes, nodeOf, predicted, usage, asked, served, result);
    }
  }

  private void write(ExperimentReport report, List<Outcome> outcomes, double scale, String verified)
      throws Exception {
    var rows = new ArrayList<List<String>>();
    for (Outcome o : outcomes) {
      rows.add(
          ExperimentReport.row(
              o.arm().title,
              o.nodes(),
              String.format(
                  Locale.ROOT, "%.0f (%.1f %%)", o.served(), 100 * o.served() / o.asked()),
              percents(o.usage()),
              percents(o.predicted()),
              o.enough() ? "yes" : "no"));
    }
    report
        .paragraph(
            ("Made by `./trimtab lab run E11 --runs 1 --seed %d` on %s. Cruz 2016, §6.3: there 4"
                    + " nodes by requests (usage 76, 48, 69 and 4 %%) and 3 by usage (69, 59 and"
                    + " 60 %%) for the same throughput.")
                .formatted(seed, LocalDate.now(ZoneOffset.UTC)))
        .heading("Result")
        .paragraph(
            "Nodes needed: by requests a second %s, by predicted usage %s."
                .formatted(needed(outcomes, Arm.REQUESTS), needed(outcomes, Arm.USAGE)))
        .table(
            List.of("placed", "nodes", "ops/s (of asked)", "usage by node", "predicted", "enough"),
            rows)
        .paragraph(
            ("Enough: at least %.0f %% of what is asked for is served, and no node is used for more"
                    + " than %.0f %%.")
                .formatted(100 * SERVED, 100 * OVERLOADED))
        .heading("Data")
        .paragraph(verified);
    describe(
        report,
        List.of(
            "tenants (records, operations a second, share of reads, the rest updates): "
                + String.join(
                    "; ",
                    TENANTS.stream()
                        .map(
                            t ->
                                String.format(
                                    Locale.ROOT,
                                    "%s (%,d, %.1f, %.0f %%)",
                                    t.name(),
                                    t.records(),
                                    scale * t.rate(),
                                    100 * t.reads()))
                        .toList()),
            "records of 1,000 bytes, one region a table; cold and idle ones asked for uniformly,"
                + " the others by a scrambled Zipf distribution; all nodes with the READ profile",
            "rates are scaled so that the model predicts %.0f %% for the most used of %d nodes"
                    .formatted(100 * MEANT_USAGE, MEANT_NODES)
                + " placed by usage, which is the usage policy's default target",
            "the nodes work themselves in for %d s with every tenant's requests, without limits"
                .formatted(WORK_IN.toSeconds()),
            "by requests a second: longest processing time first with at most ceil(tables / nodes)"
                + " on a node, then moves and swaps; by predicted usage: the usage policy's packing"
                + " with E8's model",
            "each placement is compacted, caches are emptied, %d s without limits to fill them, %d"
                    .formatted(FILL.toSeconds(), SETTLE.toSeconds())
                + " s with limits, %d s measured".formatted(MEASURE.toSeconds())));
  }

  private static String needed(List<Outcome> outcomes, Arm arm) {
    return outcomes.stream()
        .filter(o -> o.arm() == arm && o.enough())
        .map(o -> Integer.toString(o.nodes()))
        .findFirst()
        .orElse("more than are there");
  }

  private static String percents(double[] shares) {
    return Arrays.stream(shares)
            .mapToObj(share -> String.format(Locale.ROOT, "%.0f", 100 * share))
            .reduce((a, b) -> a + ", " + b)
            .orElse("–")
        + " %";
  }
}
