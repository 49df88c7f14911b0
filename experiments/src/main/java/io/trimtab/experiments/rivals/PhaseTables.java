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

  private final List<Rival> rivals;
  private final List<RivalRun> made;

  /**
   * @param made runs that did not fail, of any rivals
   */
  PhaseTables(List<Rival> rivals, List<RivalRun> made) {
    this.rivals = rivals;
    this.made = made;
  }

  /**
   * Nothing where there are no runs of these rivals.
   *
   * @param where of each heading
   */
  void write(ExperimentReport report, String where) {
    int phases =
        rivals.stream()
            .flatMap(rival -> of(rival).stream())
            .mapToInt(run -> run.phases().size())
            .max()
            .orElse(0);
    for (int phase = 0; phase < phases; phase++) {
      table(report, where, phase);
    }
  }

  private List<RivalRun> of(Rival rival) {
    return made.stream().filter(r -> r.rival().equals(rival.toString())).toList();
  }

  private void table(ExperimentReport report, String where, int phase) {
    List<List<String>> rows = new ArrayList<>();
    String title = "";
    for (Rival rival : rivals) {
      List<RivalRun> its = of(rival);
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
                "times the best StochasticLoadBalancer",
                "all tenants, ops/s",
                "worst tenant of unchanged load, relative to before",
                "lowest 5 s, of before",
                "s to 90 % of its best",
                "s until it stays there",
                "p99, ms",
                "worst tenant's p99, ms",
                "moves",
                "MiB moved",
                "GiB moved per % gained",
                "MiB written by compactions"),
            rows);
  }

  private List<String> row(Rival rival, List<RivalRun> its, int phase) {
    return ExperimentReport.row(
        rival,
        spread(its, phase, "%.0f", PhaseResult::level),
        phase == SAME_LOAD ? text("%.2f", its, r -> r.gain(phase)) : "–",
        text("%.2f", its, r -> timesBest(r, phase)),
        spread(its, phase, "%.0f", PhaseResult::sum),
        phase == 0 ? "–" : text("%.2f", its, r -> r.worstTenant(phase)),
        phase == 0 ? "–" : text("%.2f", its, r -> r.least(phase)),
        spread(its, phase, "%.0f", PhaseResult::settled),
        spread(its, phase, "%.0f", PhaseResult::steady),
        spread(its, phase, "%.0f", PhaseResult::p99),
        spread(its, phase, "%.0f", PhaseResult::worstP99),
        spread(its, phase, "%.0f", PhaseResult::moves),
        spread(its, phase, "%.0f", PhaseResult::movedMib),
        phase == SAME_LOAD ? text("%.3f", its, r -> r.gibPerPercent(phase)) : "–",
        spread(its, phase, "%.0f", PhaseResult::compactedMib));
  }

  /**
   * Times the level of the best of the reference rivals in the run with the same number, which had
   * the same start; NaN where one of them is missing.
   */
  private double timesBest(RivalRun run, int phase) {
    List<Rival> references = rivals.stream().filter(Rival::reference).toList();
    List<RivalRun> theirs =
        references.stream()
            .flatMap(reference -> of(reference).stream())
            .filter(r -> r.run() == run.run())
            .toList();
    return theirs.size() < references.size()
        ? Double.NaN
        : run.phase(phase).level()
            / theirs.stream().mapToDouble(r -> r.phase(phase).level()).max().orElse(Double.NaN);
  }

  private static String spread(
      List<RivalRun> its, int phase, String format, ToDoubleFunction<PhaseResult> value) {
    return text(format, its, r -> value.applyAsDouble(r.phase(phase)));
  }

  private static String text(String format, List<RivalRun> its, ToDoubleFunction<RivalRun> value) {
    return Spread.text(format, its.stream().mapToDouble(value).toArray());
  }
}
