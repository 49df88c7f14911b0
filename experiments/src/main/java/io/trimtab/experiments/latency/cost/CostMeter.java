package io.trimtab.experiments.latency.cost;

import io.trimtab.experiments.latency.CompilerThreads;
import java.io.IOException;
import java.util.Map;
import java.util.function.LongSupplier;
import javax.management.JMException;

/** What a cluster of COST does between two moments. */
final class CostMeter {
  private final CostCluster cluster;
  private final LongSupplier operations;
  private final CostCluster.Counts countsFrom;
  private final Map<String, Double> compilersFrom;
  private final long allocatedFrom;
  private final long countedFrom;
  private final double cpuFrom;
  private final long operationsFrom;
  private final long from;
  private CostCluster.Counts countsTo;
  private double compilerS;
  private long allocated;
  private long counted;
  private double cpuS;
  private long ended;
  private double seconds;

  /**
   * From now on. Reading the nodes' counts takes CPU time of theirs; it is outside.
   *
   * @param operations that have ended until it is asked
   */
  CostMeter(CostCluster cluster, LongSupplier operations) throws IOException, JMException {
    this.cluster = cluster;
    this.operations = operations;
    countsFrom = cluster.counts();
    allocatedFrom = cluster.allocatedBytes();
    countedFrom = operations.getAsLong();
    compilersFrom = cluster.compilersS();
    cpuFrom = cluster.cpuS();
    operationsFrom = operations.getAsLong();
    from = System.nanoTime();
  }

  void stop() throws IOException, JMException {
    cpuS = cluster.cpuS() - cpuFrom;
    ended = operations.getAsLong() - operationsFrom;
    seconds = (System.nanoTime() - from) / 1e9;
    compilerS = CompilerThreads.between(compilersFrom, cluster.compilersS());
    allocated = cluster.allocatedBytes() - allocatedFrom;
    counted = operations.getAsLong() - countedFrom;
    countsTo = cluster.counts();
  }

  /** Reads that the plug-in ranked. */
  long ranked() {
    return countsTo.ranked() - countsFrom.ranked();
  }

  /** Reads that it did not rank though it should have, and errors in it. */
  long failures() {
    return countsTo.failures()
        - countsFrom.failures()
        + countsTo.fallenBack()
        - countsFrom.fallenBack();
  }

  CostHalf half(int round, CostHalf.Phase phase, int block, int place, CostArm arm, double rate) {
    return new CostHalf(
        round,
        phase,
        block,
        place,
        arm,
        rate,
        seconds,
        ended,
        cpuS,
        counted,
        allocated,
        countsTo.messages() - countsFrom.messages(),
        compilerS);
  }
}
