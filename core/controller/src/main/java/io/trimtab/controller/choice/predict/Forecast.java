package io.trimtab.controller.choice.predict;

/**
 * A predicted usage. A node serves what is asked of it as long as neither its CPU nor its disk is
 * asked for too much; where the two are not told apart, both are its usage.
 *
 * @param cpu share of the CPU that is asked for; above 1 where it can't be served
 * @param disk the same of the disk
 * @param measured usage as it is measured: the CPU's share and the time in which only the disk was
 *     waited for
 * @param deviation standard deviation of the prediction
 */
public record Forecast(double cpu, double disk, double measured, double deviation) {
  /** Of a node of which CPU and disk are not told apart. */
  public static Forecast of(double usage, double deviation) {
    return new Forecast(usage, usage, usage, deviation);
  }

  /** By which a node is judged: of what it has least of. */
  public double usage() {
    return Math.max(cpu, disk);
  }

  /**
   * Usage as it could be measured: while a CPU works nobody sees that a disk is waited for, so that
   * both together are never more than all of the time, as long as none of them is alone.
   */
  public double measurable() {
    return Math.min(measured, Math.max(1, usage()));
  }

  /** Whether its disk is what it has least of. */
  public boolean isShortOfDisk() {
    return disk > cpu;
  }

  /**
   * The same where everything beyond doing nothing costs more, or less.
   *
   * @param idle what is used without load
   */
  public Forecast costing(Forecast idle, double cpuFactor, double diskFactor) {
    double busy = cpu - idle.cpu;
    double waits = disk - idle.disk;
    // Of nodes that are alike one factor, to the last digit.
    double factor =
        cpuFactor == diskFactor || busy + waits <= 0
            ? cpuFactor
            : (cpuFactor * busy + diskFactor * waits) / (busy + waits);
    return new Forecast(
        idle.cpu + cpuFactor * busy,
        idle.disk + diskFactor * waits,
        idle.measured + factor * (measured - idle.measured),
        factor * deviation);
  }

  /** The same where so much more is used, of CPU and disk alike. */
  public Forecast plus(double usage) {
    return usage == 0 ? this : new Forecast(cpu + usage, disk + usage, measured + usage, deviation);
  }

  /**
   * The same where what is predicted beyond idle is less certain.
   *
   * @param share of it, one standard deviation
   */
  public Forecast lessCertain(Forecast idle, double share) {
    double beyond = Math.max(0, measured - idle.measured);
    return new Forecast(cpu, disk, measured, Math.hypot(deviation, share * beyond));
  }
}
