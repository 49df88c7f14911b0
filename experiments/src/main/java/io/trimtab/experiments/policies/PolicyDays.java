package io.trimtab.experiments.policies;

import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.Policy;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.Ownership;
import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.lab.testbed.Console;
import io.trimtab.lab.testbed.Machine;
import io.trimtab.simulator.days.ClusterDays;
import io.trimtab.simulator.days.DayResult;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * POLICIES: each policy in charge of the same random clusters in memory for two days of changing
 * load. A computation; it needs no cluster.
 */
public final class PolicyDays {
  private static final Duration TIME = Duration.ofHours(48);

  /** Nodes that a policy may have: no cluster needs so many. */
  private static final int NODES_MAX = 24;

  /** A cluster that is left alone, but for the database's own balancing. */
  private static final String NONE = "none";

  private static final double GIB = 1L << 30;

  /** From which on the number of nodes counts as oscillating (stability.nodeSwings). */
  private static final double SWINGS = 2;

  private static final List<Policy> POLICIES =
      List.of(Policies.MET_1, Policies.MET, Policies.TIRAMOLA, Policies.AUTOPILOT);

  private final Console console;
  private final Path folder;
  private final int seeds;
  private final long seed;

  /**
   * @param seeds how many clusters
   * @param seed of the first
   */
  public PolicyDays(Console console, Path folder, int seeds, long seed) {
    this.console = console;
    this.folder = folder;
    this.seeds = seeds;
    this.seed = seed;
  }

  /** One policy on one cluster. */
  private record Run(long seed, String policy, DayResult result) {}

  public Path run() throws Exception {
    long begun = System.nanoTime();
    List<Run> runs = simulate();
    ExperimentReport report =
        new ExperimentReport(folder, "POLICIES: two days of changing load, by policy");
    report
        .paragraph(
            "Made by `./trimtab lab run POLICIES --seeds %d --seed %d` on %s."
                .formatted(seeds, seed, LocalDate.now(ZoneOffset.UTC)))
        .paragraph(
            "Sums over all clusters; in memory, in virtual time, by a law of usage that no policy"
                + " knows. Overload: minutes of nodes that were asked for more than they can do."
                + " Served: geometric mean over the tables of the share of their requests that was"
                + " served, mean of the clusters. Oscillating: clusters whose number of nodes went"
                + " up and down again twice within two hours.");
    table(report, "Where partitions are assigned, as in HBase", runs, Ownership.ASSIGNED);
    table(report, "Where tokens own the data, as in Cassandra", runs, Ownership.TOKENS);
    report
        .heading("Setting")
        .list(
            List.of(
                Machine.describe(),
                String.format(
                    Locale.ROOT,
                    "%d clusters of 3 to 10 nodes at the beginning and at most %d, two copies; up"
                        + " to four tables whose load follows the day, changes in steps or turns"
                        + " from one kind of request to another; hot ranges that jump; otherwise"
                        + " the settings' defaults; no faults",
                    seeds,
                    NODES_MAX),
                String.format(
                    Locale.ROOT, "%.0f minutes on all cores", (System.nanoTime() - begun) / 60e9)));
    report.raw("runs.json", raw(runs));
    return report.write();
  }

  private List<Run> simulate() throws IOException, InterruptedException {
    ExecutorService workers =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    try {
      List<Future<Run>> running = new ArrayList<>();
      for (int i = 0; i < seeds; i++) {
        long its = seed + i;
        running.add(workers.submit(() -> run(its, NONE, Optional.empty())));
        for (Policy policy : POLICIES) {
          running.add(workers.submit(() -> run(its, policy.name(), Optional.of(settings(policy)))));
        }
      }
      List<Run> runs = new ArrayList<>();
      for (Future<Run> future : running) {
        try {
          runs.add(future.get());
        } catch (ExecutionException e) {
          throw new IOException(
              "run %d of %d".formatted(runs.size() + 1, running.size()), e.getCause());
        }
        console.live("%d of %d runs".formatted(runs.size(), running.size()));
      }
      console.step("%d clusters".formatted(seeds));
      return runs;
    } finally {
      workers.shutdownNow();
    }
  }

  private static Run run(long seed, String policy, Optional<Settings> settings) throws Exception {
    return new Run(seed, policy, ClusterDays.run(seed, settings, TIME));
  }

  private static Settings settings(Policy policy) {
    return Settings.defaults()
        .with(GuardSettings.builder().maxNodes(NODES_MAX).build())
        .with(policy);
  }

  private static void table(
      ExperimentReport report, String title, List<Run> all, Ownership ownership) {
    List<List<String>> rows = new ArrayList<>();
    List<String> names = all.stream().map(Run::policy).distinct().toList();
    for (String name : names) {
      Predicate<Run> its =
          run -> run.policy().equals(name) && run.result().ownership() == ownership;
      List<DayResult> results = all.stream().filter(its).map(Run::result).toList();
      if (!results.isEmpty()) {
        rows.add(
            ExperimentReport.row(
                name,
                results.size(),
                text("%,.0f", sum(results, DayResult::overloadedMinutes)),
                text("%,.0f", sum(results, DayResult::nodeHours)),
                text("%.2f %%", 100 * sum(results, DayResult::served) / results.size()),
                text("%,.0f", sum(results, DayResult::plans)),
                text("%,.0f", sum(results, DayResult::moves)),
                text("%,.0f", sum(results, DayResult::movedBytes) / GIB),
                text("%,.0f", sum(results, DayResult::splits)),
                text("%,.0f", sum(results, DayResult::reconfigured)),
                text("%,.0f", sum(results, DayResult::resized)),
                results.stream().filter(r -> r.swings() >= SWINGS).count(),
                text("%,.0f", sum(results, DayResult::returns)),
                text("%.2f", sum(results, DayResult::decisionMs) / results.size())));
      }
    }
    report
        .heading(title)
        .table(
            List.of(
                "policy",
                "clusters",
                "overload, minutes",
                "node hours",
                "served",
                "plans",
                "moves",
                "GiB moved",
                "splits",
                "profile changes",
                "nodes added and removed",
                "oscillating",
                "partitions that came back",
                "ms a decision"),
            rows);
  }

  private static double sum(List<DayResult> results, ToDoubleFunction<DayResult> what) {
    return results.stream().mapToDouble(what).sum();
  }

  private static String text(String format, double value) {
    return String.format(Locale.ROOT, format, value);
  }

  private static List<Map<String, Object>> raw(List<Run> runs) {
    List<Map<String, Object>> raw = new ArrayList<>();
    for (Run run : runs) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("seed", run.seed());
      one.put("policy", run.policy());
      one.put("result", run.result());
      raw.add(one);
    }
    return raw;
  }
}
