package io.trimtab.simulator.days;

import io.trimtab.controller.settings.Settings;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.runtime.ControlLoop;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopListener;
import io.trimtab.runtime.journal.ActionOutcome;
import io.trimtab.runtime.journal.PlanOutcome;
import io.trimtab.runtime.ports.ClusterState;
import io.trimtab.runtime.ports.MemoryState;
import io.trimtab.testkit.VirtualClock;
import io.trimtab.testkit.cluster.InMemoryCluster;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The production loop in charge of a {@link ClosedBed}, in virtual time: it watches during the
 * first phase and acts from the second one on. The database's own balancing is off.
 */
public final class PhasedRun {
  private final VirtualClock clock = new VirtualClock();
  private final ClosedBed bed;
  private final InMemoryCluster cluster;
  private final Duration level;
  private final Seen seen = new Seen();

  /** Moments at which operations are counted. */
  private final NavigableSet<Instant> marks = new TreeSet<>();

  /** Operations so far, by table. */
  private final NavigableMap<Instant, Map<String, Double>> operations = new TreeMap<>();

  private ControlLoop running;
  private Instant until;

  private PhasedRun(ClosedBed bed, long seed, Duration level) {
    this.bed = bed;
    this.level = level;
    this.cluster = new InMemoryCluster(bed.spec(seed), clock, this::advance);
    this.until = clock.instant();
    for (ClosedBed.Phase phase : bed.phases()) {
      until = until.plus(phase.time());
      marks.add(until.minus(level));
      marks.add(until);
    }
  }

  /**
   * Runs all phases; the same arguments give the same result.
   *
   * @param seed of the cluster's chances; its placement is the bed's
   * @param settings of the controller; empty for a cluster that is left alone
   * @param level for so long at the end of each phase throughput is measured; at most as long as
   *     the shortest phase
   */
  public static PhasedResult run(
      ClosedBed bed, long seed, Optional<Settings> settings, Duration level)
      throws EngineException {
    PhasedRun run = new PhasedRun(bed, seed, level);
    run.count();
    bed.place(run.cluster);
    run.cluster.engine().setBalancer(BalancerState.PAUSED);
    Instant end = run.until;
    Instant acts = VirtualClock.START.plus(bed.phases().get(0).time());
    if (settings.isPresent()) {
      ClusterState state = new MemoryState();
      run.control(settings.get(), state, false, acts);
      System.setProperty("tt.acting", "1");
      run.control(settings.get(), state, true, end);
    } else {
      run.advanceTo(end);
    }
    return run.result();
  }

  private void control(Settings settings, ClusterState state, boolean act, Instant end)
      throws EngineException {
    until = end;
    running =
        new ControlLoop(
            cluster.engine(),
            Optional.of(cluster.provider()),
            settings,
            act ? seen : LoopListener.SILENT,
            VirtualPorts.of(clock, state, this::passes),
            FaultPoints.NONE);
    running.run(act, 0, false, false);
    advanceTo(end);
  }

  private void passes(Duration time) {
    advance(time);
    if (!clock.instant().isBefore(until)) {
      running.stop();
    }
  }

  private void advance(Duration time) {
    advanceTo(clock.instant().plus(time));
  }

  /** Nothing where that moment has passed. */
  private void advanceTo(Instant then) {
    if (then.isAfter(clock.instant())) {
      for (Instant mark : marks.subSet(clock.instant(), false, then, true)) {
        clock.advanceTo(mark);
        count();
      }
      clock.advanceTo(then);
    }
  }

  private void count() {
    if (System.getenv("DBG") != null) {
      System.out.println("  t=" + Duration.between(VirtualClock.START, clock.instant()).toSeconds());
      var truth = cluster.truth();
      for (var n : truth.nodes()) {
        var g = n.gauges();
        Map<String, Integer> held = new TreeMap<>();
        truth.partitions().forEach(q -> { if (q.node().filter(n.id()::equals).isPresent()) held.merge(q.id().table(), 1, Integer::sum); });
        System.out.printf("   %s %s %s %s cache %.0f M%n", n.id(), n.profile().map(x->x.name()).orElse("?"), n.usage(), held, g.cacheBytes(n.profile().orElseThrow())/1e6);
      }
      System.out.println("   TOT " + cluster.totals());
    }
    operations.put(clock.instant(), cluster.totals().operations());
  }

  private Map<String, Double> perSecond(Instant from, Instant to) {
    double seconds = Duration.between(from, to).toMillis() / 1000.0;
    Map<String, Double> before = operations.get(from);
    Map<String, Double> rates = new TreeMap<>();
    operations
        .get(to)
        .forEach((table, done) -> rates.put(table, (done - before.get(table)) / seconds));
    return rates;
  }

  private PhasedResult result() {
    List<PhasedResult.Phase> phases = new ArrayList<>();
    Instant begins = VirtualClock.START;
    for (ClosedBed.Phase phase : bed.phases()) {
      Instant ends = begins.plus(phase.time());
      phases.add(
          new PhasedResult.Phase(
              phase.title(),
              perSecond(ends.minus(level), ends),
              within(seen.plans, begins, ends),
              within(seen.moves, begins, ends),
              within(seen.others, begins, ends)));
      begins = ends;
    }
    return new PhasedResult(phases, afterFirstPlan());
  }

  private Map<String, Double> afterFirstPlan() {
    Instant from = seen.firstEnded;
    Instant to =
        VirtualClock.START.plus(bed.phases().get(0).time()).plus(bed.phases().get(1).time());
    if (seen.nextBegan != null && seen.nextBegan.isBefore(to)) {
      to = seen.nextBegan;
    }
    return from != null && from.isBefore(to) ? perSecond(from, to) : Map.of();
  }

  private static int within(List<Instant> all, Instant from, Instant to) {
    return (int) all.stream().filter(at -> !at.isBefore(from) && at.isBefore(to)).count();
  }

  /** When the loop did what. */
  private final class Seen implements LoopListener {
    private final List<Instant> plans = new ArrayList<>();
    private final List<Instant> moves = new ArrayList<>();
    private final List<Instant> others = new ArrayList<>();

    /** When the first plan ended, and the next one began; null before. */
    private Instant firstEnded;

    private Instant nextBegan;

    @Override
    public void weighed(List<io.trimtab.controller.choice.Alternative> all) {
      if (System.getenv("DBG") == null) return;
      System.out.println("  t=" + Duration.between(VirtualClock.START, clock.instant()).toSeconds());
      count();
      for (var a : all)
        System.out.printf(
            "    %-45s before %.2f most %.2f over %d moves %d price %.0f gain %.0f %s %s%n",
            a.title(), a.before(), a.most(), a.over(), a.moves(), a.price(), a.gain(),
            a.tables().stream().map(c -> c.toString().replaceAll("TableChange", "")).toList(), a.verdict());
    }

    @Override
    public void planned(Plan plan, boolean act) {
      if (System.getenv("DBG") != null) System.out.println("   PLAN " + plan.summary());
      plans.add(clock.instant());
      if (firstEnded != null && nextBegan == null) {
        count();
        nextBegan = clock.instant();
      }
    }

    @Override
    public void ended(PlannedAction planned, int of, ActionOutcome outcome, String detail) {
      if (outcome == ActionOutcome.DONE) {
        boolean move = planned.action().as(Action.Move.class).isPresent();
        (move ? moves : others).add(clock.instant());
      }
    }

    @Override
    public void planEnded(Plan plan, PlanOutcome outcome, String why) {
      if (firstEnded == null) {
        count();
        firstEnded = clock.instant();
      }
    }
  }
}
