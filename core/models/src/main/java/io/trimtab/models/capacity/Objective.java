package io.trimtab.models.capacity;

import io.trimtab.models.capacity.ProvisioningTable.ServiceEstimate;
import io.trimtab.models.capacity.ProvisioningTable.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What an agreement asks of a cluster (Chalkiadaki 2013, ch. 3).
 *
 * @param workload as the table names it
 * @param clients that ask at the same time, ≥ 1
 * @param responseTimeMs upper limit of the mean response time; NaN if there is none
 * @param p95Ms upper limit of the 95th percentile; NaN if there is none
 * @param p99Ms upper limit of the 99th percentile; NaN if there is none
 * @param throughputMBps at least, of all clients together; NaN where that does not matter
 * @param maxNodes no more than these, ≥ 1
 */
public record Objective(
    String workload,
    int clients,
    double responseTimeMs,
    double p95Ms,
    double p99Ms,
    double throughputMBps,
    int maxNodes) {
  public Objective {
    if (Double.isNaN(responseTimeMs)
        && Double.isNaN(p95Ms)
        && Double.isNaN(p99Ms)
        && Double.isNaN(throughputMBps)) {
      throw new IllegalArgumentException(
          "an objective needs a response time, a percentile of it or a throughput");
    }
  }

  /** The same for another number of clients, with the throughput that these must get. */
  public Objective forClients(int number) {
    return new Objective(
        workload, number, responseTimeMs, p95Ms, p99Ms, throughputOf(number), maxNodes);
  }

  /**
   * The throughput that some clients must get, in MB/s: fewer than were agreed ask for as much
   * less, and more are promised no more.
   *
   * @param asking clients that wait for an answer at a time, ≥ 0
   * @return NaN where throughput does not matter
   */
  public double throughputOf(double asking) {
    return throughputMBps * Math.min(1, asking / clients);
  }

  /**
   * A stricter one.
   *
   * @param margin share of every limit that must be left, in [0, 1)
   */
  public Objective withMargin(double margin) {
    return new Objective(
        workload,
        clients,
        responseTimeMs * (1 - margin),
        p95Ms * (1 - margin),
        p99Ms * (1 - margin),
        throughputMBps * (1 + margin),
        maxNodes);
  }

  /** The targets that an estimate misses, one clause each; empty if it meets all. */
  public List<String> misses(ServiceEstimate estimate) {
    List<String> misses = new ArrayList<>();
    atMost("response time", estimate.responseTimeMs(), responseTimeMs, misses);
    atMost("95th percentile", estimate.p95Ms(), p95Ms, misses);
    atMost("99th percentile", estimate.p99Ms(), p99Ms, misses);
    double has = estimate.throughputMBps().value();
    if (has < throughputMBps) {
      misses.add(String.format(Locale.ROOT, "throughput %.1f MB/s < %.1f", has, throughputMBps));
    }
    return misses;
  }

  private static void atMost(String what, Value value, double limit, List<String> misses) {
    if (Double.isNaN(limit)) {
      return;
    }
    if (Double.isNaN(value.value())) {
      misses.add(what + " was not measured");
    } else if (value.value() > limit) {
      misses.add(String.format(Locale.ROOT, "%s %.1f ms > %.1f", what, value.value(), limit));
    }
  }
}
