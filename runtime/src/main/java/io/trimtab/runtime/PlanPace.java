package io.trimtab.runtime;

import io.trimtab.controller.pace.Pace;
import io.trimtab.controller.pace.UsersLevel;
import io.trimtab.controller.settings.PaceSettings;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.runtime.ports.MonotonicTime;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Follows the level of users' requests while a plan is carried out, and says how long its next
 * batch must wait. Used by one thread.
 */
final class PlanPace {
  /** Counters may be a second old when they are read: over less time a level is a guess. */
  private static final Duration WINDOW = Duration.ofSeconds(5);

  /** How long one batch waits at most for the level to come back. */
  private static final Duration RECOVERY = Duration.ofSeconds(30);

  /**
   * How long the level may stay below {@code pace.endBelow}, and how long the plan waits for that
   * on top of other pauses. Batches go on meanwhile, each after {@link #RECOVERY}: what a plan has
   * made worse in its middle, its next actions may put right.
   */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final PaceSettings settings;
  private final MonotonicTime time;
  private final long begunNs;
  private Optional<UsersLevel> before;
  private Optional<ClusterSnapshot> earlier = Optional.empty();
  private Pace pace = Pace.FULL;
  private long waitedNs;
  private long pausedNs;
  private long lowSinceNs = Long.MAX_VALUE;
  private Optional<UsersLevel.Level> level = Optional.empty();
  private OptionalDouble least = OptionalDouble.empty();

  /**
   * @param before the level before the plan; empty if it is not known, as for a plan that another
   *     controller has begun: then it is that of the first seconds
   */
  PlanPace(PaceSettings settings, MonotonicTime time, Optional<UsersLevel> before) {
    this.settings = settings;
    this.time = time;
    this.before = before.filter(level -> !level.before().isEmpty());
    this.begunNs = time.nanos();
  }

  /**
   * Takes note of the cluster between two batches.
   *
   * @param atOnce actions that the last batch had, and the next one may have at most; ≥ 1
   */
  void look(ClusterSnapshot now, int atOnce) {
    if (!settings.followUsers()) {
      return;
    }
    if (earlier.isEmpty()) {
      earlier = Optional.of(now);
      return;
    }
    if (now.secondsSince(earlier.get()) * 1e3 < WINDOW.toMillis()) {
      return;
    }
    if (before.isEmpty()) {
      before =
          Optional.of(UsersLevel.between(earlier.get(), now)).filter(l -> !l.before().isEmpty());
    } else {
      List<UsersLevel.Level> tables = before.get().levels(earlier.get(), now);
      tables.forEach(
          t -> least = OptionalDouble.of(Math.min(t.ofMean(), least.orElse(Double.MAX_VALUE))));
      level = tables.stream().min(Comparator.comparingDouble(UsersLevel.Level::ofLeast));
      level.ifPresent(worst -> follow(worst, atOnce));
    }
    earlier = Optional.of(now);
  }

  private void follow(UsersLevel.Level now, int atOnce) {
    pace = pace.after(now.ofLeast(), settings, atOnce);
    if (now.ofLeast() >= settings.endBelow()) {
      lowSinceNs = Long.MAX_VALUE;
    } else if (lowSinceNs == Long.MAX_VALUE) {
      lowSinceNs = time.nanos();
    }
  }

  /** Actions of a kind that may run at the same time, ≥ 1. */
  int atOnce(int most) {
    return Math.min(most, pace.atOnce());
  }

  /** How long the next batch must wait before the cluster is looked at again; zero if not. */
  Duration pause() {
    boolean low = level.filter(l -> l.ofLeast() < settings.slowBelow()).isPresent();
    if (!low || waitedNs >= RECOVERY.toNanos()) {
      return Duration.ZERO;
    }
    long workedNs = time.nanos() - begunNs - pausedNs;
    boolean veryLow = lowSinceNs != Long.MAX_VALUE;
    double mostNs = workedNs * (settings.longest() - 1) + (veryLow ? PATIENCE.toNanos() : 0);
    return pausedNs + WINDOW.toNanos() <= mostNs ? WINDOW : Duration.ZERO;
  }

  /** A pause was made. */
  void paused(Duration pause) {
    pausedNs += pause.toNanos();
    waitedNs += pause.toNanos();
  }

  /** A batch begins. */
  void goesOn() {
    waitedNs = 0;
  }

  /** Why the plan must end, as a sentence; empty while it need not. */
  Optional<String> tooLow() {
    return lowSinceNs != Long.MAX_VALUE && time.nanos() - lowSinceNs > PATIENCE.toNanos()
        ? Optional.of(
            "%s, and have stayed low for %d s (pace.endBelow)"
                .formatted(users(), PATIENCE.toSeconds()))
        : Optional.empty();
  }

  /** Whether the next pause is the first one before its batch. */
  boolean beginsToWait() {
    return waitedNs == 0;
  }

  /** For a person who waits. */
  String reason() {
    return users();
  }

  /** What is known of the table that is worst off; there is one wherever this is asked for. */
  private String users() {
    UsersLevel.Level worst = level.orElseThrow();
    return "requests to table %s are at %s of the level before the plan"
        .formatted(worst.table(), share(worst.ofMean()));
  }

  /** What the plan cost the users, as the end of a sentence; empty if that was not measured. */
  String cost() {
    if (least.isEmpty()) {
      return "";
    }
    return "; users' requests to every table were at least %s of the level before, over 5 s%s"
        .formatted(
            share(least.getAsDouble()),
            pausedNs == 0
                ? ""
                : ", with pauses of %d s".formatted(Duration.ofNanos(pausedNs).toSeconds()));
  }

  private static String share(double level) {
    return String.format(Locale.ROOT, "%.2f", level);
  }
}
