package io.trimtab.experiments.latency.cost;

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
 * @param compilerS CPU time of the nodes' compilers, which is part of cpuS
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
    double compilerS) {
  static final String HEADER =
      "round,phase,block,place,arm,rate,seconds,operations,cpu_s,counted,allocated_bytes,messages,"
          + "compiler_s";

  /** What for. */
  enum Phase {
    WARM_UP,
    IDLE,
    LOW,
    COMPARED
  }

  /** CPU time of a read, of all nodes together, in µs; without compilers, which come to an end. */
  double cpuMicros() {
    return (cpuS - compilerS) * 1e6 / operations;
  }

  /** The same with the compilers. */
  double wholeCpuMicros() {
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

  /** The compilers' share of the CPU time. */
  double compiling() {
    return compilerS / cpuS;
  }

  String csv() {
    return String.format(
        Locale.ROOT,
        "%d,%s,%d,%d,%s,%.0f,%.3f,%d,%.3f,%d,%d,%d,%.3f",
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
        compilerS);
  }
}
