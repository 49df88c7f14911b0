package io.trimtab.engineapi.snapshot;

import java.util.OptionalDouble;

/**
 * Resource usage of a node's machine, or of its share of a machine. Values are shares in [0, 1] of
 * what the node may use (its CPU quota and its disk limit if it is isolated); NaN if the engine
 * does not provide the value.
 *
 * @param cpuUser CPU time in user mode
 * @param cpuSystem CPU time in the kernel
 * @param ioWait share of the time in which the CPU was idle and the node waited for the disk
 * @param load5 load average of the node's whole machine, whatever the node's share of it: processes
 *     that run or wait for the disk, per core; of five minutes, or of one where only the JVM tells
 *     it
 * @param waitSource what I/O wait was computed from
 * @param limits what the shares are of
 * @param diskBusy share of the time in which its machine's busiest disk was busy; empty if nobody
 *     tells it. Only compared with other nodes', since a disk that serves side by side is busy long
 *     before it is full
 */
public record NodeUsage(
    double cpuUser,
    double cpuSystem,
    double ioWait,
    double load5,
    WaitSource waitSource,
    NodeLimits limits,
    OptionalDouble diskBusy) {
  public static final NodeUsage UNKNOWN =
      new NodeUsage(Double.NaN, Double.NaN, Double.NaN, Double.NaN);

  public NodeUsage {
    // Older recordings tell neither.
    waitSource = waitSource == null ? WaitSource.UNKNOWN : waitSource;
    limits = limits == null ? NodeLimits.UNKNOWN : limits;
    diskBusy = diskBusy == null ? OptionalDouble.empty() : diskBusy;
  }

  /** Usage of a node whose disks nobody tells of. */
  public NodeUsage(
      double cpuUser,
      double cpuSystem,
      double ioWait,
      double load5,
      WaitSource waitSource,
      NodeLimits limits) {
    this(cpuUser, cpuSystem, ioWait, load5, waitSource, limits, OptionalDouble.empty());
  }

  /** Usage of unknown limits. */
  public NodeUsage(
      double cpuUser, double cpuSystem, double ioWait, double load5, WaitSource waitSource) {
    this(cpuUser, cpuSystem, ioWait, load5, waitSource, NodeLimits.UNKNOWN);
  }

  /** Usage of unknown limits, whose I/O wait has an unknown source. */
  public NodeUsage(double cpuUser, double cpuSystem, double ioWait, double load5) {
    this(cpuUser, cpuSystem, ioWait, load5, WaitSource.UNKNOWN);
  }

  /** CPU user + system; NaN if it is not known. */
  public double cpu() {
    return cpuUser + cpuSystem;
  }

  /** Server usage: CPU user + system + I/O wait = 1 − idle (Cruz 2016, §5.1), at most 1. */
  public double server() {
    return Math.min(1, cpuUser + cpuSystem + ioWait);
  }

  /** Whether there is a value: the CPU's share and I/O wait are both known. */
  public boolean known() {
    return Double.isFinite(server());
  }
}
