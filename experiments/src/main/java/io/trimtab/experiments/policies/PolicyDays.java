package io.trimtab.experiments.policies;

import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.Policy;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Ownership;
import io.trimtab.experiments.Order;
import io.trimtab.experiments.report.BuiltCode;
import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.experiments.report.KeptRuns;
import io.trimtab.lab.testbed.Console;
import io.trimtab.lab.testbed.Machine;
import io.trimtab.runtime.ports.SystemPorts;
import io.trimtab.simulator.days.ClusterDays;
import io.trimtab.simulator.days.DayResult;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
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
  static final double SWINGS = 2;

  private static final List<Policy> POLICIES =
      List.of(Policies.MET_1, Policies.MET, Policies.TIRAMOLA, Policies.AUTOPILOT);

  /** A class of each jar that decides, or that is decided on. */
  private static final List<String> CODE =
      List.of(
          "/io/trimtab/controller/policy/Policies.class",
          "/io/trimtab/models/outlook/Outlook.class",
          "/io/trimtab/runtime/ControlLoop.class",
          "/io/trimtab/simulator/days/ClusterDays.class",
          "/io/trimtab/testkit/cluster/InMemoryCluster.class");

  private final Console console;
  private final Order order;

  /**
   * @param order its runs are clusters, its seed is of the first
   */
  public PolicyDays(Console console, Order order) {
    this.console = console;
    this.order = order;
  }

  /**
   * @throws io.trimtab.config.UserError where the folder's runs can't be continued
   */
  public Path run() throws Exception {
    KeptRuns<PolicyRun> kept =
        KeptRuns.open(order.folder(), PolicyRun.class, "POLICIES", order.start());
    kept.madeWith(setting());
    // As each run is a computation, one that failed is made again.
    kept.forget(run -> !run.failure().isEmpty());
    simulate(kept);
    return write(kept.runs());
  }

  /** Of what the runs that are asked for are made, however many they are. */
  static List<String> setting() throws IOException {
    return List.of(
        "Trimtab %s: classes %s".formatted(SystemPorts.ports().version(), BuiltCode.digest(CODE)),
        ("%d hours; clusters of 3 to 10 nodes at the beginning and at most %d, two copies; up to"
                + " four tables whose load follows the day, changes in steps or turns from one kind"
                + " of request to another; hot ranges that jump; reads, misses, writes, scans and"
                + " rows each take an eighth to eight times the usual CPU time, and dear requests"
                + " come less often; otherwise the settings' defaults; no faults")
            .formatted(TIME.toHours(), NODES_MAX));
  }

  private Path write(List<PolicyRun> all) throws IOException {
    List<PolicyRun> asked =
        all.stream()
            .filter(run -> run.seed() >= order.seed())
            .filter(run -> run.seed() < order.seed() + order.runs())
            .toList();
    List<PolicyRun> runs = asked.stream().filter(run -> run.failure().isEmpty()).toList();
    ExperimentReport report =
        new ExperimentReport(order.folder(), "POLICIES: two days of changing load, by policy");
    report
        .paragraph(
            "Made by `./trimtab lab run POLICIES --seeds %d --seed %d` on %s."
                .formatted(order.runs(), order.seed(), LocalDate.now(ZoneOffset.UTC)))
        .paragraph(
            "Sums over all clusters; in memory, in virtual time. What requests take of a node is"
                + " drawn for each cluster, up to eight times more or less than controllers assume"
                + " before they have seen any. Overload: minutes of nodes that were asked for more"
                + " than they can do. Served: geometric mean over the tables of the share of their"
                + " requests that was served, mean of the clusters. Oscillating: clusters whose"
                + " number of nodes went up and down again twice within two hours.");
    kind(report, "Where partitions are assigned, as in HBase", runs, Ownership.ASSIGNED);
    kind(report, "Where tokens own the data, as in Cassandra", runs, Ownership.TOKENS);
    List<String> failed =
        asked.stream()
            .filter(run -> !run.failure().isEmpty())
            .map(run -> "seed %d, %s: %s".formatted(run.seed(), run.policy(), run.failure()))
            .toList();
    if (!failed.isEmpty()) {
      report.heading("Runs that failed, and are in no table").list(failed);
    }
    List<String> setting = new ArrayList<>(setting());
    setting.add(Machine.describe());
    setting.add(
        String.format(
            Locale.ROOT,
            "%d clusters, %.0f minutes of one core",
            order.runs(),
            runs.stream().mapToDouble(PolicyRun::seconds).sum() / 60));
    report.heading("Setting").list(setting);
    return report.write();
  }

  /** A run that is to be made. */
  private record Due(long seed, Optional<Policy> policy) {
    /** The policy's name, or that of a cluster that is left alone. */
    String name() {
      return policy.map(Policy::name).orElse(NONE);
    }
  }

  private List<Due> due(List<PolicyRun> kept) {
    List<Due> all = new ArrayList<>();
    for (long its = order.seed(); its < order.seed() + order.runs(); its++) {
      all.add(new Due(its, Optional.empty()));
      for (Policy policy : POLICIES) {
        all.add(new Due(its, Optional.of(policy)));
      }
    }
    return all.stream()
        .filter(
            due ->
                kept.stream()
                    .noneMatch(k -> k.seed() == due.seed() && k.policy().equals(due.name())))
        .toList();
  }

  /** Each run is kept as it ends; one that fails is no other's failure. */
  private void simulate(KeptRuns<PolicyRun> kept) throws Exception {
    ExecutorService workers =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    try {
      CompletionService<PolicyRun> running = new ExecutorCompletionService<>(workers);
      List<Due> due = due(kept.runs());
      for (Due one : due) {
        var unused = running.submit(() -> made(one));
      }
      for (int ended = 1; ended <= due.size(); ended++) {
        PolicyRun run = running.take().get();
        kept.add(run);
        if (!run.failure().isEmpty()) {
          console.step("seed %d, %s: %s".formatted(run.seed(), run.policy(), run.failure()));
        }
        console.live("%d of %d runs".formatted(ended, due.size()));
      }
      console.step("%d clusters".formatted(order.runs()));
    } finally {
      workers.shutdownNow();
    }
  }

  private static PolicyRun made(Due due) {
    long begun = System.nanoTime();
    DayResult result = null;
    String failure = "";
    try {
      result = ClusterDays.run(due.seed(), due.policy().map(PolicyDays::settings), TIME);
    } catch (EngineException | RuntimeException e) {
      failure = e.toString();
    }
    return new PolicyRun(
        due.seed(), due.name(), result, (System.nanoTime() - begun) / 1e9, failure);
  }

  private static Settings settings(Policy policy) {
    return Settings.defaults()
        .with(GuardSettings.builder().maxNodes(NODES_MAX).build())
        .with(policy);
  }

  private void kind(
      ExperimentReport report, String title, List<PolicyRun> all, Ownership ownership) {
    report
        .heading(title)
        .paragraph(
            "What it must reach, in sums over the clusters of which both policies have a run."
                + " Equal is what differs by no more than "
                + PolicyVerdicts.EQUAL
                + ":")
        .list(new PolicyVerdicts(all, order.runs()).lines(ownership));
    table(report, all, ownership);
  }

  private static void table(ExperimentReport report, List<PolicyRun> all, Ownership ownership) {
    List<List<String>> rows = new ArrayList<>();
    List<String> names = new ArrayList<>(List.of(NONE));
    POLICIES.forEach(policy -> names.add(policy.name()));
    for (String name : names) {
      Predicate<PolicyRun> its =
          run -> run.policy().equals(name) && run.result().ownership() == ownership;
      List<DayResult> results = all.stream().filter(its).map(PolicyRun::result).toList();
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
                text("%,.0f", sum(results, DayResult::resizedBytes) / GIB),
                text("%,.0f", sum(results, DayResult::splits)),
                text("%,.0f", sum(results, DayResult::reconfigured)),
                text("%,.0f", sum(results, DayResult::resized)),
                results.stream().filter(r -> r.swings() >= SWINGS).count(),
                text("%,.0f", sum(results, DayResult::returns)),
                text("%.2f", sum(results, DayResult::decisionMs) / results.size())));
      }
    }
    report.table(
        List.of(
            "policy",
            "clusters",
            "overload, minutes",
            "node hours",
            "served",
            "plans",
            "moves",
            "GiB moved",
            "of it as nodes came or went",
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
}
