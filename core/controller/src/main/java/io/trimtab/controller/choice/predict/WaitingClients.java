package io.trimtab.controller.choice.predict;

import java.util.Arrays;

/**
 * How much clients get through that each wait for an answer before they ask again, where nodes are
 * full: approximate mean value analysis of a closed queueing network (Bard 1979), with tables as
 * classes and nodes' CPUs and disks as stations. All in times of what tables are served now: how
 * many clients wait is what explains that.
 */
public final class WaitingClients {
  private static final int ROUNDS_MAX = 200;
  private static final double ENOUGH = 1e-3;
  private static final double STEP = 0.5;

  /** A station can't be used more; what is predicted beyond it waits. */
  private static final double FULL = Double.parseDouble(System.getProperty("tt.full", "0.95"));

  /** Part of a request's CPU time that a full node saves, and the use from which on it saves. */
  private static final double SAVED = Double.parseDouble(System.getProperty("tt.save", "0"));

  private static final double BUSY = 0.5;

  /** How many times as much a request takes on a node that is used so much. */
  public static double costing(double used) {
    return 1 - SAVED * Math.max(0, Math.min(1, (used - BUSY) / (1 - BUSY)));
  }

  /** By table: those that are served, and those that are elsewhere. */
  private final double[] waiting;

  private final double[] elsewhere;
  private final double[] most;

  private WaitingClients(double[] waiting, double[] elsewhere, double[] most) {
    this.waiting = waiting;
    this.elsewhere = elsewhere;
    this.most = most;
  }

  /**
   * @param used by table and station, its share of the station now, ≥ 0
   * @param idle by station, what is used without load, in [0, 1)
   * @param elsewhere by table, clients that are neither served nor wait
   * @param most by table, that it could ask for, in times of what it is served now
   */
  public static WaitingClients of(double[][] used, double[] usedNow, double[] seen, double[] idle, double[] elsewhere, double[] most) {
    double[] waiting = new double[used.length];
    for (int station = 0; station < idle.length; station++) {
      double all = idle[station];
      double cost = station % 2 == 0 ? costing(usedNow[station / 2]) : 1;
      for (double[] its : used) {
        all += cost * its[station];
      }
      double is = Double.isNaN(seen[station]) ? Math.min(FULL, all) : Math.min(FULL, seen[station]);
      double left = (1 - is) * (all > is ? (all - idle[station]) / Math.max(0.01, is - idle[station]) : 1);
      for (int table = 0; table < used.length; table++) {
        waiting[table] += cost * used[table][station] / left;
      }
    }
    return new WaitingClients(waiting, elsewhere, most);
  }

  /** Where they wait, as they go on from one state to the next. */
  public final class Queues {
    private final double[][] queued;
    private final double[] served;
    private final double[] use;

    public Queues(double[][] used) {
      served = new double[used.length];
      Arrays.fill(served, 1);
      use = new double[used.length == 0 ? 0 : used[0].length];
      Arrays.fill(use, 0.9);
      queued = new double[used.length][used.length == 0 ? 0 : used[0].length];
      for (int table = 0; table < used.length; table++) {
        double sum = Arrays.stream(used[table]).sum();
        for (int station = 0; station < queued[table].length && sum > 0; station++) {
          queued[table][station] = waiting[table] * used[table][station] / sum;
        }
      }
    }

    /** By table, what it gets through, in times of now. */
    public double[] served() {
      return served.clone();
    }

    /**
     * Lets them ask until nothing changes any more.
     *
     * @param used by table and station, what as many requests as now use
     */
    public void settle(double[][] used, double[] idle) {
      double[] queue = new double[idle.length];
      double[] stay = new double[idle.length];
      double changed = 1;
      for (int round = 0; round < ROUNDS_MAX && changed > ENOUGH; round++) {
        Arrays.fill(queue, 0);
        for (double[] its : queued) {
          for (int station = 0; station < queue.length; station++) {
            queue[station] += its[station];
          }
        }
        changed = 0;
        for (int station = 0; station < queue.length; station += 2) {
          double whole = idle[station];
          for (int table = 0; table < used.length; table++) {
            whole += served[table] * used[table][station];
          }
          use[station] += STEP * (Math.min(1, whole * costing(use[station])) - use[station]);
        }
        for (int table = 0; table < used.length; table++) {
          double cycle = elsewhere[table];
          for (int station = 0; station < queue.length; station++) {
            double cost = station % 2 == 0 ? costing(use[station]) : 1;
            stay[station] = cost * used[table][station] * (1 + queue[station]) / (1 - idle[station]);
            cycle += stay[station];
          }
          double clients = waiting[table] + elsewhere[table];
          double its = cycle > 0 ? Math.min(most[table], clients / cycle) : 1;
          changed = Math.max(changed, Math.abs(its - served[table]) / its);
          served[table] = its;
          for (int station = 0; station < queue.length; station++) {
            queued[table][station] += STEP * (its * stay[station] - queued[table][station]);
          }
        }
      }
    }
  }
}
