package io.trimtab.simulator.replicas;

/**
 * What slows servers besides the fluctuation of their rates. Times are milliseconds.
 *
 * @param pausesPerSecond how often a server stops altogether, as for garbage collection
 * @param pauseMs how long
 * @param compactionsPerSecond how often a server begins work besides
 * @param compactionMs how long that takes
 * @param compactionSlowdown how many times slower it is meanwhile, ≥ 1
 * @param slowServers share of the servers that are always slower
 * @param slowFactor how many times, ≥ 1
 * @param disks limits of the servers' disks
 */
public record Disturbances(
    double pausesPerSecond,
    double pauseMs,
    double compactionsPerSecond,
    double compactionMs,
    double compactionSlowdown,
    double slowServers,
    double slowFactor,
    DiskLimit disks) {
  public static final Disturbances NONE = new Disturbances(0, 0, 0, 0, 1, 0, 1);

  /** The same where no disk is limited. */
  public Disturbances(
      double pausesPerSecond,
      double pauseMs,
      double compactionsPerSecond,
      double compactionMs,
      double compactionSlowdown,
      double slowServers,
      double slowFactor) {
    this(
        pausesPerSecond,
        pauseMs,
        compactionsPerSecond,
        compactionMs,
        compactionSlowdown,
        slowServers,
        slowFactor,
        DiskLimit.NONE);
  }

  /** The share of the workers' capacity that they leave, on average. */
  double left() {
    double paused = share(pausesPerSecond, pauseMs);
    double compacting = share(compactionsPerSecond, compactionMs);
    double slow = 1 - slowServers + slowServers / slowFactor;
    return slow * (1 - paused) * (1 - compacting + compacting / compactionSlowdown);
  }

  /** Of the time, where one begins only after the last one has ended. */
  static double share(double perSecond, double ms) {
    double expected = perSecond * ms / 1_000;
    return expected / (1 + expected);
  }
}
