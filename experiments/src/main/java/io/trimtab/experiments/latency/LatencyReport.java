package io.trimtab.experiments.latency;

import io.trimtab.experiments.report.Charts;
import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.experiments.report.KeptRuns;
import io.trimtab.experiments.report.Spread;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The report of LATENCY, of the runs so far. */
final class LatencyReport {
  private static final double[] PERCENTILES = {50, 90, 95, 99, 99.9, 99.99};
  private static final double[] SLOWEST = {0, 90, 99, 99.9};
  private static final double MS = 1e6;

  /** Between which reads are counted, in milliseconds. */
  private static final double[] BOUNDS = {0, 0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, 128};

  /** The same for reads that are at a replica. */
  private static final double[] QUEUES = {0, 2, 3, 5, 9, 17, 33};

  private final Path folder;
  private final int runs;

  LatencyReport(Path folder, int runs) {
    this.folder = folder;
    this.runs = runs;
  }

  static List<String> setting(RankingBed bed) throws Exception {
    List<String> setting = new ArrayList<>(bed.describe());
    setting.add(
        ("each run: %d s to settle, then %d s counted; the loads in turn, so that caches are cold"
                + " at first; open loop at %.0f operations/s; order of the dynamic snitch; nothing"
                + " disturbs on purpose")
            .formatted(RankingTrial.SETTLE_SECONDS, RankingTrial.SECONDS, RankingCase.RATE));
    return setting;
  }

  Path write(KeptRuns<PartsRun> kept) throws IOException {
    ExperimentReport report =
        new ExperimentReport(folder, "LATENCY: of what the time of a read consists");
    report
        .paragraph(
            "Made by `./trimtab lab run LATENCY --runs %d` on %s. Wu 2018, ch. 4."
                .formatted(
                    runs,
                    kept.runs().stream()
                        .map(PartsRun::day)
                        .distinct()
                        .sorted()
                        .collect(Collectors.joining(", "))))
        .paragraph(
            "From a coordinator's sending to its receiving, as the replica tells: waiting in its"
                + " read stage, service, and the rest, which is the network between processes and"
                + " their threads. Milliseconds, runs pooled; queue: reads that wait or run at the"
                + " replica when it answers, without the one that it answers. Percentiles are of"
                + " each component by itself and do not add up; shares are of the sums. A"
                + " coordinator's reads of its own copy are among them: they have no network.");
    for (RankingCase load : LatencyParts.loads()) {
      List<PartsRun> its = kept.runs().stream().filter(r -> r.load().equals(load.title())).toList();
      if (!its.isEmpty()) {
        one(report, load.title(), its);
      }
    }
    List<String> setting = new ArrayList<>(kept.setting());
    kept.runs().stream().map(PartsRun::machine).distinct().forEach(m -> setting.add(0, m));
    return report.heading("Setting").list(setting).write();
  }

  private void one(ExperimentReport report, String title, List<PartsRun> its) throws IOException {
    Map<String, ComponentCounts> counts = new LinkedHashMap<>();
    for (String component : LatencyParts.COMPONENTS) {
      ComponentCounts all = new ComponentCounts();
      its.forEach(run -> run.addTo(all, component));
      counts.put(component, all);
    }
    report.heading(title);
    percentiles(report, counts);
    ComponentCounts response = counts.get(LatencyParts.RESPONSE);
    Spread slow =
        Spread.of(
            its.stream()
                .mapToDouble(r -> r.counts(LatencyParts.RESPONSE).percentile(99.9) / MS)
                .toArray());
    report.paragraph(
        String.format(
            Locale.ROOT,
            "%,d reads in %d runs; p99.9 of the runs %.1f (%.1f–%.1f) ms.",
            response.count(),
            its.size(),
            slow.median(),
            slow.min(),
            slow.max()));
    slowest(report, response);
    masses(report, counts);
    plots(report, title, counts);
  }

  private static void percentiles(ExperimentReport report, Map<String, ComponentCounts> counts) {
    double response = counts.get(LatencyParts.RESPONSE).mean();
    List<String> header = new ArrayList<>(List.of("", "mean", "share"));
    for (double percentile : PERCENTILES) {
      header.add(String.format(Locale.ROOT, "p%s", figure(percentile)));
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
  }

  /** Of the same reads, and not of each component by itself. */
  private static void slowest(ExperimentReport report, ComponentCounts response) {
    List<List<String>> rows = new ArrayList<>();
    for (double percentile : SLOWEST) {
      ComponentCounts.Slowest those = response.slowest(percentile);
      rows.add(
          ExperimentReport.row(
              percentile == 0
                  ? "all"
                  : "slowest " + figure(Math.rint((100 - percentile) * 1e4) / 1e4) + " %",
              String.format(Locale.ROOT, "%,d", those.reads()),
              String.format(Locale.ROOT, "%.2f", those.mean() / MS),
              percent(those.waited()),
              percent(those.served()),
              percent(those.rest())));
    }
    report.table(
        List.of(
            "of the time of these reads", "reads", "mean, ms", "waiting", "service", "the rest"),
        rows);
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.0f %%", 100 * share);
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
            rows.add(shares(name.toLowerCase(Locale.ROOT), its, BOUNDS, MS));
          }
        });
    report.table(header, rows);
    List<String> queues =
        new ArrayList<>(
            List.of(
                "share of reads that leave so many behind, waiting or running, at the replica"));
    for (int i = 0; i < QUEUES.length; i++) {
      queues.add(
          i + 1 < QUEUES.length
              ? "up to " + figure(QUEUES[i + 1] - 1)
              : figure(QUEUES[i]) + " and more");
    }
    report.table(queues, List.of(shares("reads", counts.get("QUEUE"), QUEUES, 1)));
  }

  private static List<String> shares(
      String name, ComponentCounts its, double[] bounds, double unit) {
    List<String> row = new ArrayList<>(List.of(name));
    for (int i = 0; i < bounds.length; i++) {
      double to = i + 1 < bounds.length ? bounds[i + 1] * unit : Double.MAX_VALUE;
      row.add(String.format(Locale.ROOT, "%.2f %%", 100 * its.share(bounds[i] * unit, to)));
    }
    return row;
  }

  private static String figure(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }

  private void plots(ExperimentReport report, String title, Map<String, ComponentCounts> counts)
      throws IOException {
    List<Charts.Line> upTo = new ArrayList<>();
    List<Charts.Line> beyond = new ArrayList<>();
    List<Charts.Line> mass = new ArrayList<>();
    counts.forEach(
        (name, its) -> {
          if (!name.equals("QUEUE")) {
            String line = name.toLowerCase(Locale.ROOT);
            // A logarithmic axis has no zero: what takes no time is left of its beginning.
            double[] ms = Arrays.stream(its.values()).map(ns -> Math.max(1e-3, ns / MS)).toArray();
            double[] shares = its.upTo();
            upTo.add(new Charts.Line(line, ms, shares));
            double least = 1.0 / Math.max(1, its.count());
            beyond.add(
                new Charts.Line(
                    line, ms, Arrays.stream(shares).map(s -> Math.max(least, 1 - s)).toArray()));
            mass.add(mass(line, its));
          }
        });
    String file = title.replaceAll("[^A-Za-z]+", "-");
    plot(
        report, file + "-ecdf.png", title, "share of reads that take at most so long", false, upTo);
    plot(report, file + "-tail.png", title, "share of reads that take longer", true, beyond);
    plot(
        report,
        file + "-mass.png",
        title,
        "share of reads in each tenth of a power of ten",
        false,
        mass);
  }

  /** Of shares by time, on a logarithmic axis. */
  private void plot(
      ExperimentReport report,
      String file,
      String load,
      String what,
      boolean logShares,
      List<Charts.Line> lines)
      throws IOException {
    Charts.lines(
        folder.resolve(file),
        load + ": " + what,
        new Charts.Axes("ms", "share", true, logShares),
        lines);
    report.picture(what, file);
  }

  /** From a thousandth of a millisecond to ten seconds. */
  private static Charts.Line mass(String name, ComponentCounts its) {
    int bins = 70;
    double[] ms = new double[bins];
    double[] shares = new double[bins];
    for (int i = 0; i < bins; i++) {
      ms[i] = 1e-3 * Math.pow(10, i / 10.0);
      double from = i == 0 ? 0 : ms[i] * MS;
      shares[i] = its.share(from, 1e-3 * Math.pow(10, (i + 1) / 10.0) * MS);
    }
    return new Charts.Line(name, ms, shares);
  }
}
