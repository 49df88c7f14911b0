package io.trimtab.experiments.placement;

import io.trimtab.experiments.report.Spread;
import io.trimtab.lab.testbed.RunResult;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * What each tenant has. A sum over tenants is mostly that of the one with the cheapest requests,
 * and may rise while others lose.
 *
 * @param each operations a second, or times of what it has elsewhere, by tenant
 */
public record TenantLevels(Map<String, Double> each) {
  /** A tenant that stands still has a logarithm, too. */
  private static final double LEAST = 1e-3;

  public TenantLevels {
    each = new TreeMap<>(each);
  }

  /** Means of some seconds of a run. */
  public static TenantLevels of(RunResult result, int from, int to) {
    return by(result, series -> RunResult.mean(series, from, to));
  }

  /** The same of the seconds that are measured. */
  static TenantLevels measured(RunResult result) {
    return of(result, result.measureFrom(), result.measureTo());
  }

  /** By whatever a tenant's series comes to. */
  public static TenantLevels by(RunResult result, ToDoubleFunction<double[]> level) {
    Map<String, Double> each = new TreeMap<>();
    result.opsPerSecond().forEach((tenant, all) -> each.put(tenant, level.applyAsDouble(all)));
    return new TenantLevels(each);
  }

  /** Each tenant's median over runs. */
  static TenantLevels median(List<TenantLevels> runs) {
    Map<String, Double> each = new TreeMap<>();
    runs.get(0).each().keySet().forEach(t -> each.put(t, spread(runs, t).median()));
    return new TenantLevels(each);
  }

  private static Spread spread(List<TenantLevels> runs, String tenant) {
    return Spread.of(runs.stream().mapToDouble(run -> run.each().get(tenant)).toArray());
  }

  /** The tenant whose median over the runs is least, with its median and range. */
  static String least(List<TenantLevels> runs) {
    String least = median(runs).least();
    Spread spread = spread(runs, least);
    return String.format(
        Locale.ROOT, "%s: %.2f (%.2f–%.2f)", least, spread.median(), spread.min(), spread.max());
  }

  /** Geometric mean: as much by the half that one tenant loses as by another one's doubling. */
  public double mean() {
    return Math.exp(
        each.values().stream()
            .mapToDouble(level -> Math.log(Math.max(LEAST, level)))
            .average()
            .orElse(Double.NaN));
  }

  /** Times of what each has elsewhere. */
  public TenantLevels over(TenantLevels other) {
    Map<String, Double> times = new TreeMap<>();
    each.forEach((tenant, level) -> times.put(tenant, level / other.each().get(tenant)));
    return new TenantLevels(times);
  }

  /** The tenant with least. */
  public String least() {
    return each.keySet().stream().min(Comparator.comparingDouble(each::get)).orElseThrow();
  }
}
