package io.trimtab.experiments.policies;

import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.Policy;
import io.trimtab.engineapi.Ownership;
import io.trimtab.simulator.days.DayResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * What the autopilot shall reach beside other policies, and whether it does: for each kind of
 * ownership by itself, since it may be well on one at the other's cost. A sum is mostly that of a
 * few clusters, and each line says so: on how many clusters it is better and worse, and what is
 * left without the largest ones.
 */
final class PolicyVerdicts {
  /** A sum without so many clusters is told, too. */
  private static final int LARGEST = 3;

  /**
   * What is compared.
   *
   * @param most times the other's sum that is wanted
   * @param equal difference on a cluster that is none
   */
  private record Measure(
      String name, ToDoubleFunction<DayResult> value, double most, double equal) {}

  private static final List<Measure> MEASURES =
      List.of(
          new Measure("minutes of overload", DayResult::overloadedMinutes, 0.5, 1),
          new Measure("moved bytes", DayResult::movedBytes, 0.5, 1 << 20),
          new Measure("node hours", DayResult::nodeHours, 1, 1 / 60.0));

  /** How little is no difference on a cluster, in words. */
  static final String EQUAL = "a minute of overload, a MiB that is moved or a minute of a node";

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

  /** A line each, of the clusters of one kind. */
  List<String> lines(Ownership kind) {
    List<String> lines = new ArrayList<>();
    for (Measure measure : MEASURES) {
      for (Policy other : OTHERS) {
        lines.add(times(measure, other, kind));
      }
    }
    lines.add(steady(kind));
    return lines;
  }

  /**
   * @param known clusters of the kind
   * @param all known ones of both kinds
   */
  private String line(int known, int all, boolean met, String text) {
    String verdict = met ? "met" : "missed";
    return "**%s**: %s"
        .formatted(
            known == 0 ? "not known" : all == clusters ? verdict : "so far " + verdict, text);
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

  private List<PolicyRun> of(Policy policy, Ownership kind) {
    return of(policy).stream().filter(run -> run.result().ownership() == kind).toList();
  }

  private String times(Measure measure, Policy other, Ownership kind) {
    List<Pair> all = pairs(other);
    List<Values> its =
        all.stream()
            .filter(pair -> pair.ours().ownership() == kind)
            .map(pair -> Values.of(pair, measure))
            .sorted(Comparator.comparingDouble(Values::other).reversed())
            .toList();
    double sum = its.stream().mapToDouble(Values::other).sum();
    String text =
        String.format(
            Locale.ROOT,
            "%s has %s times the %s of %s; wanted is at most %.1f",
            OURS.name(),
            factor(its),
            measure.name(),
            other.name(),
            measure.most());
    return line(
        its.size(),
        all.size(),
        its.stream().mapToDouble(Values::ours).sum() <= measure.most() * sum,
        its.isEmpty() ? text : text + clusters(measure, its) + largest(other, its, sum));
  }

  /** A measure on one cluster. */
  private record Values(double ours, double other) {
    static Values of(Pair pair, Measure measure) {
      return new Values(
          measure.value().applyAsDouble(pair.ours()), measure.value().applyAsDouble(pair.other()));
    }
  }

  private static String factor(List<Values> all) {
    double its = all.stream().mapToDouble(Values::other).sum();
    return its > 0
        ? String.format(Locale.ROOT, "%.2f", all.stream().mapToDouble(Values::ours).sum() / its)
        : "–";
  }

  private static String clusters(Measure measure, List<Values> all) {
    long better = all.stream().filter(v -> v.ours() < v.other() - measure.equal()).count();
    long worse = all.stream().filter(v -> v.ours() > v.other() + measure.equal()).count();
    return "; better on %d, equal on %d, worse on %d of %d clusters"
        .formatted(better, all.size() - better - worse, worse, all.size());
  }

  /**
   * @param all the other's largest first
   */
  private static String largest(Policy other, List<Values> all, double sum) {
    int largest = Math.min(LARGEST, all.size());
    double its = all.subList(0, largest).stream().mapToDouble(Values::other).sum();
    return "; %s of %s's is on its %d largest, and without these it is %s times"
        .formatted(
            sum > 0 ? String.format(Locale.ROOT, "%.0f %%", 100 * its / sum) : "–",
            other.name(),
            largest,
            factor(all.subList(largest, all.size())));
  }

  private String steady(Ownership kind) {
    List<PolicyRun> ours = of(OURS, kind);
    List<PolicyRun> swinging =
        ours.stream().filter(run -> run.result().swings() >= PolicyDays.SWINGS).toList();
    String seeds =
        swinging.stream().map(run -> Long.toString(run.seed())).collect(Collectors.joining(", "));
    return line(
        ours.size(),
        of(OURS).size(),
        swinging.isEmpty(),
        "with %s the number of nodes oscillates on %d of %d clusters%s; wanted is on none"
            .formatted(
                OURS.name(),
                swinging.size(),
                ours.size(),
                seeds.isEmpty() ? "" : " (seeds " + seeds + ")"));
  }
}
