package io.trimtab.experiments.model;

import io.trimtab.experiments.report.Charts;
import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.experiments.report.Spread;
import io.trimtab.lab.testbed.Console;
import io.trimtab.lab.testbed.Machine;
import io.trimtab.plugincore.SketchEstimator;
import io.trimtab.plugincore.SplitEstimator;
import io.trimtab.plugincore.SteppingEstimator;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * E5: how fast, and how steadily, each estimator finds the key at which requests halve (Cruz 2016,
 * §4.1.1, Figures 4.1 to 4.5). A computation; it needs no cluster.
 */
public final class E5 {
  private static final int REQUESTS = 20_000;
  private static final int EARLY = 2_000;

  /** Further from one half than this is not near it. */
  private static final double NEAR = 0.05;

  private static final Map<String, LongFunction<KnownRequests>> DISTRIBUTIONS = distributions();
  private static final Map<String, Supplier<SplitEstimator>> ESTIMATORS = estimators();

  private final Console console;
  private final Path folder;
  private final int runs;
  private final long seed;

  public E5(Console console, Path folder, int runs, long seed) {
    this.console = console;
    this.folder = folder;
    this.runs = runs;
    this.seed = seed;
  }

  private static Map<String, LongFunction<KnownRequests>> distributions() {
    var map = new LinkedHashMap<String, LongFunction<KnownRequests>>();
    map.put("Zipf over 10,000 keys", s -> KnownRequests.zipf(10_000, s));
    map.put("Poisson around key 5,000 of 10,000", s -> KnownRequests.poisson(10_000, 5_000, s));
    map.put("Zipf over 300,000 keys", s -> KnownRequests.zipf(300_000, s));
    return map;
  }

  private static Map<String, Supplier<SplitEstimator>> estimators() {
    var map = new LinkedHashMap<String, Supplier<SplitEstimator>>();
    map.put("linear", () -> SteppingEstimator.linear(1));
    map.put("exponential", () -> SteppingEstimator.exponential(1));
    for (int pairs : new int[] {2, 4, 8}) {
      map.put("ping-pong " + pairs, () -> SteppingEstimator.pingPong(pairs, 1));
    }
    map.put("sketch (default)", SketchEstimator::new);
    return map;
  }

  public Path run() throws Exception {
    ExperimentReport report =
        new ExperimentReport(folder, "E5: finding the key that halves the requests");
    report.paragraph(
        "Made by `./trimtab lab run E5 --runs %d --seed %d` on %s. Cruz 2016, §4.1.1."
            .formatted(runs, seed, LocalDate.now(ZoneOffset.UTC)));
    report.paragraph(
        "Requests for numbered keys are drawn from a known distribution. After each request the"
            + " true share of requests left of the estimate is computed; 0.5 is perfect. Error is"
            + " the distance from 0.5. Medians and ranges over the runs' seeds.");
    int number = 0;
    for (var distribution : DISTRIBUTIONS.entrySet()) {
      console.step(distribution.getKey());
      number++;
      var rows = new ArrayList<List<String>>();
      var lines = new ArrayList<Charts.Line>();
      for (var estimator : ESTIMATORS.entrySet()) {
        var curves = new ArrayList<double[]>();
        for (int run = 0; run < runs; run++) {
          KnownRequests requests = distribution.getValue().apply(seed + run);
          curves.add(curve(requests, estimator.getValue().get()));
        }
        rows.add(row(estimator.getKey(), curves));
        lines.add(Charts.Line.counted(estimator.getKey(), curves.get(0)));
      }
      report
          .heading(distribution.getKey())
          .table(
              List.of(
                  "estimator",
                  "error after 2,000 requests",
                  "mean error of the last 10,000",
                  "largest error of the last 10,000",
                  "requests until the error stays below 0.05"),
              rows);
      String file = "distribution-" + number + ".png";
      Charts.lines(
          folder.resolve(file),
          distribution.getKey() + ", first seed",
          Charts.Axes.linear("requests", "share of requests left of the estimate"),
          lines);
      report.picture(distribution.getKey(), file);
    }
    report.heading("Setting").list(List.of(Machine.describe()));
    return report.write();
  }

  private static double[] curve(KnownRequests requests, SplitEstimator estimator) {
    var left = new double[REQUESTS];
    for (int i = 0; i < REQUESTS; i++) {
      estimator.add(requests.next());
      left[i] = requests.below((int) estimator.split().orElseThrow());
    }
    return left;
  }

  private static List<String> row(String name, List<double[]> curves) {
    int half = REQUESTS / 2;
    return ExperimentReport.row(
        name,
        spread(curves, c -> Math.abs(c[EARLY - 1] - 0.5)),
        spread(curves, c -> errors(c, half).average().orElse(0)),
        spread(curves, c -> errors(c, half).max().orElse(0)),
        Spread.of(curves.stream().mapToDouble(E5::settled).toArray()));
  }

  private static java.util.stream.DoubleStream errors(double[] curve, int from) {
    return java.util.Arrays.stream(curve, from, curve.length).map(share -> Math.abs(share - 0.5));
  }

  /**
   * The first request from which on the error stays below {@link #NEAR}; all when it never does.
   */
  private static double settled(double[] curve) {
    int i = curve.length;
    while (i > 0 && Math.abs(curve[i - 1] - 0.5) < NEAR) {
      i--;
    }
    return i;
  }

  private static String spread(
      List<double[]> curves, java.util.function.ToDoubleFunction<double[]> measure) {
    Spread spread = Spread.of(curves.stream().mapToDouble(measure).toArray());
    return String.format(
        Locale.ROOT, "%.3f (%.3f–%.3f)", spread.median(), spread.min(), spread.max());
  }
}
