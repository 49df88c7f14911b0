package io.trimtab.experiments.rivals;

import io.trimtab.experiments.bed.PlanSpan;
import io.trimtab.lab.testbed.RunResult;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Runs as they might have been made. */
final class Fixtures {
  private Fixtures() {}

  /** So many seconds of each level, one after another. */
  static double[] steps(int seconds, double... levels) {
    double[] series = new double[seconds * levels.length];
    for (int i = 0; i < levels.length; i++) {
      Arrays.fill(series, i * seconds, (i + 1) * seconds, levels[i]);
    }
    return series;
  }

  /** Tenants a and b; the last 30 s are the level's. */
  static RivalRun.PhaseResult phase(String title, double[] a, double[] b) {
    return phase(title, Map.of("a", a, "b", b));
  }

  static RivalRun.PhaseResult phase(String title, Map<String, double[]> series) {
    return phase(title, series, 0.5);
  }

  /**
   * @param machine share of the machine's CPU that is in use
   */
  static RivalRun.PhaseResult phase(String title, Map<String, double[]> series, double machine) {
    int seconds = series.values().iterator().next().length;
    RunResult result = new RunResult(title, 1, series, seconds - 30, seconds, 0, 0, 0, 0, 0);
    return new RivalRun.PhaseResult(
        title,
        result,
        Map.of("a", 4.0, "b", 16.0),
        Map.of("a", 2.0, "b", 18.0),
        3,
        5 << 20,
        7L << 20,
        machine);
  }

  /** A phase in which each tenant has as much all the time. */
  static RivalRun.PhaseResult level(String title, double a, double b) {
    return phase(title, steps(60, a), steps(60, b));
  }

  static RivalRun run(Rival rival, int number, RivalRun.PhaseResult... phases) {
    return run(rival, number, List.of(), "", phases);
  }

  static RivalRun run(
      Rival rival,
      int number,
      List<PlanSpan> plans,
      String failure,
      RivalRun.PhaseResult... phases) {
    return new RivalRun(
        rival.toString(),
        number,
        1,
        List.of(phases),
        plans,
        List.of("moved"),
        failure.isEmpty() ? "all records are there" : "",
        "2026-11-26",
        "a machine",
        28.5,
        List.of(),
        List.of("Trimtab 1", "bed: classes 1"),
        failure);
  }

  /** Tenant a doubles, b halves; then the load is another one. */
  static RivalRun run(Rival rival, int number) {
    return run(
        rival,
        number,
        level("before", 100, 400),
        phase("badly placed", steps(60, 50, 200, 200), steps(60, 400, 200, 200)),
        level("c writes", 300, 300));
  }
}
