package io.trimtab.experiments.policies;

import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.Policy;
import io.trimtab.simulator.days.DayResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** What the autopilot shall reach beside other policies, and whether it does. */
final class PolicyVerdicts {
  private static final double HALF = 0.5;
  private static final double NO_MORE = 1;

  private static final Policy OURS = Policies.AUTOPILOT;
  private static final List<Policy> OTHERS = List.of(Policies.MET_1, Policies.TIRAMOLA);

  private final List<PolicyRun> runs;
  private final int clusters;

  /**
   * @param runs that did not fail
   * @param clusters that there shall be
   */
  PolicyVerdicts(List<PolicyRun> runs, int clusters) {
    this.runs = runs;
    this.clusters = clusters;
  }

  /** A line each. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (Policy other : OTHERS) {
      lines.add(times("minutes of overload", other, DayResult::overloadedMinutes, HALF));
    }
    for (Policy other : OTHERS) {
      lines.add(times("moved bytes", other, DayResult::movedBytes, HALF));
    }
    for (Policy other : OTHERS) {
      lines.add(times("node hours", other, DayResult::nodeHours, NO_MORE));
    }
    lines.add(steady());
    return lines;
  }

  private String line(int known, boolean met, String text) {
    String verdict = met ? "met" : "missed";
    return "**%s**: %s"
        .formatted(
            known == 0 ? "not known" : known == clusters ? verdict : "so far " + verdict, text);
  }

  /** Two policies on one cluster. */
  private record Pair(DayResult ours, DayResult other) {}

  private List<Pair> pairs(Policy other) {
    List<Pair> pairs = new ArrayList<>();
    for (PolicyRun its : of(OURS)) {
      Optional<PolicyRun> same =
          of(other).stream().filter(run -> run.seed() == its.seed()).findFirst();
      same.ifPresent(run -> pairs.add(new Pair(its.result(), run.result())));
    }
    return pairs;
  }

  private List<PolicyRun> of(Policy policy) {
    return runs.stream().filter(run -> run.policy().equals(policy.name())).toList();
  }

  private String times(String what, Policy other, ToDoubleFunction<DayResult> value, double most) {
    List<Pair> pairs = pairs(other);
    double ours = pairs.stream().mapToDouble(pair -> value.applyAsDouble(pair.ours())).sum();
    double its = pairs.stream().mapToDouble(pair -> value.applyAsDouble(pair.other())).sum();
    return line(
        pairs.size(),
        ours <= most * its,
        String.format(
            Locale.ROOT,
            "%s has %s times the %s of %s; wanted is at most %.1f",
            OURS.name(),
            its > 0 ? String.format(Locale.ROOT, "%.2f", ours / its) : "–",
            what,
            other.name(),
            most));
  }

  private String steady() {
    List<PolicyRun> ours = of(OURS);
    List<PolicyRun> swinging =
        ours.stream().filter(run -> run.result().swings() >= PolicyDays.SWINGS).toList();
    String seeds =
        swinging.stream().map(run -> Long.toString(run.seed())).collect(Collectors.joining(", "));
    return line(
        ours.size(),
        swinging.isEmpty(),
        "with %s the number of nodes oscillates on %d of %d clusters%s; wanted is on none"
            .formatted(
                OURS.name(),
                swinging.size(),
                ours.size(),
                seeds.isEmpty() ? "" : " (seeds " + seeds + ")"));
  }
}
