package io.trimtab.experiments.latency;

import java.util.Locale;

/**
 * One measurement of COST: what all nodes of a cluster did in some seconds.
 *
 * @param round from 1 on
 * @param block from 0 on over all rounds; −1 outside of the comparison
 * @param place in its block, from 0 on
 * @param rate reads a second that were asked for; 0 for none
 * @param operations reads that ended in these seconds
 * @param cpuS CPU time of the nodes' processes in these seconds, by the kernel
 * @param counted reads that ended while the following were counted, a little longer
 * @param allocatedBytes of the nodes' heaps
 * @param messages between nodes, without gossip
 * @param compiledMs in which the nodes' JVMs compiled, waiting for the CPU included
 */
record CostHalf(
    int round,
    Phase phase,
    int block,
    int place,
    CostArm arm,
    double rate,
    double seconds,
    long operations,
    double cpuS,
    long counted,
    long allocatedBytes,
    long messages,
    long compiledMs) {
  static final String HEADER =
      "round,phase,block,place,arm,rate,seconds,operations,cpu_s,counted,allocated_bytes,messages,"
          + "compiled_ms";

  /** What for. */
  enum Phase {
    WARM_UP,
    IDLE,
    LOW,
    COMPARED
  }

  /** CPU time of a read, of all nodes together, in µs. */
  double cpuMicros() {
    return cpuS * 1e6 / operations;
  }

  double bytesPerRead() {
    return (double) allocatedBytes / counted;
  }

  double messagesPerRead() {
    return (double) messages / counted;
  }

  double readsPerSecond() {
    return operations / seconds;
  }

  /** That the nodes took of the machine. */
  double cores() {
    return cpuS / seconds;
  }

  /** Time of compilation, of the CPU time. */
  double compiling() {
    return compiledMs / 1e3 / cpuS;
  }

  String csv() {
    return String.format(
        Locale.ROOT,
        "%d,%s,%d,%d,%s,%.0f,%.3f,%d,%.3f,%d,%d,%d,%d",
        round,
        phase,
        block,
        place,
        arm.name(),
        rate,
        seconds,
        operations,
        cpuS,
        counted,
        allocatedBytes,
        messages,
        compiledMs);
  }
}
