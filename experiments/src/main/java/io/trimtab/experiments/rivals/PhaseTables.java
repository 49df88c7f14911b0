package io.trimtab.experiments.rivals;

import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.experiments.report.Spread;
import io.trimtab.experiments.rivals.RivalRun.PhaseResult;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** A table for each phase, of rivals that are compared with each other. */
final class PhaseTables {
  private static final int SAME_LOAD = 1;

  private final boolean bucketCache;
  private final MadeRuns made;

  /**
   * @param bucketCache which nodes the rivals have
   */
  PhaseTables(boolean bucketCache, MadeRuns made) {
    this.bucketCache = bucketCache;
    this.made = made;
  }

  /**
   * Nothing where there are no runs of these rivals.
   *
   * @param where of each heading
   */
  void write(ExperimentReport report, String where) {
    int phases =
        Rival.on(bucketCache).stream()
            .flatMap(rival -> made.of(rival).stream())
            .mapToInt(run -> run.phases().size())
            .max()
            .orElse(0);
    for (int phase = 0; phase < phases; phase++) {
      table(report, where, phase);
    }
  }

  private void table(ExperimentReport report, String where, int phase) {
    List<List<String>> rows = new ArrayList<>();
    String title = "";
    for (Rival rival : Rival.on(bucketCache)) {
      List<RivalRun> its = made.of(rival);
      if (!its.isEmpty()) {
        title = its.get(0).phase(phase).title();
        rows.add(row(rival, its, phase));
      }
    }
    report
        .heading(where + title)
        .table(
            List.of(
                "policy or balancer",
                "level, ops/s",
                "of the level before",
                "times the best of HBase's balancers",
                "all tenants, ops/s",
                "worst tenant of unchanged load, relative to before",
                "lowest 5 s, of before",
                "s to 90 % of its best",
                "s until it stays there",
                "p99 of the level, ms",
                "worst tenant's, ms",
                "p99 of the phase, ms",
                "moves",
                "MiB moved",
                "GiB moved per % gained",
                "MiB written by compactions",
                "machine's CPU in use, %",
                "plans, in the level's window"),
            rows);
  }

  private List<String> row(Rival rival, List<RivalRun> its, int phase) {
    return ExperimentReport.row(
        rival,
        spread(its, phase, "%.0f", PhaseResult::level),
        phase == SAME_LOAD ? text("%.2f", its, r -> r.gain(phase)) : "–",
        text(
            "%.2f",
            its, r -> r.phase(phase).level() / made.bestBalancer(bucketCache, r.run(), phase)),
        spread(its, phase, "%.0f", PhaseResult::sum),
        phase == 0 ? "–" : text("%.2f", its, r -> r.worstTenant(phase)),
        phase == 0 ? "–" : text("%.2f", its, r -> r.least(phase)),
        spread(its, phase, "%.0f", PhaseResult::settled),
        spread(its, phase, "%.0f", PhaseResult::steady),
        spread(its, phase, "%.0f", PhaseResult::levelP99),
        spread(its, phase, "%.0f", PhaseResult::worstLevelP99),
        spread(its, phase, "%.0f", PhaseResult::p99),
        spread(its, phase, "%.0f", PhaseResult::moves),
        spread(its, phase, "%.0f", PhaseResult::movedMib),
        text("%.3f", its, r -> r.gibPerPercent(phase, unchanged(r, phase))),
        spread(its, phase, "%.0f", PhaseResult::compactedMib),
        spread(its, phase, "%.0f", PhaseResult::machinePercent),
        rival.policy().isEmpty() ? "–" : text("%.0f", its, r -> r.plansInWindow(phase)));
  }

  /**
   * The level without a rival: that where nobody acts, at the same time of the run with the same
   * number; on nodes where there is no such rival that before, as long as the load is the same; NaN
   * where it is not known.
   */
  private double unchanged(RivalRun run, int phase) {
    if (phase == 0) {
      return Double.NaN;
    }
    if (bucketCache) {
      return phase == SAME_LOAD ? run.before().level() : Double.NaN;
    }
    return made.level(Rival.NONE, run.run(), phase);
  }

  private static String spread(
      List<RivalRun> its, int phase, String format, ToDoubleFunction<PhaseResult> value) {
    return text(format, its, r -> value.applyAsDouble(r.phase(phase)));
  }

  private static String text(String format, List<RivalRun> its, ToDoubleFunction<RivalRun> value) {
    return Spread.text(format, its.stream().mapToDouble(value).toArray());
  }
}
