package io.trimtab.experiments.rivals;

import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.experiments.report.Spread;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/** Comparisons of runs that had the same start, and of each tenant with its own. */
final class RatioTables {
  private final MadeRuns made;
  private final int runs;
  private final boolean bucketCache;

  /**
   * @param runs that there shall be of each rival
   * @param bucketCache which nodes the rivals have
   */
  RatioTables(MadeRuns made, int runs, boolean bucketCache) {
    this.made = made;
    this.runs = runs;
    this.bucketCache = bucketCache;
  }

  /** The autopilot's level by that of each other rival, for each phase in which somebody acts. */
  void paired(ExperimentReport report) {
    Rival ours = Rival.ours(bucketCache);
    List<RivalRun> its = made.of(ours);
    if (its.isEmpty()) {
      return;
    }
    List<List<String>> rows = new ArrayList<>();
    for (int phase = 1; phase < its.get(0).phases().size(); phase++) {
      int of = phase;
      String title = its.get(0).phase(phase).title();
      if (Rival.on(bucketCache).stream().filter(Rival::balances).count() > 1) {
        rows.add(
            row(
                title,
                "the best of HBase's balancers",
                run -> made.level(ours, run, of) / made.bestBalancer(bucketCache, run, of)));
      }
      for (Rival other : Rival.on(bucketCache)) {
        if (other != ours) {
          rows.add(
              row(
                  title,
                  other.toString(),
                  run -> made.level(ours, run, of) / made.level(other, run, of)));
        }
      }
    }
    List<String> header = new ArrayList<>(List.of("phase", ours + ", times"));
    IntStream.rangeClosed(1, runs).forEach(run -> header.add("run " + run));
    header.add("geometric mean (range)");
    report.table(header, rows);
  }

  private List<String> row(String phase, String other, IntToDoubleFunction ratio) {
    double[] pairs = IntStream.rangeClosed(1, runs).mapToDouble(ratio).toArray();
    List<String> row = new ArrayList<>(List.of(phase, other));
    for (double pair : pairs) {
      row.add(new Ratios(pair).any() ? String.format(Locale.ROOT, "%.2f", pair) : "–");
    }
    row.add(new Ratios(pairs).toString());
    return row;
  }

  /** Each tenant by its own start and, in brackets, by what it has where nobody acts. */
  void tenants(ExperimentReport report) {
    List<RivalRun> any =
        Rival.on(bucketCache).stream().flatMap(rival -> made.of(rival).stream()).toList();
    if (any.isEmpty()) {
      return;
    }
    List<String> names =
        any.get(0).before().result().opsPerSecond().keySet().stream().sorted().toList();
    List<List<String>> rows = new ArrayList<>();
    for (int phase = 1; phase < any.get(0).phases().size(); phase++) {
      for (Rival rival : Rival.on(bucketCache)) {
        List<RivalRun> its = made.of(rival);
        if (!its.isEmpty()) {
          rows.add(tenants(rival, its, phase, names));
        }
      }
    }
    List<String> header = new ArrayList<>(List.of("phase", "policy or balancer"));
    header.addAll(names);
    report.table(header, rows);
  }

  private List<String> tenants(Rival rival, List<RivalRun> its, int phase, List<String> names) {
    List<String> row = new ArrayList<>(List.of(its.get(0).phase(phase).title(), rival.toString()));
    for (String name : names) {
      boolean same = its.get(0).sameLoad(phase).contains(name);
      double[] start =
          its.stream().mapToDouble(run -> same ? run.ofStart(phase, name) : Double.NaN).toArray();
      double[] none =
          its.stream()
              .mapToDouble(run -> rival == Rival.NONE ? Double.NaN : made.ofNone(run, phase, name))
              .toArray();
      row.add(median(start) + " (" + median(none) + ")");
    }
    return row;
  }

  private static String median(double[] values) {
    double[] known = Arrays.stream(values).filter(v -> !Double.isNaN(v)).toArray();
    return known.length == 0 ? "–" : String.format(Locale.ROOT, "%.2f", Spread.of(known).median());
  }
}
