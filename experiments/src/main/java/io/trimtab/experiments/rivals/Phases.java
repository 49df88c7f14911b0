package io.trimtab.experiments.rivals;

import io.trimtab.engineapi.NodeId;
import io.trimtab.experiments.bed.RunTime;
import io.trimtab.lab.testbed.Console;
import io.trimtab.lab.testbed.HBaseTestbed;
import io.trimtab.lab.testbed.Machine;
import io.trimtab.lab.testbed.RunResult;
import io.trimtab.lab.testbed.TestbedLoad;
import io.trimtab.workload.TenantSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One load after another, on the same cluster. */
final class Phases implements RunTime {
  private final HBaseTestbed bed;
  private final Console console;
  private final String label;
  private final long seed;
  private final List<RivalRun.PhaseResult> results = new ArrayList<>();
  private volatile int ended;
  private volatile TestbedLoad now;

  Phases(HBaseTestbed bed, Console console, String label, long seed) {
    this.bed = bed;
    this.console = console;
    this.label = label;
    this.seed = seed;
  }

  /**
   * Runs a load; a node that dies ends it within seconds.
   *
   * @param level at the end, over which the level is measured
   */
  void run(
      String title, List<TenantSpec> tenants, Duration time, Duration level, MovedPartitions moved)
      throws Exception {
    int moves = moved.moves();
    long bytes = moved.bytes();
    Map<NodeId, Long> compacted = bed.compactedBytes();
    try (TestbedLoad load = bed.start(tenants)) {
      now = load;
      load.followWhole(console, label + ": " + title, time.minus(level));
      int from = load.second();
      load.beginWindow();
      double busy = Machine.busySeconds();
      long begun = System.nanoTime();
      load.followWhole(console, label + ": " + title, level);
      double seconds = (System.nanoTime() - begun) / 1e9;
      double machine = (Machine.busySeconds() - busy) / (seconds * Machine.cores());
      Map<String, Double> levelP99Ms = load.windowP99Ms();
      moved.look();
      RunResult result = load.finish(label + ", " + title, seed, from, load.second());
      results.add(
          new RivalRun.PhaseResult(
              title,
              result,
              load.p99Ms(),
              levelP99Ms,
              moved.moves() - moves,
              moved.bytes() - bytes,
              since(compacted, bed.compactedBytes()),
              machine));
      int until = ended + result.total().length;
      now = null;
      ended = until;
    }
  }

  /**
   * A server that was restarted meanwhile counts from its restart. Of one that did not answer
   * before it is not known: what it has written since its start, as when it was loaded, is not of
   * this load.
   */
  static long since(Map<NodeId, Long> before, Map<NodeId, Long> now) {
    return now.entrySet().stream()
        .filter(server -> before.containsKey(server.getKey()))
        .mapToLong(
            server -> {
              long was = before.get(server.getKey());
              return server.getValue() < was ? server.getValue() : server.getValue() - was;
            })
        .sum();
  }

  List<RivalRun.PhaseResult> results() {
    return List.copyOf(results);
  }

  @Override
  public int second() {
    TestbedLoad load = now;
    return ended + (load == null ? 0 : load.second());
  }

  @Override
  public String line() {
    TestbedLoad load = now;
    return load == null ? "" : load.line(0);
  }
}
