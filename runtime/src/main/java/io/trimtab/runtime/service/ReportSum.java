package io.trimtab.runtime.service;

import io.trimtab.controller.observe.Service.Basis;
import io.trimtab.controller.observe.Service.Percentiles;
import io.trimtab.models.capacity.Latency;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/**
 * What several reports say together.
 *
 * @param clients of all reports
 * @param responseTimeMs mean, weighted by the clients that a report stands for
 * @param throughputMBps of all
 * @param reads of all; unknown unless every report has them
 * @param writes of all; unknown unless every report has them
 */
record ReportSum(
    int clients,
    double responseTimeMs,
    Percentiles percentiles,
    double throughputMBps,
    Latency reads,
    Latency writes) {
  private static final double MICROS_PER_MS = 1e3;

  /**
   * @param reports at least one, at most {@link Senders#MAX}
   */
  static ReportSum of(List<ClientReport> reports) {
    long clients = reports.stream().mapToLong(ClientReport::clients).sum();
    double ms = reports.stream().mapToDouble(r -> r.clients() * r.responseTimeMs()).sum();
    return new ReportSum(
        Math.toIntExact(clients),
        ms / clients,
        percentiles(reports),
        reports.stream().mapToDouble(ClientReport::throughputMBps).sum(),
        kind(reports, ClientReport::readLatencies),
        kind(reports, ClientReport::writeLatencies));
  }

  private static Latency kind(List<ClientReport> reports, Function<ClientReport, Latencies> what) {
    Histogram all = new Histogram(Latencies.DIGITS_MAX);
    for (ClientReport report : reports) {
      Latencies own = what.apply(report);
      if (own == null) {
        return Latency.UNKNOWN;
      }
      own.addTo(all);
    }
    return all.getTotalCount() == 0
        ? Latency.NONE
        : new Latency(
            all.getMean() / MICROS_PER_MS,
            all.getValueAtPercentile(95) / MICROS_PER_MS,
            all.getValueAtPercentile(99) / MICROS_PER_MS);
  }

  /**
   * Of all requests, where every report has a histogram. A report's numbers can't be merged: then
   * the greatest counts, of these and of the requests whose histograms are there.
   */
  private static Percentiles percentiles(List<ClientReport> reports) {
    Histogram all = new Histogram(Latencies.DIGITS_MAX);
    reports.forEach(report -> report.histogram().ifPresent(latencies -> latencies.addTo(all)));
    List<ClientReport> numbers = reports.stream().filter(r -> r.histogram().isEmpty()).toList();
    return new Percentiles(
        greatest(all, 95, numbers, ClientReport::p95Ms),
        greatest(all, 99, numbers, ClientReport::p99Ms),
        numbers.isEmpty() ? Basis.ALL_REQUESTS : Basis.GREATEST);
  }

  /** NaN where a report says nothing, or no request was made. */
  private static double greatest(
      Histogram all,
      double percentile,
      List<ClientReport> numbers,
      ToDoubleFunction<ClientReport> number) {
    double greatest =
        numbers.stream().mapToDouble(number).reduce(Math::max).orElse(Double.NEGATIVE_INFINITY);
    if (all.getTotalCount() > 0) {
      greatest = Math.max(greatest, all.getValueAtPercentile(percentile) / MICROS_PER_MS);
    }
    return greatest < 0 ? Double.NaN : greatest;
  }
}
