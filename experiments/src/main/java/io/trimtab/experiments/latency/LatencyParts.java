package io.trimtab.experiments.latency;

import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.experiments.report.ThroughputPlot;
import io.trimtab.lab.testbed.Console;
import io.trimtab.lab.testbed.Machine;
import io.trimtab.workload.CassandraTarget.Routing;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * LATENCY: of what the time of a read consists, by what replicas tell with each answer: waiting and
 * service at the replica, and all the rest (Wu 2018, ch. 4). Data below and above memory.
 */
public final class LatencyParts {
  private static final List<String> COMPONENTS =
      List.of("QUEUE", "WAITING", "SERVICE", "NETWORK", "RESPONSE");

  private static final double[] PERCENTILES = {50, 90, 95, 99, 99.9, 99.99};
  private static final double MS = 1e6;

  /** Between which reads are counted, in milliseconds. */
  private static final double[] BOUNDS = {0, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, 128};

  private final Console console;
  private final Path folder;
  private final int runs;
  private final String labName;

  public LatencyParts(Console console, Path folder, int runs, String labName) {
    this.console = console;
    this.folder = folder;
    this.runs = runs;
    this.labName = labName;
  }

  private static List<RankingCase> loads() {
    List<RankingCase> loads = new ArrayList<>();
    for (int records : new int[] {RankingCase.SMALL, RankingCase.LARGE}) {
      String size = records == RankingCase.SMALL ? "below memory" : "above memory";
      for (double reads : new double[] {1, 0.95, 0.5}) {
        String mix = reads == 1 ? "read-only" : reads > 0.9 ? "read-heavy" : "update-heavy";
        loads.add(
            new RankingCase(
                mix + ", " + size,
                reads,
                RankingCase.ZIPF,
                records,
                false,
                RankingCase.RATE,
                Routing.ROUND_ROBIN));
      }
    }
    return loads;
  }

  public Path run() throws Exception {
    Map<String, Map<String, ComponentCounts>> all = new LinkedHashMap<>();
    Path written = null;
    try (RankingBed bed = RankingBed.open(labName, console)) {
      for (RankingCase load : loads()) {
        bed.load(load.tenant(Ordering.DYNAMIC_SNITCH));
        all.put(load.title(), measure(bed, load));
        bed.verify(load, Ordering.DYNAMIC_SNITCH);
        written = write(bed, all);
      }
    }
    return written;
  }

  private Map<String, ComponentCounts> measure(RankingBed bed, RankingCase load) throws Exception {
    Map<String, ComponentCounts> counts = new LinkedHashMap<>();
    COMPONENTS.forEach(name -> counts.put(name, new ComponentCounts()));
    RankingTrial trial = new RankingTrial(bed, console, load, false);
    trial.warm(List.of(Ordering.DYNAMIC_SNITCH));
    for (int run = 1; run <= runs; run++) {
      for (int node = 0; node < RankingBed.NODES; node++) {
        bed.beans(node).record(true);
      }
      trial.run(Ordering.DYNAMIC_SNITCH, run);
      for (int node = 0; node < RankingBed.NODES; node++) {
        for (String component : COMPONENTS) {
          counts.get(component).add(bed.beans(node).component(component));
        }
        bed.beans(node).record(false);
      }
    }
    ComponentCounts response = counts.get("RESPONSE");
    console.step(
        String.format(
            Locale.ROOT,
            "%s: %,d reads, response p50 %.2f, p99.9 %.1f ms",
            load.title(),
            response.count(),
            response.percentile(50) / MS,
            response.percentile(99.9) / MS));
    return counts;
  }

  private Path write(RankingBed bed, Map<String, Map<String, ComponentCounts>> all)
      throws Exception {
    ExperimentReport report =
        new ExperimentReport(folder, "LATENCY: of what the time of a read consists");
    report
        .paragraph(
            "Made by `./trimtab lab run LATENCY --runs %d` on %s. Wu 2018, ch. 4."
                .formatted(runs, LocalDate.now(ZoneOffset.UTC)))
        .paragraph(
            "From a coordinator's sending to its receiving, as the replica tells: waiting in its"
                + " read stage, service, and the rest, which is the network between processes and"
                + " their threads. Milliseconds; queue: reads that wait or run at the replica."
                + " Percentiles are of each component by itself and do not add up; shares are of"
                + " the sums. A coordinator's reads of its own copy are among them: they have no"
                + " network.");
    for (Map.Entry<String, Map<String, ComponentCounts>> load : all.entrySet()) {
      one(report, load.getKey(), load.getValue());
    }
    report.heading("Setting");
    List<String> setting = new ArrayList<>(bed.describe());
    setting.add(0, Machine.describe());
    setting.add(
        ("each run: %d s, of which nothing is left out; %d runs pooled; open loop at %.0f"
                + " operations/s; order of the dynamic snitch; nothing disturbs on purpose")
            .formatted(RankingTrial.SETTLE_SECONDS + RankingTrial.SECONDS, runs, RankingCase.RATE));
    report.list(setting);
    return report.write();
  }

  private void one(ExperimentReport report, String title, Map<String, ComponentCounts> counts)
      throws IOException {
    report.heading(title);
    double response = counts.get("RESPONSE").mean();
    List<String> header = new ArrayList<>(List.of("", "mean", "share"));
    for (double percentile : PERCENTILES) {
      header.add(String.format(Locale.ROOT, "p%s", Double.toString(percentile).replace(".0", "")));
    }
    List<List<String>> rows = new ArrayList<>();
    counts.forEach(
        (name, its) -> {
          double unit = name.equals("QUEUE") ? 1 : MS;
          List<String> row = new ArrayList<>();
          row.add(name.toLowerCase(Locale.ROOT));
          row.add(String.format(Locale.ROOT, "%.3f", its.mean() / unit));
          row.add(
              name.equals("QUEUE")
                  ? ""
                  : String.format(Locale.ROOT, "%.0f %%", 100 * its.mean() / response));
          for (double percentile : PERCENTILES) {
            row.add(String.format(Locale.ROOT, "%.3f", its.percentile(percentile) / unit));
          }
          rows.add(row);
        });
    report.table(header, rows);
    report.paragraph(String.format(Locale.ROOT, "%,d reads.", counts.get("RESPONSE").count()));
    masses(report, counts);
    String file = title.replaceAll("[^A-Za-z]+", "-");
    distribution(file + ".png", title, counts);
    report.picture("share of reads by time", file + ".png");
    Map<String, Map<Long, Long>> raw = new LinkedHashMap<>();
    counts.forEach((name, its) -> raw.put(name, its.bins()));
    report.raw(file + ".json", raw);
  }

  /** Which share of the reads took how long, in each component. */
  private static void masses(ExperimentReport report, Map<String, ComponentCounts> counts) {
    List<String> header = new ArrayList<>(List.of("share of reads with"));
    for (int i = 0; i < BOUNDS.length; i++) {
      header.add(
          i + 1 < BOUNDS.length ? "< " + figure(BOUNDS[i + 1]) + " ms" : "≥ " + figure(BOUNDS[i]));
    }
    List<List<String>> rows = new ArrayList<>();
    counts.forEach(
        (name, its) -> {
          if (!name.equals("QUEUE")) {
            List<String> row = new ArrayList<>(List.of(name.toLowerCase(Locale.ROOT)));
            for (int i = 0; i < BOUNDS.length; i++) {
              double to = i + 1 < BOUNDS.length ? BOUNDS[i + 1] * MS : Double.MAX_VALUE;
              row.add(String.format(Locale.ROOT, "%.2f %%", 100 * its.share(BOUNDS[i] * MS, to)));
            }
            rows.add(row);
          }
        });
    report.table(header, rows);
  }

  private static String figure(double value) {
    return value < 1 ? Double.toString(value) : Long.toString(Math.round(value));
  }

  /** Time by percentile, so that the slowest thousandth can be read. */
  private void distribution(String file, String title, Map<String, ComponentCounts> counts)
      throws IOException {
    List<ThroughputPlot.Curve> curves = new ArrayList<>();
    counts.forEach(
        (name, its) -> {
          if (!name.equals("QUEUE")) {
            double[] ms = new double[1_000];
            for (int i = 0; i < ms.length; i++) {
              ms[i] = its.percentile((i + 1) / 10.0) / MS;
            }
            curves.add(new ThroughputPlot.Curve(name.toLowerCase(Locale.ROOT), ms));
          }
        });
    ThroughputPlot.curves(folder.resolve(file), title, "share of reads, ‰", "ms", curves);
  }
}
