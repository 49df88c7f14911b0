package io.trimtab.testkit.law;

import java.util.List;

/**
 * How many requests clients get through that each wait for an answer before they ask again: by
 * approximate mean value analysis of a closed queueing network with several classes (Schweitzer
 * 1979, Bard 1979). A request finds a station's queue as it is on average, less its own class's
 * part of one client. A model: against exact results for few clients it is off by several percent,
 * and the more clients there are the less. No station is used beyond what it has.
 *
 * <p>Where requests cost less at a busy station ({@link RequestCosts#fullness}), costs and use are
 * solved for together.
 */
public final class ClosedNetwork {
  private static final int ROUNDS_MAX = 2_000;
  private static final double ENOUGH = 1e-7;

  /** How far queues go towards what a round finds, so that they do not swing. */
  private static final double STEP = 0.5;

  /**
   * Clients that are alike.
   *
   * @param clients how many, ≥ 1
   * @param thinkSeconds between an answer and the next request, ≥ 0; not all zero where no station
   *     is asked for anything
   * @param mostPerSecond that all of them ask for together, &gt; 0; infinite where nothing limits
   *     them
   * @param seconds of service by station that one request takes while it is used little, ≥ 0
   * @param saved how much less by station it takes of one that is used fully, in [0, seconds]
   */
  public record Customers(
      int clients, double thinkSeconds, double mostPerSecond, double[] seconds, double[] saved) {
    public Customers {
      if (clients < 1 || !(thinkSeconds >= 0) || !(mostPerSecond > 0)) {
        throw new IllegalArgumentException("clients must be >= 1, times >= 0, a limit > 0");
      }
      if (seconds.length != saved.length) {
        throw new IllegalArgumentException("both must be of the same stations");
      }
      double all = thinkSeconds;
      for (int k = 0; k < seconds.length; k++) {
        if (!(saved[k] >= 0 && seconds[k] >= saved[k])) {
          throw new IllegalArgumentException("what is saved must be in [0, seconds]");
        }
        all += seconds[k];
      }
      if (!(all > 0) && Double.isInfinite(mostPerSecond)) {
        throw new IllegalArgumentException("a request takes no time and nothing limits them");
      }
    }

    /** Of stations where requests cost the same however much these are used. */
    public static Customers of(int clients, double thinkSeconds, double... seconds) {
      return new Customers(
          clients, thinkSeconds, Double.POSITIVE_INFINITY, seconds, new double[seconds.length]);
    }

    /** The same clients, who ask for no more than this together. */
    public Customers atMost(double perSecond) {
      return new Customers(clients, thinkSeconds, perSecond, seconds, saved);
    }
  }

  private final List<Customers> classes;
  private final int stations;
  private final double[] used;
  private final double[] throughput;

  /** Requests of each class that are at each station. */
  private final double[][] queued;

  private ClosedNetwork(List<Customers> classes) {
    this.classes = classes;
    this.stations = classes.isEmpty() ? 0 : classes.get(0).seconds().length;
    this.used = new double[stations];
    this.throughput = new double[classes.size()];
    this.queued = new double[classes.size()][stations];
  }

  /**
   * What comes of it.
   *
   * @param throughput requests a second, by class
   * @param queued requests that wait or are served, by class and station
   */
  public record Solved(double[] throughput, double[][] queued) {}

  /**
   * Requests a second of each class, and where they are, in the order of the classes.
   *
   * @param classes all of the same stations
   */
  public static Solved solved(List<Customers> classes) {
    ClosedNetwork network = new ClosedNetwork(classes);
    network.begin();
    for (int round = 0; round < ROUNDS_MAX; round++) {
      if (network.round() < ENOUGH) {
        break;
      }
    }
    return new Solved(network.throughput, network.queued);
  }

  /** Everybody at the stations that are asked for something, in equal parts. */
  private void begin() {
    for (int c = 0; c < classes.size(); c++) {
      Customers its = classes.get(c);
      int asked = 0;
      for (double seconds : its.seconds()) {
        asked += seconds > 0 ? 1 : 0;
      }
      for (int k = 0; k < stations; k++) {
        queued[c][k] = its.seconds()[k] > 0 ? (double) its.clients() / asked : 0;
      }
    }
  }

  /** Returns the largest change of a class's throughput, as a share of it. */
  private double round() {
    double[] all = new double[stations];
    for (double[] its : queued) {
      for (int k = 0; k < stations; k++) {
        all[k] += its[k];
      }
    }
    double changed = 0;
    for (int c = 0; c < classes.size(); c++) {
      double before = throughput[c];
      serve(c, all);
      changed = Math.max(changed, Math.abs(throughput[c] - before) / throughput[c]);
    }
    for (int k = 0; k < stations; k++) {
      double before = used[k];
      used[k] = used(k);
      changed = Math.max(changed, Math.abs(used[k] - before));
    }
    return changed;
  }

  private double used(int k) {
    double whole = 0;
    double saved = 0;
    for (int c = 0; c < classes.size(); c++) {
      whole += throughput[c] * classes.get(c).seconds()[k];
      saved += throughput[c] * classes.get(c).saved()[k];
    }
    return RequestCosts.used(whole, saved);
  }

  /**
   * One class, with queues and use as they were.
   *
   * @param all requests at each station
   */
  private void serve(int c, double[] all) {
    Customers its = classes.get(c);
    double[] stay = new double[stations];
    double cycle = its.thinkSeconds();
    for (int k = 0; k < stations; k++) {
      double seconds = its.seconds()[k] - its.saved()[k] * RequestCosts.fullness(used[k]);
      stay[k] = seconds * (1 + all[k] - queued[c][k] / its.clients());
      cycle += stay[k];
    }
    throughput[c] = Math.min(its.mostPerSecond(), its.clients() / cycle);
    for (int k = 0; k < stations; k++) {
      queued[c][k] += STEP * (throughput[c] * stay[k] - queued[c][k]);
    }
  }
}
