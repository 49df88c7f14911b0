package io.trimtab.controller.policy;

import io.trimtab.engineapi.plan.Plan;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Plans that were abandoned, so that one that fails again and again is tried less and less often:
 * after the n-th time not before the cooldown · 2ⁿ⁻¹, at most 6 hours, has passed. An immutable
 * value.
 *
 * @param all the latest last, one for each {@link PlanShape}
 */
public record Setbacks(List<Setback> all) {
  /** The longest pause. */
  public static final Duration LONGEST = Duration.ofHours(6);

  /** From here on also where there is no cooldown. */
  private static final Duration SHORTEST = Duration.ofMinutes(1);

  /** Older ones are forgotten. */
  private static final int MOST = 100;

  public static final Setbacks NONE = new Setbacks(List.of());

  /**
   * Plans of one shape that were abandoned.
   *
   * @param times since one of them was last done, ≥ 1
   * @param last when it was abandoned last
   */
  public record Setback(String shape, int times, Instant last) {}

  public Setbacks {
    // Older documents have none.
    all = all == null ? List.of() : List.copyOf(all);
  }

  /** The same after a plan was abandoned. */
  public Setbacks abandoned(Plan plan, Instant at) {
    String shape = PlanShape.of(plan);
    int times = of(shape).map(Setback::times).orElse(0);
    List<Setback> next = without(shape);
    next.add(new Setback(shape, times + 1, at));
    return new Setbacks(next.subList(Math.max(0, next.size() - MOST), next.size()));
  }

  /** The same after a plan was done. */
  public Setbacks done(Plan plan) {
    return all.isEmpty() ? this : new Setbacks(without(PlanShape.of(plan)));
  }

  /**
   * Why a plan must wait, as a sentence; empty if it need not.
   *
   * @param cooldown the first pause
   */
  public Optional<String> holds(Plan plan, Duration cooldown, Instant now) {
    if (all.isEmpty()) {
      return Optional.empty();
    }
    return of(PlanShape.of(plan))
        .filter(setback -> now.isBefore(until(setback, cooldown)))
        .map(
            setback ->
                "the same changes were abandoned %s; they are not tried again before %s"
                    .formatted(
                        setback.times() == 1 ? "once" : setback.times() + " times in a row",
                        until(setback, cooldown)));
  }

  private static Instant until(Setback setback, Duration cooldown) {
    return setback.last().plus(pause(setback.times(), cooldown)).truncatedTo(ChronoUnit.SECONDS);
  }

  private static Duration pause(int times, Duration cooldown) {
    Duration pause = cooldown.compareTo(SHORTEST) < 0 ? SHORTEST : cooldown;
    for (int i = 1; i < times && pause.compareTo(LONGEST) < 0; i++) {
      pause = pause.multipliedBy(2);
    }
    return pause.compareTo(LONGEST) > 0 ? LONGEST : pause;
  }

  private Optional<Setback> of(String shape) {
    return all.stream().filter(setback -> setback.shape().equals(shape)).findFirst();
  }

  private List<Setback> without(String shape) {
    List<Setback> others = new ArrayList<>(all);
    others.removeIf(setback -> setback.shape().equals(shape));
    return others;
  }
}
