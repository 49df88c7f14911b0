package io.trimtab.models.capacity;

import io.trimtab.models.capacity.ProvisioningTable.ServiceEstimate;
import io.trimtab.models.capacity.ProvisioningTable.Value;
import java.util.ArrayList;
import java.util.Arrays;
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
 * @param reads upper limits for reads apart
 * @param writes upper limits for writes apart
 */
public record Objective(
    String workload,
    int clients,
    double responseTimeMs,
    double p95Ms,
    double p99Ms,
    double throughputMBps,
    int maxNodes,
    Latency reads,
    Latency writes) {
  public Objective {
    if (!new Latency(responseTimeMs, p95Ms, p99Ms).known()
        && Double.isNaN(throughputMBps)
        && !reads.known()
        && !writes.known()) {
      throw new IllegalArgumentException(
          "an objective needs a response time, a percentile of it or a throughput");
    }
  }

  /** Without limits for reads or writes apart. */
  public Objective(
      String workload,
      int clients,
      double responseTimeMs,
      double p95Ms,
      double p99Ms,
      double throughputMBps,
      int maxNodes) {
    this(
        workload,
        clients,
        responseTimeMs,
        p95Ms,
        p99Ms,
        throughputMBps,
        maxNodes,
        Latency.UNKNOWN,
        Latency.UNKNOWN);
  }

  /** The same for another number of clients, with the throughput that these must get. */
  public Objective forClients(int number) {
    return new Objective(
        workload,
        number,
        responseTimeMs,
        p95Ms,
        p99Ms,
        throughputOf(number),
        maxNodes,
        reads,
        writes);
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
        maxNodes,
        reads.times(1 - margin),
        writes.times(1 - margin));
  }

  /**
   * The same of all operations together, since tables do not tell reads and writes apart: the
   * limits at which those for reads and writes would be reached, if these stay as much slower or
   * faster than all operations as they are now.
   *
   * @param all operations, now; of what is not known, the limits for reads and writes hold for all
   * @param readsNow reads alone; a limit for what is not known is left out
   */
  public Objective ofAll(Latency all, Latency readsNow, Latency writesNow) {
    double mean =
        strictest(
            responseTimeMs,
            scaled(reads.meanMs(), all.meanMs(), readsNow.meanMs()),
            scaled(writes.meanMs(), all.meanMs(), writesNow.meanMs()));
    double most95 =
        strictest(
            p95Ms,
            scaled(reads.p95Ms(), all.p95Ms(), readsNow.p95Ms()),
            scaled(writes.p95Ms(), all.p95Ms(), writesNow.p95Ms()));
    double most99 =
        strictest(
            p99Ms,
            scaled(reads.p99Ms(), all.p99Ms(), readsNow.p99Ms()),
            scaled(writes.p99Ms(), all.p99Ms(), writesNow.p99Ms()));
    boolean any = new Latency(mean, most95, most99).known() || !Double.isNaN(throughputMBps);
    return new Objective(
        workload,
        clients,
        any ? mean : Double.POSITIVE_INFINITY,
        most95,
        most99,
        throughputMBps,
        maxNodes);
  }

  private static double scaled(double limit, double all, double kind) {
    if (!(kind > 0)) {
      return Double.NaN;
    }
    return Double.isNaN(all) ? limit : limit * all / kind;
  }

  private static double strictest(double... limits) {
    return Arrays.stream(limits).filter(limit -> !Double.isNaN(limit)).min().orElse(Double.NaN);
  }

  /** What it asks for, one clause each. */
  public List<String> targets() {
    List<String> targets = new ArrayList<>();
    limits(targets, "", new Latency(responseTimeMs, p95Ms, p99Ms));
    if (!Double.isNaN(throughputMBps)) {
      targets.add(String.format(Locale.ROOT, "throughput ≥ %s MB/s", throughputMBps));
    }
    limits(targets, " of reads", reads);
    limits(targets, " of writes", writes);
    return targets;
  }

  private static void limits(List<String> into, String kind, Latency limits) {
    limit(into, "mean response time" + kind, limits.meanMs());
    limit(into, "95th percentile" + kind, limits.p95Ms());
    limit(into, "99th percentile" + kind, limits.p99Ms());
  }

  private static void limit(List<String> into, String what, double ms) {
    if (!Double.isNaN(ms)) {
      into.add(what + " ≤ " + ms + " ms");
    }
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
    if (reads.known()) {
      misses.add("reads were not measured apart");
    }
    if (writes.known()) {
      misses.add("writes were not measured apart");
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
