package io.trimtab.experiments.latency.cost;

import io.trimtab.experiments.latency.cost.CostHalf.Phase;
import io.trimtab.lab.testbed.Console;
import io.trimtab.workload.Distribution;
import io.trimtab.workload.Mix;
import io.trimtab.workload.Summary;
import io.trimtab.workload.TenantSpec;
import io.trimtab.workload.WorkloadRun;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * COST: what the plug-in that ranks replicas takes of nodes' CPU and heap for each read. Two
 * clusters stand side by side, with and without it; all data are in memory, and one of them is
 * asked at a time.
 */
public final class PluginCost {
  static final int RECORDS = 20_000;
  static final int LENGTH = 1_000;
  static final int THREADS = 32;

  /** Of the CPU time, in the last slices before the comparison. */
  static final double COMPILING_MOST = 0.01;

  /** Of the reads, that a ranking must have ranked; some are under way at both ends. */
  private static final double RANKED_LEAST = 0.9;

  private static final int OUTSIDE = -1;

  /**
   * Nodes with and without the plug-in are asked as often: code that runs more is compiled more.
   */
  private static final List<CostArm> TURN =
      List.of(
          CostArm.STOCK,
          CostArm.FILTERS,
          CostArm.PLAIN,
          CostArm.OWN_FIRST,
          CostArm.STOCK,
          CostArm.TRIMTAB);

  private final Console console;
  private final Path folder;
  private final CostPlan plan;
  private final long seed;
  private final String labName;
  private final double loadAverage =
      ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  private final List<CostHalf> halves = new ArrayList<>();
  private String version = "";

  public PluginCost(Console console, Path folder, int rounds, long seed, String labName) {
    this(console, folder, CostPlan.standard(rounds), seed, labName);
  }

  PluginCost(Console console, Path folder, CostPlan plan, long seed, String labName) {
    this.console = console;
    this.folder = folder;
    this.plan = plan;
    this.seed = seed;
    this.labName = labName;
  }

  /** Both clusters of a round. */
  private record Bed(CostCluster stock, CostCluster ranking) {
    CostCluster of(CostArm arm) {
      return arm.plugin().isPresent() ? ranking : stock;
    }
  }

  public Path run() throws Exception {
    Path written = null;
    for (int round = 1; round <= plan.rounds(); round++) {
      console.step("round %d of %d".formatted(round, plan.rounds()));
      try (CostCluster stock = CostCluster.open(labName + "-s", false, console);
          CostCluster ranking = CostCluster.open(labName + "-r", true, console)) {
        version = stock.version();
        written = round(round, new Bed(stock, ranking));
      }
    }
    return written;
  }

  private Path round(int round, Bed bed) throws Exception {
    for (CostCluster cluster : List.of(bed.stock(), bed.ranking())) {
      cluster.load(tenant(null));
    }
    warmUp(round, bed);
    idle(round, bed);
    for (CostArm arm : List.of(CostArm.STOCK, CostArm.OWN_FIRST)) {
      keep(half(bed, new Task(round, Phase.LOW, OUTSIDE, 0, arm, plan.lowRate())));
    }
    Path written = null;
    for (int i = 0; i < plan.blocks(); i++) {
      int block = (round - 1) * plan.blocks() + i;
      int place = 0;
      for (CostArm arm : CostArm.order(seed, block)) {
        keep(half(bed, new Task(round, Phase.COMPARED, block, place++, arm, plan.rate())));
      }
      // What is known is not lost where the rest is cut off.
      written = report().write(halves);
    }
    return written;
  }

  /** Half of a pair, or what is measured like one. */
  private record Task(int round, Phase phase, int block, int place, CostArm arm, double rate) {}

  /**
   * @param rate reads a second; null for as fast as it goes
   */
  private static TenantSpec tenant(Double rate) {
    return new TenantSpec(
        "cost",
        null,
        null,
        RECORDS,
        1,
        LENGTH,
        null,
        null,
        null,
        new Mix(1.0, null, null, null, null),
        null,
        Distribution.UNIFORM,
        TenantSpec.KeyOrder.HASHED,
        THREADS,
        rate,
        rate == null ? TenantSpec.Loop.CLOSED : TenantSpec.Loop.OPEN,
        TenantSpec.Consistency.QUORUM);
  }

  private void keep(CostHalf half) throws IOException {
    add(half);
    console.step(
        String.format(
            Locale.ROOT,
            "%s, %s: %.0f µs and %,.0f bytes a read, %.2f messages; %.1f %% compilation",
            half.block() == OUTSIDE ? half.phase() : "block " + (half.block() + 1),
            half.arm(),
            half.cpuMicros(),
            half.bytesPerRead(),
            half.messagesPerRead(),
            100 * half.compiling()));
  }

  private void add(CostHalf half) throws IOException {
    halves.add(half);
    report().keep(halves);
  }

  private CostReport report() {
    return new CostReport(folder, plan, seed, version, loadAverage);
  }

  /** All arms at full speed in turns until hardly anything is compiled, then at the rate. */
  private void warmUp(int round, Bed bed) throws Exception {
    double worst = 1;
    for (int turn = 0; turn < plan.turns() && worst > COMPILING_MOST; turn++) {
      worst = 0;
      for (CostArm arm : TURN) {
        Task task = new Task(round, Phase.WARM_UP, OUTSIDE, turn, arm, 0);
        CostHalf half = measure(bed.of(arm), task, tenant(null), 0, plan.sliceS());
        keep(half);
        worst = Math.max(worst, half.compiling());
      }
    }
    for (CostArm arm : CostArm.values()) {
      Task task = new Task(round, Phase.WARM_UP, OUTSIDE, plan.turns(), arm, plan.rate());
      keep(measure(bed.of(arm), task, tenant(plan.rate()), 0, plan.sliceS()));
    }
  }

  /** Nobody asks anything, of either cluster. */
  private void idle(int round, Bed bed) throws Exception {
    List<CostArm> arms = List.of(CostArm.STOCK, CostArm.TRIMTAB);
    List<CostMeter> meters = new ArrayList<>();
    for (CostArm arm : arms) {
      bed.of(arm).become(arm);
    }
    for (CostArm arm : arms) {
      meters.add(new CostMeter(bed.of(arm), () -> 0));
    }
    pause(plan.halfS(), "round %d, nobody asks".formatted(round));
    for (CostMeter meter : meters) {
      meter.stop();
    }
    for (int i = 0; i < arms.size(); i++) {
      CostHalf half = half(meters.get(i), new Task(round, Phase.IDLE, OUTSIDE, i, arms.get(i), 0));
      add(half);
      console.step(
          String.format(Locale.ROOT, "nobody asks, %s: %.3f cores", half.arm(), half.cores()));
    }
  }

  private CostHalf half(Bed bed, Task task) throws Exception {
    return measure(bed.of(task.arm()), task, tenant(task.rate()), plan.settleS(), plan.halfS());
  }

  private static CostHalf half(CostMeter meter, Task task) {
    return meter.half(
        task.round(), task.phase(), task.block(), task.place(), task.arm(), task.rate());
  }

  private CostHalf measure(
      CostCluster cluster, Task task, TenantSpec tenant, int settleS, int measureS)
      throws Exception {
    cluster.become(task.arm());
    String what = "round %d, %s".formatted(task.round(), task.arm());
    try (WorkloadRun run = cluster.start(tenant)) {
      pause(settleS, what);
      CostMeter meter = new CostMeter(cluster, () -> operations(run));
      pause(measureS, what);
      meter.stop();
      run.stop();
      cluster.requireWhole();
      check(run.summaries().get(0));
      CostHalf half = half(meter, task);
      checkPlugin(task.arm(), meter.ranked(), meter.failures(), half.counted());
      return half;
    }
  }

  private static long operations(WorkloadRun run) {
    return run.summaries().get(0).operations();
  }

  private static void check(Summary summary) throws IOException {
    if (summary.errors() + summary.wrong() + summary.lost() > 0) {
      throw new IOException(
          "%d reads failed, %d were wrong, %d records were missing"
              .formatted(summary.errors(), summary.wrong(), summary.lost()));
    }
  }

  /** Otherwise something else would be measured than the report says. */
  private static void checkPlugin(CostArm arm, long ranked, long failures, long reads)
      throws IOException {
    boolean right = arm.ranks() ? ranked >= RANKED_LEAST * reads : ranked == 0;
    if (!right || failures > 0) {
      throw new IOException(
          "%s: the plug-in ranked %d of %d reads and failed %d times"
              .formatted(arm, ranked, reads, failures));
    }
  }

  private void pause(int seconds, String what) throws InterruptedException {
    for (int left = seconds; left > 0; left--) {
      console.live(what + ", " + left + " s left");
      TimeUnit.SECONDS.sleep(1);
    }
  }
}
