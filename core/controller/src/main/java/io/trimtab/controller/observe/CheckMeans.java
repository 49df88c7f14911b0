package io.trimtab.controller.observe;

import io.trimtab.controller.observe.Service.Basis;
import io.trimtab.controller.observe.Service.Check;
import io.trimtab.models.capacity.Latency;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * What clients said in several checks, on average, which is what an agreement is kept by
 * (Chalkiadaki 2013, §4.2). A value that any of the checks lacks is not known.
 *
 * @param clients of the last check, ≥ 1
 * @param all response times of all operations; 0 if there was no request
 * @param basis of the percentiles
 * @param throughputMBps of all clients together
 * @param reads those of reads alone, over the checks in which there were any
 * @param writes those of writes alone, over the checks in which there were any
 */
public record CheckMeans(
    int clients, Latency all, Basis basis, double throughputMBps, Latency reads, Latency writes) {
  /**
   * Of some checks.
   *
   * @param checks at least one, the oldest first
   */
  public static CheckMeans of(List<Check> checks) {
    // Whoever asked for nothing has waited for nothing.
    List<Check> asked = checks.stream().filter(check -> !check.percentiles().idle()).toList();
    boolean merged =
        checks.stream().allMatch(check -> check.percentiles().basis() == Basis.ALL_REQUESTS);
    return new CheckMeans(
        Math.max(1, checks.get(checks.size() - 1).clients()),
        new Latency(
            mean(asked, Check::responseTimeMs),
            mean(asked, check -> check.percentiles().p95Ms()),
            mean(asked, check -> check.percentiles().p99Ms())),
        // What is said of all of them must hold for each.
        merged ? Basis.ALL_REQUESTS : Basis.GREATEST,
        mean(checks, Check::throughputMBps),
        kind(checks, Check::reads),
        kind(checks, Check::writes));
  }

  private static Latency kind(List<Check> checks, Function<Check, Latency> what) {
    List<Latency> asked =
        checks.stream().map(what).filter(latency -> !latency.equals(Latency.NONE)).toList();
    return asked.isEmpty()
        ? Latency.NONE
        : new Latency(
            mean(asked, Latency::meanMs), mean(asked, Latency::p95Ms), mean(asked, Latency::p99Ms));
  }

  private static <T> double mean(List<T> values, ToDoubleFunction<T> what) {
    return values.stream().mapToDouble(what).average().orElse(0);
  }
}
