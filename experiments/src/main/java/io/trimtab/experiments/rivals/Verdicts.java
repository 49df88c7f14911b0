package io.trimtab.experiments.rivals;

import io.trimtab.engineapi.plan.Counted;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/** What the autopilot shall reach, and whether it does. */
final class Verdicts {
  /** Times the best of HBase's own balancers. */
  private static final double TIMES = 1.5;

  /** Share of its start that each tenant keeps. */
  private static final double KEPT = 0.95;

  private static final int PLACED = 1;

  private final MadeRuns made;
  private final int runs;

  /**
   * @param runs that there shall be of each rival
   */
  Verdicts(MadeRuns made, int runs) {
    this.made = made;
    this.runs = runs;
  }

  /** A line each. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(times(false));
    lines.add(times(true));
    lines.add(tenants());
    lines.add(backAtItsOwn());
    lines.add(backAtTheBest());
    return lines;
  }

  private static String line(boolean known, boolean whole, boolean met, String text) {
    String verdict = met ? "met" : "missed";
    return "**%s**: %s"
        .formatted(!known ? "not known" : whole ? verdict : "so far " + verdict, text);
  }

  private String times(boolean bucketCache) {
    Rival ours = Rival.ours(bucketCache);
    Ratios ratios =
        new Ratios(
            IntStream.rangeClosed(1, runs)
                .mapToDouble(
                    run ->
                        made.level(ours, run, PLACED) / made.bestBalancer(bucketCache, run, PLACED))
                .toArray());
    return line(
        ratios.any(),
        ratios.whole(),
        ratios.mean() >= TIMES,
        String.format(
            Locale.ROOT,
            "%s has %s times the level of the best of HBase's balancers with the same start and"
                + " nodes; wanted is %.1f, as the geometric mean over the runs%s",
            ours,
            ratios,
            TIMES,
            underWay(ours)));
  }

  /** A level that was measured under a plan is not that which the plan leads to. */
  private String underWay(Rival ours) {
    long under =
        made.of(ours).stream()
            .filter(run -> run.phases().size() > PLACED && run.plansInWindow(PLACED) > 0)
            .count();
    return under == 0
        ? ""
        : "; while its level was measured a plan was under way in " + Counted.of(under, "run");
  }

  /** A tenant's throughput after the first plan, in all runs. */
  private record Tenant(String name, Ratios ofStart, Ratios ofNone) {}

  private String tenants() {
    List<RivalRun> ours = made.of(Rival.AUTOPILOT);
    Optional<Tenant> worst =
        ours.stream()
            .findFirst()
            .flatMap(
                first ->
                    first.sameLoad(PLACED).stream()
                        .map(tenant -> tenant(ours, tenant))
                        .min(Comparator.comparingDouble(tenant -> tenant.ofStart().mean())));
    return line(
        worst.isPresent(),
        ours.size() == runs,
        worst.isPresent() && worst.get().ofStart().mean() >= KEPT,
        worst
                .map(
                    tenant ->
                        ("autopilot's worst tenant, %s, has %s of its start, and %s of what it has"
                                    + " at the same time where nobody acts")
                                .formatted(tenant.name(), tenant.ofStart(), tenant.ofNone())
                            + least(ours))
                .orElse("autopilot's worst tenant")
            + String.format(
                Locale.ROOT, "; wanted is %.2f of the start, as the geometric mean", KEPT));
  }

  /** What the mean over the runs may hide. */
  private static String least(List<RivalRun> ours) {
    RivalRun least =
        ours.stream().min(Comparator.comparingDouble(run -> run.worstTenant(PLACED))).orElseThrow();
    String tenant =
        least.sameLoad(PLACED).stream()
            .min(Comparator.comparingDouble(name -> least.ofStart(PLACED, name)))
            .orElseThrow();
    return String.format(
        Locale.ROOT,
        "; the least of any tenant in any run is %.2f (%s, run %d)",
        least.ofStart(PLACED, tenant),
        tenant,
        least.run());
  }

  private Tenant tenant(List<RivalRun> ours, String tenant) {
    return new Tenant(
        tenant,
        new Ratios(ours.stream().mapToDouble(run -> run.ofStart(PLACED, tenant)).toArray()),
        new Ratios(ours.stream().mapToDouble(run -> made.ofNone(run, PLACED, tenant)).toArray()));
  }

  /**
   * A phase in which the load is another one.
   *
   * @param best half minute that any rival had in it
   * @param compared whether there was another rival
   */
  private record Change(RivalRun.PhaseResult phase, double best, boolean compared) {
    private static final long LIMIT = Rivals.BACK.toSeconds();

    boolean isBackAtItsOwn() {
      return phase.steady() <= LIMIT;
    }

    boolean isBackAtTheBest() {
      return phase.steady(best) <= LIMIT;
    }
  }

  private List<Change> changes(Rival rival) {
    List<Change> changes = new ArrayList<>();
    for (RivalRun run : made.of(rival)) {
      for (int phase = PLACED + 1; phase < run.phases().size(); phase++) {
        changes.add(
            new Change(run.phase(phase), made.bestOfAny(run, phase), made.isCompared(run, phase)));
      }
    }
    return changes;
  }

  /** Who has little in a phase is soon back at it: that nobody acts is told beside it. */
  private String backAtItsOwn() {
    List<Change> changes = changes(Rival.AUTOPILOT);
    long back = changes.stream().filter(Change::isBackAtItsOwn).count();
    int slowest = changes.stream().mapToInt(change -> change.phase().steady()).max().orElse(0);
    int first = changes.stream().mapToInt(change -> change.phase().settled()).max().orElse(0);
    return line(
        !changes.isEmpty(),
        made.of(Rival.AUTOPILOT).size() == runs,
        back == changes.size(),
        ("autopilot is back within a tenth of its own best half minute of the new load within %d s"
                + " after %d of %d changes of the load, and stays there to the end (slowest from"
                + " %d s on; there for the first time after %d s at most); %s; wanted is after all")
            .formatted(
                Change.LIMIT, back, changes.size(), slowest, first, none(Change::isBackAtItsOwn)));
  }

  /** By what was possible then, however little a rival itself has reached. */
  private String backAtTheBest() {
    List<Change> changes = changes(Rival.AUTOPILOT).stream().filter(Change::compared).toList();
    long back = changes.stream().filter(Change::isBackAtTheBest).count();
    Ratios ratios =
        new Ratios(
            changes.stream()
                .mapToDouble(change -> change.phase().level() / change.best())
                .toArray());
    return line(
        !changes.isEmpty(),
        Rival.on(false).stream().allMatch(rival -> made.of(rival).size() == runs),
        back == changes.size(),
        ("autopilot is back within a tenth of the best half minute that any rival has of the new"
                + " load with the same start and nodes within %d s after %d of %d changes, and"
                + " stays there to the end; its level at the end is %s of that; %s; wanted is after"
                + " all")
            .formatted(Change.LIMIT, back, changes.size(), ratios, none(Change::isBackAtTheBest)));
  }

  private String none(Predicate<Change> back) {
    List<Change> changes = changes(Rival.NONE);
    return "where nobody acts that is so after %d of %d"
        .formatted(changes.stream().filter(back).count(), changes.size());
  }
}
