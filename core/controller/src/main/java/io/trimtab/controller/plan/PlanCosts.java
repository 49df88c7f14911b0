package io.trimtab.controller.plan;

import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * What it costs a cluster's users that partitions are moved, split or merged, and how long it
 * takes, as it was measured during the plans of late. On a node with little to do a region is
 * closed for a second, and hardly anybody notices; on a full one its clients wait, and with them
 * what they would ask of other regions, while caches are handed over that nobody has time to fill.
 *
 * @param lostSeconds of all users' requests that plans have cost, each plan counting half as much
 *     as the next one, ≥ 0
 * @param partitions that they have moved, split or merged, counted likewise, ≥ 0
 * @param tookSeconds that these plans took, counted likewise, ≥ 0; 0 if that is not known, as of
 *     earlier versions
 * @param at when the last of them ended
 */
public record PlanCosts(double lostSeconds, double partitions, double tookSeconds, Instant at) {
  /** Of fewer partitions it is left to chance what is measured. */
  private static final double LEAST = 3;

  /** A partition does not cost more: then the load itself has fallen during the plan. */
  private static final double MOST_SECONDS = 10;

  /** A partition does not take longer: then the plan has waited for repairs or other work. */
  private static final Duration MOST_TAKEN = Duration.ofMinutes(1);

  /** After which nobody believes that plans still take as long as then. */
  private static final Duration BELIEVED = Duration.ofDays(1);

  /** After which half of it is forgotten: the load will be another one. */
  private static final Duration HALF_LIFE = Duration.ofHours(6);

  /**
   * What is known after a plan.
   *
   * @param before what was known until then
   * @param lost seconds of all users' requests; empty if that was not measured
   * @param disturbed partitions of {@link #disturbed}
   * @param took how long the plan took
   */
  public static Optional<PlanCosts> after(
      Optional<PlanCosts> before,
      OptionalDouble lost,
      int disturbed,
      Duration took,
      Instant ended) {
    if (lost.isEmpty() || disturbed == 0) {
      return before;
    }
    double earlier = before.map(costs -> costs.lostSeconds / 2).orElse(0.0);
    double moved = before.map(costs -> costs.partitions / 2).orElse(0.0);
    double taken = before.map(costs -> costs.tookSeconds / 2).orElse(0.0);
    return Optional.of(
        new PlanCosts(
            earlier + lost.getAsDouble(),
            moved + disturbed,
            taken + Math.max(0, Math.min(took.toMillis(), disturbed * MOST_TAKEN.toMillis())) / 1e3,
            ended));
  }

  /**
   * Partitions that a plan has moved, split or merged.
   *
   * @param ended steps of the plan that have ended
   * @return 0 for a plan during which nodes came, went or started again: what that cost is not
   *     theirs
   */
  public static int disturbed(Plan plan, Set<Integer> ended) {
    int count = 0;
    for (PlannedAction planned : plan.actions()) {
      Action action = planned.action();
      boolean restarts =
          action
              .as(Action.Reconfigure.class)
              .filter(change -> change.way() != Action.ApplyMode.ONLINE)
              .isPresent();
      if (restarts
          || action.as(Action.AddNode.class).isPresent()
          || action.as(Action.RemoveNode.class).isPresent()
          || action.as(Action.ReplaceNode.class).isPresent()) {
        return 0;
      }
      boolean disturbs =
          action.as(Action.Move.class).isPresent()
              || action.as(Action.Split.class).isPresent()
              || action.as(Action.Merge.class).isPresent();
      count += disturbs && ended.contains(planned.step()) ? 1 : 0;
    }
    return count;
  }

  /**
   * Seconds of all users' requests that one partition costs; empty if too few were moved.
   *
   * @return in [0, 10]
   */
  public OptionalDouble each() {
    return partitions < LEAST
        ? OptionalDouble.empty()
        : OptionalDouble.of(Math.min(MOST_SECONDS, lostSeconds / partitions));
  }

  /** How much of it is believed by now, in (0, 1]; of the rest nothing is known any more. */
  public double believed(Instant now) {
    double age = Math.max(0, Duration.between(at, now).toMillis());
    return Math.pow(0.5, age / HALF_LIFE.toMillis());
  }

  /**
   * Seconds that a plan takes for each partition, waiting for users, caches and compactions
   * included; empty if too few were moved, or not lately.
   *
   * @return in (0, 60]
   */
  public OptionalDouble takes(Instant now) {
    boolean lately = Duration.between(at, now).compareTo(BELIEVED) <= 0;
    return partitions < LEAST || tookSeconds <= 0 || !lately
        ? OptionalDouble.empty()
        : OptionalDouble.of(tookSeconds / partitions);
  }
}
