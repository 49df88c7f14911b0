package io.trimtab.lab.testbed;

import io.trimtab.config.UserError;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.workload.Sample;
import io.trimtab.workload.WorkloadRun;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Tenants at work on the bed. */
public final class TestbedLoad implements AutoCloseable {
  private static final Duration FILL_MORE = Duration.ofSeconds(10);
  private static final int FILL_TRIES = 15;

  private static final double MICROS_PER_MS = 1_000;

  /** How often a load that ends with a node looks whether all are there. */
  private static final int LOOK_S = 5;

  private static final long AGAIN_MS = 1_000;

  /** HBase evicts from 0.99 of its cache down to 0.95. */
  private static final double FULL = 0.93;

  /** Share of misses of a load that the cache holds. */
  private static final double FEW = 0.005;

  private final WorkloadRun run;
  private final int tenants;
  private final Runnable requireWhole;

  /**
   * @param requireWhole throws if the cluster has lost a node that it had at the start
   */
  TestbedLoad(WorkloadRun run, int tenants, Runnable requireWhole) {
    this.run = run;
    this.tenants = tenants;
    this.requireWhole = requireWhole;
  }

  public int second() {
    return run.seconds();
  }

  public double[] total() {
    return new RunResult("", 0, run.opsPerSecond(), 0, 0, 0, 0, 0, 0, 0).total();
  }

  /** Waits, and shows what the tenants do meanwhile. */
  public void follow(Console console, String what, Duration time) throws InterruptedException {
    int until = run.seconds() + (int) time.toSeconds();
    while (run.seconds() < until) {
      TimeUnit.MILLISECONDS.sleep(200);
      console.live(what + "  " + line(until - run.seconds()));
    }
  }

  /**
   * As {@link #follow}, but for a cluster that has lost a node, which is noticed within seconds.
   *
   * @throws UserError naming the process that has ended
   */
  public void followWhole(Console console, String what, Duration time) throws InterruptedException {
    int until = run.seconds() + (int) time.toSeconds();
    int looked = run.seconds();
    while (run.seconds() < until) {
      TimeUnit.MILLISECONDS.sleep(200);
      console.live(what + "  " + line(until - run.seconds()));
      if (run.seconds() - looked >= LOOK_S) {
        looked = run.seconds();
        lookWhole();
      }
    }
  }

  /** A process that is stopped in order has ended for a moment before that is known. */
  private void lookWhole() throws InterruptedException {
    try {
      requireWhole.run();
    } catch (UserError e) {
      TimeUnit.MILLISECONDS.sleep(AGAIN_MS);
      requireWhole.run();
    }
  }

  /** From now on is the window of {@link #windowP99Ms}. */
  public void beginWindow() {
    run.beginWindow();
  }

  /** 99th percentile of the latencies since the window began, in ms, by tenant. */
  public Map<String, Double> windowP99Ms() {
    Map<String, Double> slow = new TreeMap<>();
    run.windowP99Micros().forEach((tenant, micros) -> slow.put(tenant, micros / MICROS_PER_MS));
    return slow;
  }

  /**
   * Waits until the node's block cache is full, or has all that is requested: at least so long, and
   * longer where the disk is cold.
   */
  public void fill(Testbed bed, Console console, String what, Duration least)
      throws EngineException, InterruptedException {
    NodeGauges before = gauges(bed);
    follow(console, what, least);
    NodeGauges now = gauges(bed);
    for (int i = 0; i < FILL_TRIES && !full(before, now); i++) {
      follow(console, what, FILL_MORE);
      before = now;
      now = gauges(bed);
    }
    if (!full(before, now)) {
      console.step(
          String.format(
              Locale.ROOT,
              "%s: given up with %.0f %% of the cache in use, and still filling",
              what,
              100.0 * now.cacheUsedBytes() / now.cacheMaxBytes()));
    }
  }

  private static boolean full(NodeGauges before, NodeGauges now) {
    double misses = now.cacheMisses() - before.cacheMisses();
    double asked = misses + now.cacheHits() - before.cacheHits();
    return now.cacheUsedBytes() >= FULL * now.cacheMaxBytes() || misses < FEW * asked;
  }

  private static NodeGauges gauges(Testbed bed) throws EngineException {
    return bed.measured().gauges();
  }

  /** Throughput of the last whole second. */
  public String line(int left) {
    List<Sample> all = run.samples();
    StringBuilder text = new StringBuilder();
    long total = 0;
    for (Sample s : all.subList(Math.max(0, all.size() - tenants), all.size())) {
      total += s.operations();
      text.append(' ').append(s.tenant()).append(' ').append(s.operations());
    }
    return String.format(Locale.ROOT, "%,6d ops/s ", total)
        + text
        + (left > 0 ? "  " + left + " s left" : "");
  }

  public RunResult finish(String label, long seed, int from, int to) throws InterruptedException {
    Map<String, double[]> series = run.opsPerSecond();
    run.stop();
    // What was measured on a cluster that had lost a node is no result.
    requireWhole.run();
    long errors = 0;
    long retries = 0;
    long wrong = 0;
    long lost = 0;
    for (var summary : run.summaries()) {
      errors += summary.errors();
      retries += summary.retries();
      wrong += summary.wrong();
      lost += summary.lost();
    }
    return new RunResult(
        label, seed, series, from, to, errors, retries, wrong, lost, RunResult.longestGap(series));
  }

  /** 99th percentile of the latencies of the whole run, in ms, by tenant. */
  public Map<String, Double> p99Ms() {
    Map<String, Double> slow = new TreeMap<>();
    run.summaries().forEach(s -> slow.put(s.tenant(), s.p99Micros() / MICROS_PER_MS));
    return slow;
  }

  @Override
  public void close() throws InterruptedException {
    run.close();
  }
}
