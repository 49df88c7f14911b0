package io.trimtab.experiments.cost;

import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.workload.Sample;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.stream.Collectors;

/**
 * A part of the whole, in seconds of the load.
 *
 * @param seconds that it took
 * @param retryReasons how many tries were repeated during it, by what had gone wrong
 */
record ResizePhase(
    String name, int from, int to, double seconds, SortedMap<String, Long> retryReasons) {
  private static final int WINDOW_S = 5;

  /** Of the report's table. */
  List<String> row(List<Sample> samples, SecondLatencies latencies) {
    List<Sample> seen =
        samples.stream().filter(s -> s.second() >= from && s.second() < to).toList();
    double[] ops = seen.stream().mapToDouble(Sample::operations).toArray();
    return ExperimentReport.row(
        name,
        String.format(Locale.ROOT, "%.1f", seconds),
        String.format(Locale.ROOT, "%,.0f", Arrays.stream(ops).average().orElse(Double.NaN)),
        String.format(Locale.ROOT, "%,.0f", least(ops)),
        String.format(Locale.ROOT, "%.0f", latencies.p99Ms(from, to)),
        seen.stream().mapToLong(Sample::errors).sum(),
        retries(retryReasons));
  }

  private static String retries(SortedMap<String, Long> reasons) {
    long all = reasons.values().stream().mapToLong(Long::longValue).sum();
    return reasons.isEmpty()
        ? "0"
        : all
            + reasons.entrySet().stream()
                .map(reason -> reason.getKey() + " " + reason.getValue())
                .collect(Collectors.joining(", ", " (", ")"));
  }

  /** The least mean of some seconds next to each other; of all where there are fewer. */
  private static double least(double[] ops) {
    int width = Math.min(WINDOW_S, ops.length);
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i + width <= ops.length; i++) {
      least = Math.min(least, Arrays.stream(ops, i, i + width).average().orElse(0));
    }
    return least;
  }
}
