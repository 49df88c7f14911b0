package io.trimtab.experiments.latency;

import io.trimtab.lab.testbed.Console;
import io.trimtab.lab.testbed.Machine;
import io.trimtab.workload.CassandraTarget;
import io.trimtab.workload.LatencyListener;
import io.trimtab.workload.Sample;
import io.trimtab.workload.WorkloadRun;
import io.trimtab.workload.WorkloadSpec;
import java.io.IOException;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.management.JMException;
import org.HdrHistogram.Histogram;

/**
 * One run: a load, an ordering, and the same disturbances at the same times. One node's disk is
 * limited to a tenth for some seconds, another one collects garbage, a third one compacts.
 */
final class RankingTrial {
  static final int SECONDS = 45;
  static final int SETTLE_SECONDS = 20;
  static final int WARM_SECONDS = 12;
  static final int SLOW_NODE = 1;
  private static final int STOPPING_NODE = 3;
  private static final int COMPACTING_NODE = 5;
  static final int SLOW_FROM = 8;
  static final int SLOW_TO = 14;
  static final int SLOW_IOPS = 10;
  static final int STOP_AT = 22;
  static final int COMPACT_AT = 30;

  private final RankingBed bed;
  private final Console console;
  private final RankingCase load;
  private final boolean disturbed;

  RankingTrial(RankingBed bed, Console console, RankingCase load, boolean disturbed) {
    this.bed = bed;
    this.console = console;
    this.load = load;
    this.disturbed = disturbed;
  }

  /** A run by its name, and reads on the nodes that are disturbed. */
  private record Series(Ordering ordering, int number, Map<Phase, List<Integer>> perInterval) {}

  /** What all nodes and the machine's cores have done since some time. */
  private record Used(long diskReads, double busySeconds, long ownReads, long askedReads) {
    static Used now(RankingBed bed) throws IOException, JMException {
      return new Used(
          bed.lab().diskReads(),
          Machine.busySeconds(),
          bed.plugin("OwnReads"),
          bed.plugin("AskedReads"));
    }

    Used since(Used before) {
      return new Used(
          diskReads - before.diskReads,
          busySeconds - before.busySeconds,
          ownReads - before.ownReads,
          askedReads - before.askedReads);
    }

    /** The share of what coordinators asked for that was their own copy; 0 if there was nothing. */
    double own() {
      return (double) ownReads / Math.max(1, ownReads + askedReads);
    }
  }

  /** Latencies between the end of settling and the end. */
  private static final class Measured implements LatencyListener {
    final Histogram reads = new Histogram(3);
    final Histogram writes = new Histogram(3);
    final Map<Phase, Histogram> phases = new EnumMap<>(Phase.class);
    private int second;

    @Override
    public void latencies(String tenant, Histogram ofSecond) {}

    @Override
    public synchronized void kinds(String tenant, Histogram ofReads, Histogram ofWrites) {
      if (second >= SETTLE_SECONDS && second < SETTLE_SECONDS + SECONDS) {
        reads.add(ofReads);
        phases
            .computeIfAbsent(Phase.of(second - SETTLE_SECONDS), phase -> new Histogram(3))
            .add(ofReads);
        writes.add(ofWrites);
      }
      second++;
    }
  }

  /**
   * Each ordering for some seconds and one whole run that does not count, so that none is measured
   * with code that is interpreted.
   */
  void warm(List<Ordering> orderings) throws Exception {
    for (Ordering ordering : orderings) {
      bed.order(ordering);
      WorkloadSpec spec = spec(ordering);
      try (WorkloadRun run =
          WorkloadRun.start(spec, bed.target(load.routing()), bed.ledgers(), samples -> {})) {
        while (run.seconds() < WARM_SECONDS) {
          console.live("%s, %s: warming up".formatted(load.title(), ordering));
          TimeUnit.MILLISECONDS.sleep(100);
        }
        run.stop();
      }
    }
    // What only disturbances call is interpreted, too, when it is called first.
    RankingResult first = run(orderings.get(0), 0);
    if (first.wrong() > 0) {
      throw new IOException(first.wrong() + " reads were wrong while warming up");
    }
  }

  /** Called when a run has settled. */
  @FunctionalInterface
  interface Settled {
    void begin() throws IOException, JMException;
  }

  RankingResult run(Ordering ordering, int number) throws Exception {
    return run(ordering, number, () -> {});
  }

  RankingResult run(Ordering ordering, int number, Settled settled) throws Exception {
    bed.order(ordering);
    Measured measured = new Measured();
    WorkloadSpec spec = spec(ordering);
    Map<Phase, List<Integer>> perInterval;
    Used used;
    FutureTask<Void> compaction =
        new FutureTask<>(
            () -> {
              bed.beans(COMPACTING_NODE).compact(CassandraTarget.KEYSPACE, load.table(ordering));
              return null;
            });
    try (WorkloadRun run =
        WorkloadRun.start(
            spec, bed.target(load.routing()), bed.ledgers(), samples -> {}, measured)) {
      String what = "%s, %s, run %d".formatted(load.title(), ordering, number);
      until(run, SETTLE_SECONDS, what + ": settling");
      try (NodeReads reads = reads(SLOW_NODE, ordering);
          NodeReads stopping = reads(STOPPING_NODE, ordering);
          NodeReads compacting = reads(COMPACTING_NODE, ordering)) {
        settled.begin();
        Used before = Used.now(bed);
        if (disturbed) {
          disturb(run, what, compaction);
        }
        until(run, SETTLE_SECONDS + SECONDS, what);
        used = Used.now(bed).since(before);
        perInterval =
            Map.of(
                Phase.SLOW_DISK, reads.stop(),
                Phase.GARBAGE, stopping.stop(),
                Phase.COMPACTION, compacting.stop());
      }
      if (disturbed) {
        // What goes on would be a disturbance of the next run.
        bed.lab().limitReads(bed.nodes().get(COMPACTING_NODE), 0);
        compaction.get();
        bed.lab().limitNodes(true);
      }
      run.stop();
      bed.lab().requireWhole();
      return result(run, measured, used, new Series(ordering, number, perInterval));
    }
  }

  private WorkloadSpec spec(Ordering ordering) {
    return new WorkloadSpec(null, null, List.of(load.tenant(ordering)));
  }

  private NodeReads reads(int node, Ordering ordering) {
    return new NodeReads(bed.beans(node), CassandraTarget.KEYSPACE, load.table(ordering));
  }

  private void until(WorkloadRun run, int second, String what) throws InterruptedException {
    while (run.seconds() < second) {
      TimeUnit.MILLISECONDS.sleep(20);
      console.live(what + ", " + (SETTLE_SECONDS + SECONDS - run.seconds()) + " s left");
    }
  }

  private void disturb(WorkloadRun run, String what, Runnable compaction)
      throws IOException, JMException, InterruptedException {
    until(run, SETTLE_SECONDS + SLOW_FROM, what);
    bed.lab().limitReads(bed.nodes().get(SLOW_NODE), SLOW_IOPS);
    try {
      until(run, SETTLE_SECONDS + SLOW_TO, what + ": a slow disk");
    } finally {
      bed.lab().limitNodes(true);
    }
    until(run, SETTLE_SECONDS + STOP_AT, what);
    bed.beans(STOPPING_NODE).collectGarbage();
    until(run, SETTLE_SECONDS + COMPACT_AT, what);
    // It lasts longer than this call may.
    Thread thread = new Thread(compaction, "compaction");
    thread.setDaemon(true);
    thread.start();
  }

  /** The slowest reads of each part of the run, in milliseconds: p99.9. */
  private static Map<Phase, Double> slowest(Measured measured) {
    Map<Phase, Double> slowest = new EnumMap<>(Phase.class);
    measured.phases.forEach((phase, its) -> slowest.put(phase, RankingResult.ms(its, 99.9)));
    return slowest;
  }

  private RankingResult result(WorkloadRun run, Measured measured, Used used, Series series) {
    long operations = 0;
    for (Sample sample : run.samples()) {
      int second = sample.second() - SETTLE_SECONDS;
      operations += second >= 0 && second < SECONDS ? sample.operations() : 0;
    }
    var summary = run.summaries().get(0);
    Histogram reads = measured.reads;
    return new RankingResult(
        load.title(),
        series.ordering().toString(),
        series.number(),
        LocalDate.now(ZoneOffset.UTC).toString(),
        Machine.describe(),
        (double) operations / SECONDS,
        RankingResult.meanMs(reads),
        RankingResult.ms(reads, 50),
        RankingResult.ms(reads, 95),
        RankingResult.ms(reads, 99),
        RankingResult.ms(reads, 99.9),
        RankingResult.ms(reads, 100),
        RankingResult.ms(measured.writes, 50),
        RankingResult.ms(measured.writes, 99.9),
        summary.errors(),
        summary.retries(),
        summary.wrong(),
        summary.lost(),
        slowest(measured),
        used.diskReads() / (double) RankingBed.NODES / SECONDS,
        used.busySeconds() / SECONDS,
        used.own(),
        series.perInterval());
  }
}
