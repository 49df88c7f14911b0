package io.trimtab.experiments.rivals;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Runs that did not fail, to be compared: those of one number had the same start. */
record MadeRuns(List<RivalRun> runs) {
  static MadeRuns of(List<RivalRun> all) {
    return new MadeRuns(all.stream().filter(run -> run.failure().isEmpty()).toList());
  }

  /** Of a rival, in the order of their numbers. */
  List<RivalRun> of(Rival rival) {
    return runs.stream()
        .filter(run -> run.rival().equals(rival.toString()))
        .sorted(Comparator.comparingInt(RivalRun::run))
        .toList();
  }

  Optional<RivalRun> of(Rival rival, int run) {
    return of(rival).stream().filter(its -> its.run() == run).findFirst();
  }

  /**
   * The best level of HBase's own balancers on the same nodes in a phase of the run with a number;
   * NaN where one of them is missing.
   */
  double bestBalancer(boolean bucketCache, int run, int phase) {
    double best = 0;
    for (Rival balancer : Rival.on(bucketCache).stream().filter(Rival::balances).toList()) {
      double level = level(balancer, run, phase);
      // A comparison with a missing one would be a comparison with the others.
      if (Double.isNaN(level)) {
        return Double.NaN;
      }
      best = Math.max(best, level);
    }
    return best;
  }

  /** The level of a rival in a phase of the run with a number; NaN where it is missing. */
  double level(Rival rival, int run, int phase) {
    return of(rival, run)
        .filter(its -> phase < its.phases().size())
        .map(its -> its.phase(phase).level())
        .orElse(Double.NaN);
  }

  /** The best half minute of a phase that any rival had with the same start and nodes. */
  double bestOfAny(RivalRun of, int phase) {
    return alike(of, phase).mapToDouble(run -> run.phase(phase).best()).max().orElse(Double.NaN);
  }

  /** Whether another rival has a phase with the same start and nodes. */
  boolean isCompared(RivalRun run, int phase) {
    return alike(run, phase).count() > 1;
  }

  private Stream<RivalRun> alike(RivalRun of, int phase) {
    boolean bucketCache = Rival.of(of.rival()).bucketCache();
    return runs.stream()
        .filter(run -> run.run() == of.run() && phase < run.phases().size())
        .filter(run -> Rival.of(run.rival()).bucketCache() == bucketCache);
  }

  /**
   * A tenant's throughput in a phase of a run, as a share of what it has where nobody acts; NaN
   * where that is missing.
   */
  double ofNone(RivalRun run, int phase, String tenant) {
    return of(Rival.NONE, run.run())
        .filter(its -> !Rival.of(run.rival()).bucketCache() && phase < its.phases().size())
        .map(
            its ->
                run.phase(phase).result().measured(tenant)
                    / its.phase(phase).result().measured(tenant))
        .orElse(Double.NaN);
  }
}
