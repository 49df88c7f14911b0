package io.trimtab.models.clients;

import java.util.Arrays;

/**
 * How much clients get through that each wait for an answer before they ask again: approximate mean
 * value analysis of a closed queueing network (Schweitzer 1979, Bard 1979), with tables as classes
 * and nodes' CPUs and disks as stations. All in times of what the tables are served now, so that no
 * request's own time need be known.
 */
public final class WaitingClients {
  private static final int ROUNDS_MAX = 300;
  private static final double ENOUGH = 1e-4;

  /** How far queues go towards what a round finds, so that they do not swing. */
  private static final double STEP = 0.5;

  /** By class, how many there are, those elsewhere included. */
  private final double[] clients;

  /** By class, those that neither wait nor are served while as much is served as now. */
  private final double[] elsewhere;

  /**
   * @param clients by class, all that there are, ≥ 0
   * @param elsewhere by class, of these, those that neither wait nor are served now, ≥ 0
   */
  public WaitingClients(double[] clients, double[] elsewhere) {
    this.clients = clients.clone();
    this.elsewhere = elsewhere.clone();
  }

  /**
   * What each class is served, in times of now.
   *
   * @param used by class and station, the share of the station that as many requests as now use
   * @param idle by station, what is used without them, in [0, 1)
   * @return ≥ 0; 1 for a class without clients, or one that asks nothing of any station
   */
  public double[] served(double[][] used, double[] idle) {
    double[] served = new double[clients.length];
    Arrays.fill(served, 1);
    double[][] queued = begin(used);
    double[] all = new double[idle.length];
    double changed = 1;
    for (int round = 0; round < ROUNDS_MAX && changed > ENOUGH; round++) {
      Arrays.fill(all, 0);
      for (double[] its : queued) {
        for (int k = 0; k < all.length; k++) {
          all[k] += its[k];
        }
      }
      changed = 0;
      for (int c = 0; c < clients.length; c++) {
        double before = served[c];
        served[c] = round(c, used[c], idle, all, queued[c]);
        changed = Math.max(changed, Math.abs(served[c] - before) / Math.max(ENOUGH, served[c]));
      }
    }
    return served;
  }

  /** Everybody at the stations, in parts as they are used. */
  private double[][] begin(double[][] used) {
    double[][] queued = new double[clients.length][];
    for (int c = 0; c < clients.length; c++) {
      double sum = Arrays.stream(used[c]).sum();
      double each = sum > 0 ? Math.max(0, clients[c] - elsewhere[c]) / sum : 0;
      queued[c] = Arrays.stream(used[c]).map(share -> each * share).toArray();
    }
    return queued;
  }

  /**
   * One class, with queues as they were.
   *
   * @param all requests at each station
   * @param queued of these its own; changed
   */
  private double round(int c, double[] used, double[] idle, double[] all, double[] queued) {
    double[] stay = new double[used.length];
    double cycle = elsewhere[c];
    for (int k = 0; k < used.length; k++) {
      // A request finds the others, and of its own class all but one.
      double found = all[k] - queued[k] / Math.max(1, clients[c]);
      stay[k] = used[k] * (1 + found) / (1 - idle[k]);
      cycle += stay[k];
    }
    if (!(cycle > elsewhere[c]) || !(clients[c] > 0)) {
      return 1;
    }
    double served = clients[c] / cycle;
    for (int k = 0; k < used.length; k++) {
      queued[k] += STEP * (served * stay[k] - queued[k]);
    }
    return served;
  }
}
