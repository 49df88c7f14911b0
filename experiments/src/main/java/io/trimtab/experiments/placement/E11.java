package io.trimtab.experiments.placement;

import io.trimtab.config.UserError;
import io.trimtab.controller.place.Assignment;
import io.trimtab.controller.place.UsagePacking;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.experiments.Experiment;
import io.trimtab.experiments.model.HitRatios;
import io.trimtab.experiments.placement.NodesNeeded.Arm;
import io.trimtab.experiments.placement.NodesNeeded.Outcome;
import io.trimtab.experiments.placement.UsageTenants.Tenant;
import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.lab.testbed.RunResult;
import io.trimtab.lab.testbed.TestbedLoad;
import io.trimtab.lab.testbed.TestbedSettings;
import io.trimtab.models.cache.CacheLoad;
import io.trimtab.models.usage.UsageModel;
import io.trimtab.models.usage.UsageModel.Load;
import io.trimtab.models.usage.UsagePredictor;
import io.trimtab.workload.Mix;
import io.trimtab.workload.TenantSpec;
import io.trimtab.workload.WorkloadSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
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

  private static final long PREDICTIONS = 100_000;
  private static final int HALVINGS = 40;
  private static final double SCALE_MOST = 20;

  private final UsageModel model;

  /** All that was measured of nodes. */
  private final List<NodeUsage> usages = new ArrayList<>();

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
    return UsageTenants.spec(settings);
  }

  @Override
  public Path run() throws Exception {
    ExperimentReport report =
        new ExperimentReport(folder, "E11: nodes needed, by requests and by predicted usage");
    for (int node = 0; node < bed.size(); node++) {
      bed.applyProfile(node, Profile.READ);
    }
    bed.checkModel(model);
    bed.load(
        UsageTenants.placement(
            IntStream.range(0, UsageTenants.ALL.size()).map(i -> i % bed.size()).toArray()));
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
                outcome.target(),
                NodesNeeded.percents(outcome.usage()),
                NodesNeeded.percents(outcome.predicted())));
        if (outcome.enough()) {
          enough.add(arm);
        }
      }
    }
    NodesNeeded.write(report, outcomes, seed, bed.verify());
    setting(report, scale);
    return report.write();
  }

  private void workIn() throws Exception {
    bed.limit(false);
    var all =
        UsageTenants.ALL.stream()
            .map(t -> bed.tenant(t.name()).asked(t.mix(), t.distribution(), WORK_THREADS, null))
            .toList();
    try (TestbedLoad load = bed.start(all)) {
      load.follow(console, "the nodes work themselves in", WORK_IN);
    }
  }

  /** Has the plug-in see which blocks are requested. */
  private void count() throws Exception {
    bed.engine().startCounting();
    bed.limit(false);
    try (TestbedLoad load = bed.start(tenants(FILL_TIMES, true))) {
      load.follow(console, "counting which blocks are asked for", COUNT);
    }
  }

  private List<TenantSpec> tenants(double times, boolean readsOnly) {
    return UsageTenants.ALL.stream()
        .map(
            t -> {
              TenantSpec spec = bed.tenant(t.name());
              Mix mix = readsOnly ? UsageTenants.mix(1) : t.mix();
              return spec.asked(mix, t.distribution(), spec.threads(), times * t.rate());
            })
        .toList();
  }

  private List<UsagePacking.Item> items(double scale) throws EngineException {
    var items = new ArrayList<UsagePacking.Item>();
    for (Tenant t : UsageTenants.ALL) {
      double reads = scale * t.rate() * t.reads();
      double updates = scale * t.rate() * (1 - t.reads());
      items.add(
          new UsagePacking.Item(
              CacheLoad.of(HitRatios.of(bed, t.name()), reads),
              Load.withoutScans(1, reads, updates, 1_000)));
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
        : Assignment.assign(
            UsageTenants.ALL.stream().mapToDouble(t -> scale * t.rate()).toArray(), nodes);
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
    bed.place(UsageTenants.placement(nodeOf));
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
        usages.add(state.usage());
        usage[node] = state.usage().server();
      }
      RunResult result = load.finish(label, seed, from, load.second());
      double served = RunResult.mean(result.total(), from, result.measureTo());
      double target = scale * UsageTenants.rate();
      return new Outcome(arm, nodes, nodeOf, predicted, usage, target, served, result);
    }
  }

  private void setting(ExperimentReport report, double scale) throws Exception {
    describe(
        report,
        List.of(
            "tenants (records, operations a second, share of reads, the rest updates): "
                + UsageTenants.describe(scale),
            "records of 1,000 bytes, one region a table; cold and idle ones have uniform keys,"
                + " the others scrambled Zipf ones; all nodes with the READ profile",
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
                + " s with limits, %d s measured".formatted(MEASURE.toSeconds()),
            ExperimentReport.usageFrom(usages)));
  }
}
