package io.trimtab.simulator.replicas;

/**
 * The cluster and load of a replica-selection simulation (Suresh 2015, §6, with the disturbances
 * that databases have besides). Times are milliseconds.
 *
 * @param servers number of servers, each of which holds data of its own and of the {@code
 *     replication - 1} before it
 * @param concurrency requests that a server works on at a time
 * @param serviceMs mean service time at the base rate
 * @param distribution of service times
 * @param replication copies of each record
 * @param clients number of coordinators, each with a view of its own
 * @param networkMs one way between a coordinator and a server
 * @param utilization share of the mean capacity that the reads use, shadow reads not counted
 * @param fluctuationMs after how long a server takes a rate again, the base rate or a faster one,
 *     each with probability ½
 * @param slowdown how many times faster the faster rate is, ≥ 1
 * @param shadowReads share of reads for which all replicas are asked, and the first answer counts
 * @param requests number of reads
 * @param keySkew exponent of Zipf's law of how often the servers' keys are read; 0: alike
 * @param seed of everything random
 * @param disturbances of the servers
 * @param shape of the reads
 */
public record ReplicaModel(
    int servers,
    int concurrency,
    double serviceMs,
    ServiceTimes distribution,
    int replication,
    int clients,
    double networkMs,
    double utilization,
    double fluctuationMs,
    double slowdown,
    double shadowReads,
    long requests,
    double keySkew,
    long seed,
    Disturbances disturbances,
    Shape shape) {

  public static final int CLIENTS = 150;
  public static final double UTILIZATION = 0.7;
  public static final double FLUCTUATION_MS = 50;

  /** All else as C3's authors have it; where servers coordinate, they are the clients. */
  public static ReplicaModel of(
      int clients,
      double utilization,
      double fluctuationMs,
      long requests,
      long seed,
      Disturbances disturbances,
      Shape shape) {
    int servers = 50;
    return new ReplicaModel(
        servers,
        4,
        4,
        ServiceTimes.EXPONENTIAL,
        3,
        shape.local() ? servers : clients,
        0.25,
        utilization,
        fluctuationMs,
        3,
        0.1,
        requests,
        0,
        seed,
        disturbances,
        shape);
  }

  /**
   * Six servers that coordinate, as in the experiment E12 on real nodes: each read is one of a disk
   * with a limit, and once in 45 s one of the disks is slow for 6 s.
   */
  public static ReplicaModel ofDisks(long requests, long seed) {
    int servers = 6;
    DiskLimit disks = new DiskLimit(100, 1, 1.0 / (45 * servers), 6_000, 10);
    return new ReplicaModel(
        servers,
        8,
        0.8,
        ServiceTimes.LOGNORMAL,
        3,
        servers,
        0.7,
        0.5,
        FLUCTUATION_MS,
        1,
        0,
        requests,
        0,
        seed,
        new Disturbances(0, 0, 0, 0, 1, 0, 1, disks),
        new Shape(true, 0, 0));
  }

  /**
   * Reads a second of all clients: a share of what the disturbances leave of the capacity, which is
   * that of the workers or of the disks, whichever is less on average. Workers that wait for a disk
   * are not counted as busy.
   */
  public double arrivalsPerSecond() {
    double mean = (1 + slowdown) / 2 * 1_000 / serviceMs;
    double workers = mean * concurrency * disturbances.left();
    return utilization * servers * Math.min(workers, disturbances.disks().requestsPerSecond());
  }

  /** The share of capacity that is used, shadow reads included; hedged reads come on top. */
  public double realUtilization() {
    return utilization * (1 + shadowReads * (replication - 1));
  }
}
