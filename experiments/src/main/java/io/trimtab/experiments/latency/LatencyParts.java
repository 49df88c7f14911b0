package io.trimtab.experiments.latency;

import io.trimtab.experiments.report.KeptRuns;
import io.trimtab.lab.testbed.Console;
import io.trimtab.lab.testbed.Machine;
import io.trimtab.workload.CassandraTarget.Routing;
import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.management.JMException;

/**
 * LATENCY: of what the time of a read consists, by what replicas tell with each answer: waiting and
 * service at the replica, and all the rest (Wu 2018, ch. 4). Data below and above memory.
 */
public final class LatencyParts {
  static final String RESPONSE = "RESPONSE";
  static final List<String> COMPONENTS =
      List.of("QUEUE", "WAITING", "SERVICE", "NETWORK", RESPONSE);

  private static final double MS = 1e6;

  private final Console console;
  private final Path folder;
  private final int runs;
  private final String labName;
  private final KeptRuns.Start start;

  /**
   * @param runs of each load
   * @param start what becomes of the runs that the folder holds
   */
  public LatencyParts(
      Console console, Path folder, int runs, String labName, KeptRuns.Start start) {
    this.console = console;
    this.folder = folder;
    this.runs = runs;
    this.labName = labName;
    this.start = start;
  }

  static List<RankingCase> loads() {
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

  private boolean isMade(KeptRuns<PartsRun> kept, RankingCase load, int run) {
    return kept.runs().stream().anyMatch(r -> r.load().equals(load.title()) && r.run() == run);
  }

  private boolean isWhole(KeptRuns<PartsRun> kept) {
    return loads().stream()
        .allMatch(
            load -> {
              for (int run = 1; run <= runs; run++) {
                if (!isMade(kept, load, run)) {
                  return false;
                }
              }
              return true;
            });
  }

  /**
   * @throws io.trimtab.config.UserError where the folder's runs can't be continued
   */
  public Path run() throws Exception {
    KeptRuns<PartsRun> kept = KeptRuns.open(folder, PartsRun.class, "LATENCY", start);
    LatencyReport report = new LatencyReport(folder, runs);
    if (isWhole(kept)) {
      return report.write(kept);
    }
    Path written = null;
    try (RankingBed bed = RankingBed.open(labName, console)) {
      kept.madeWith(LatencyReport.setting(bed));
      for (RankingCase load : loads()) {
        bed.load(load.tenant(Ordering.DYNAMIC_SNITCH));
      }
      Map<RankingCase, RankingTrial> trials = new LinkedHashMap<>();
      for (RankingCase load : loads()) {
        RankingTrial trial = new RankingTrial(bed, console, load, false);
        trial.warm(List.of(Ordering.DYNAMIC_SNITCH));
        trials.put(load, trial);
      }
      // In turn, so that a quarter of an hour in which the machine is slow is not one load's.
      for (int run = 1; run <= runs; run++) {
        for (Map.Entry<RankingCase, RankingTrial> trial : trials.entrySet()) {
          if (!isMade(kept, trial.getKey(), run)) {
            kept.add(measure(bed, trial.getKey(), trial.getValue(), run));
            written = report.write(kept);
          }
        }
      }
      for (RankingCase load : loads()) {
        bed.verify(load, Ordering.DYNAMIC_SNITCH);
      }
    }
    return written;
  }

  private PartsRun measure(RankingBed bed, RankingCase load, RankingTrial trial, int run)
      throws Exception {
    // What the caches hold before is the data of the load before.
    RankingResult result = trial.run(Ordering.DYNAMIC_SNITCH, run, () -> record(bed, true));
    if (result.wrong() > 0) {
      throw new IOException(load.title() + ": " + result.wrong() + " reads were wrong");
    }
    Map<String, List<List<Long>>> rows = new LinkedHashMap<>();
    List<List<Long>> parts = new ArrayList<>();
    for (int node = 0; node < RankingBed.NODES; node++) {
      for (String component : COMPONENTS) {
        add(
            bed.beans(node).component(component),
            rows.computeIfAbsent(component, c -> new ArrayList<>()));
      }
      add(bed.beans(node).responseParts(), parts);
    }
    record(bed, false);
    PartsRun made =
        new PartsRun(
            load.title(),
            run,
            LocalDate.now(ZoneOffset.UTC).toString(),
            Machine.describe(),
            rows,
            parts);
    ComponentCounts response = made.counts(RESPONSE);
    console.step(
        String.format(
            Locale.ROOT,
            "%s, run %d of %d: %,d reads, response p50 %.2f, p99.9 %.1f ms",
            load.title(),
            run,
            runs,
            response.count(),
            response.percentile(50) / MS,
            response.percentile(99.9) / MS));
    return made;
  }

  private static void add(long[][] rows, List<List<Long>> to) {
    for (long[] row : rows) {
      to.add(Arrays.stream(row).boxed().toList());
    }
  }

  private static void record(RankingBed bed, boolean on) throws IOException, JMException {
    for (int node = 0; node < RankingBed.NODES; node++) {
      bed.beans(node).record(on);
    }
  }
}
