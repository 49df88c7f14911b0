package io.trimtab.experiments.latency.simulated;

import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.experiments.report.PairedRatio;
import io.trimtab.experiments.report.Spread;
import io.trimtab.lab.testbed.Console;
import io.trimtab.lab.testbed.Machine;
import io.trimtab.simulator.replicas.ReplicaModel;
import io.trimtab.simulator.replicas.ReplicaResult;
import io.trimtab.simulator.replicas.ReplicaSimulation;
import io.trimtab.simulator.replicas.SimulatedRanking;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToDoubleFunction;

/**
 * REPLICAS: rankings of replicas in the simulation, by what they know, at other loads and speeds of
 * change, and what each part of ours brings. A computation; it needs no cluster.
 */
public final class Replicas {
  private static final long MANY = 2_000_000;
  private static final long SOME = 500_000;
  private static final double[] FLUCTUATIONS_MS = {10, 50, 100, 200, 300, 500};
  private static final double[] UTILIZATIONS = {0.45, 0.55, 0.65, 0.7, 0.75, 0.8};
  static final String OURS = "trimtab";
  static final String C3 = "c3";

  /** Beyond C3 by more than this is worse. */
  private static final double WORSE = 1.03;

  private static final List<String> ALL =
      List.of(
          "oracle",
          OURS,
          C3,
          "c3:rate-control=1",
          "prequal",
          "thesis",
          "least-outstanding",
          "dynamic-snitch-0.1",
          "dynamic-snitch",
          "random");

  private static final List<String> PARTS =
      List.of(
          OURS,
          "trimtab:tell=0",
          "trimtab:tell=5",
          "trimtab:tell=10",
          "trimtab:tell=50",
          "trimtab:compensation=0",
          "trimtab:compensation=1",
          "trimtab:compensation=15",
          "trimtab:memory-ms=50",
          "trimtab:memory-ms=500",
          "trimtab:memory-ms=30000",
          "trimtab:queue-memory=2",
          "trimtab:queue-memory=20",
          "trimtab:chance=0",
          "trimtab:chance=2",
          "trimtab:chance=32",
          "trimtab:even=0",
          "trimtab:even=3",
          "trimtab:way=0",
          "trimtab:exponent=1",
          "trimtab:exponent=3",
          "trimtab:silence=0",
          "trimtab:doubt=0",
          "trimtab:tell=0:compensation=1");

  private static final List<String> OPEN =
      List.of(
          "thesis",
          "thesis:period-ms=50",
          "thesis:period-ms=10",
          "thesis:period-ms=0.001",
          "thesis:window=20",
          "thesis:window=1000",
          "thesis:newest=0.5",
          "thesis:newest=0.1",
          "thesis:period-ms=0.001:newest=0.5");

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private final Console console;
  private final Path folder;
  private final int runs;
  private final long seed;
  private final List<Map<String, Object>> raw = new ArrayList<>();
  private final LongAdder events = new LongAdder();
  private final LongAdder cpuNanos = new LongAdder();

  public Replicas(Console console, Path folder, int runs, long seed) {
    this.console = console;
    this.folder = folder;
    this.runs = runs;
    this.seed = seed;
  }

  /** Results of one ranking, a seed each. */
  private record Series(String ranking, List<ReplicaResult> runs) {
    Spread spread(ToDoubleFunction<ReplicaResult> what) {
      return Spread.of(values(what));
    }

    double[] values(ToDoubleFunction<ReplicaResult> what) {
      return runs.stream().mapToDouble(what).toArray();
    }
  }

  public Path run() throws Exception {
    ExperimentReport report =
        new ExperimentReport(folder, "REPLICAS: rankings of replicas in the simulation");
    report
        .paragraph(
            "Made by `./trimtab lab run REPLICAS --runs %d --seed %d` on %s."
                .formatted(runs, seed, LocalDate.now(ZoneOffset.UTC)))
        .paragraph(
            "Milliseconds, median (range) of %d seeds. Ratios are geometric means of the seeds'"
                    .formatted(runs)
                + " ratios, with the 95 % interval of that mean: a seed's arrivals, keys and speeds"
                + " of servers are the same for all rankings.");
    long begun = System.nanoTime();
    ExecutorService workers =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    try {
      compare(report, workers);
      grid(report, workers);
      ablation(report, workers, "What each part of ours brings", PARTS);
      ablation(report, workers, "What the thesis leaves open", OPEN);
      conditions(report, workers);
    } finally {
      workers.shutdownNow();
    }
    report
        .heading("Setting")
        .list(
            List.of(
                Machine.describe(),
                "50 servers of 4 workers, three copies, 150 clients, service times exponential with"
                    + " a mean of 4 ms or a third of it, 0.25 ms one way, a tenth of reads asks all"
                    + " three; where nothing else is said, utilization 0.7 (0.84 with those) and"
                    + " speeds for 50 ms each",
                "with disks: 8 workers, service times lognormal with a mean of 0.8 ms besides the"
                    + " disk, 0.7 ms one way, no read asks all three",
                String.format(
                    Locale.ROOT,
                    "%,d reads a seed and ranking in the first table, %,d in the others; %d minutes"
                        + " on all cores",
                    MANY,
                    SOME,
                    Math.round((System.nanoTime() - begun) / 60e9)),
                String.format(
                    Locale.ROOT,
                    "%.2f million events a second of one core's CPU time, all simulations together",
                    events.sum() / (cpuNanos.sum() / 1e3))));
    report.raw("runs.json", raw);
    return report.write();
  }

  private ReplicaResult counted(ReplicaSimulation simulation) {
    long begun = THREADS.getCurrentThreadCpuTime();
    ReplicaResult result = simulation.run();
    cpuNanos.add(THREADS.getCurrentThreadCpuTime() - begun);
    events.add(result.events());
    return result;
  }

  /** Each ranking with each seed, on all cores. */
  private Map<String, Series> simulate(
      ExecutorService workers, ReplicaCondition condition, List<String> rankings, long requests)
      throws IOException, InterruptedException {
    Map<String, List<Future<ReplicaResult>>> running = new LinkedHashMap<>();
    for (String ranking : rankings) {
      List<Future<ReplicaResult>> its = new ArrayList<>();
      for (int run = 0; run < runs; run++) {
        ReplicaModel model = condition.model().of(requests, seed + run);
        its.add(
            workers.submit(
                () -> counted(new ReplicaSimulation(model, SimulatedRanking.of(ranking)))));
      }
      running.put(ranking, its);
    }
    Map<String, Series> all = new LinkedHashMap<>();
    for (Map.Entry<String, List<Future<ReplicaResult>>> entry : running.entrySet()) {
      console.live(condition.title() + ": " + entry.getKey());
      List<ReplicaResult> results = new ArrayList<>();
      for (Future<ReplicaResult> future : entry.getValue()) {
        try {
          results.add(future.get());
        } catch (ExecutionException e) {
          throw new IOException(condition.title() + ", " + entry.getKey(), e.getCause());
        }
      }
      all.put(entry.getKey(), new Series(entry.getKey(), results));
      keep(condition, entry.getKey(), results);
    }
    console.step(condition.title());
    return all;
  }

  private void keep(ReplicaCondition condition, String ranking, List<ReplicaResult> results) {
    for (int run = 0; run < results.size(); run++) {
      ReplicaResult result = results.get(run);
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("condition", condition.title());
      one.put("ranking", ranking);
      one.put("seed", seed + run);
      one.put("reads", result.latencies().getTotalCount());
      one.put("mean", result.meanMs());
      one.put("p50", result.percentile(50));
      one.put("p95", result.percentile(95));
      one.put("p99", result.percentile(99));
      one.put("p999", result.percentile(99.9));
      one.put("throughput", result.throughput());
      one.put("loadSpread", result.loadSpread());
      raw.add(one);
    }
  }

  private void compare(ExperimentReport report, ExecutorService workers)
      throws IOException, InterruptedException {
    Map<String, Series> all = simulate(workers, ReplicaCondition.usual(), ALL, MANY);
    report.heading("All rankings").table(HEADER, rows(all, C3));
  }

  private static final List<String> HEADER =
      List.of("ranking", "mean", "p50", "p95", "p99", "p99.9", "mean / C3's", "p99.9 / C3's");

  private static List<List<String>> rows(Map<String, Series> all, String to) {
    List<List<String>> rows = new ArrayList<>();
    for (Series its : all.values()) {
      rows.add(
          ExperimentReport.row(
              its.ranking(),
              text(its.spread(ReplicaResult::meanMs)),
              text(its.spread(r -> r.percentile(50))),
              text(its.spread(r -> r.percentile(95))),
              text(its.spread(r -> r.percentile(99))),
              text(its.spread(r -> r.percentile(99.9))),
              ratio(its, all.get(to), ReplicaResult::meanMs),
              ratio(its, all.get(to), r -> r.percentile(99.9))));
    }
    return rows;
  }

  private static PairedRatio ratio(Series of, Series to, ToDoubleFunction<ReplicaResult> what) {
    return PairedRatio.of(of.values(what), to.values(what));
  }

  private static String text(Spread of) {
    return String.format(Locale.ROOT, "%.2f (%.2f–%.2f)", of.median(), of.min(), of.max());
  }

  /** Ours against C3 at other loads and speeds of change. */
  private void grid(ExperimentReport report, ExecutorService workers)
      throws IOException, InterruptedException {
    List<String> header = new ArrayList<>(List.of("utilization (with reads that ask all)"));
    for (double fluctuation : FLUCTUATIONS_MS) {
      header.add(String.format(Locale.ROOT, "%.0f ms", fluctuation));
    }
    List<List<String>> means = new ArrayList<>();
    List<List<String>> tails = new ArrayList<>();
    List<String> worse = new ArrayList<>();
    for (double utilization : UTILIZATIONS) {
      List<String> mean = new ArrayList<>();
      String label =
          String.format(
              Locale.ROOT,
              "%.2f (%.2f)",
              utilization,
              ReplicaCondition.load(utilization, 50).model().of(1, 1).realUtilization());
      mean.add(label);
      List<String> tail = new ArrayList<>(List.of(label));
      for (double fluctuation : FLUCTUATIONS_MS) {
        ReplicaCondition condition = ReplicaCondition.load(utilization, fluctuation);
        Map<String, Series> both = simulate(workers, condition, List.of(OURS, C3), SOME);
        PairedRatio ofMean = ratio(both.get(OURS), both.get(C3), ReplicaResult::meanMs);
        PairedRatio ofTail = ratio(both.get(OURS), both.get(C3), r -> r.percentile(99.9));
        mean.add(ofMean.toString());
        tail.add(ofTail.toString());
        if (ofMean.low() > WORSE || ofTail.low() > WORSE) {
          worse.add(condition.title());
        }
      }
      means.add(mean);
      tails.add(tail);
    }
    report
        .heading("Ours against C3, by load and by how long a server's speed lasts")
        .paragraph("Mean of trimtab as a share of C3's:")
        .table(header, means)
        .paragraph("p99.9 of trimtab as a share of C3's:")
        .table(header, tails)
        .paragraph(
            "Worse than C3 by more than 3 %, beyond the interval: "
                + (runs < 2
                    ? "one seed can't tell."
                    : worse.isEmpty() ? "nowhere." : String.join("; ", worse) + "."));
  }

  private void ablation(
      ExperimentReport report, ExecutorService workers, String title, List<String> variants)
      throws IOException, InterruptedException {
    Map<String, Series> all = simulate(workers, ReplicaCondition.usual(), variants, SOME);
    Series whole = all.get(variants.get(0));
    List<List<String>> rows = new ArrayList<>();
    for (Series its : all.values()) {
      rows.add(
          ExperimentReport.row(
              its.ranking(),
              text(its.spread(ReplicaResult::meanMs)),
              text(its.spread(r -> r.percentile(99.9))),
              ratio(its, whole, ReplicaResult::meanMs),
              ratio(its, whole, r -> r.percentile(99.9))));
    }
    report
        .heading(title)
        .table(
            List.of("ranking", "mean", "p99.9", "mean / the first's", "p99.9 / the first's"), rows);
  }

  private void conditions(ExperimentReport report, ExecutorService workers)
      throws IOException, InterruptedException {
    for (ReplicaCondition condition : ReplicaCondition.others()) {
      Map<String, Series> all = simulate(workers, condition, condition.rankings(), SOME);
      report.heading("Besides: " + condition.title()).table(HEADER, rows(all, C3));
    }
  }
}
