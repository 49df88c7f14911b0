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

/**
 * Follows the level of users' requests while a plan is carried out, and says how long its next
 * batch must wait. Used by one thread.
 */
final class PlanPace {
  /** Counters may be a second old when they are read: over less time a level is a guess. */
  private static final Duration WINDOW = Duration.ofSeconds(5);

  /**
   * How long the level may stay below {@code pace.endBelow}. Batches go on meanwhile: what a plan
   * has made worse in its middle, its next actions may put right.
   */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final PaceSettings settings;
  private final MonotonicTime time;
  private final long begunNs;
  private Optional<UsersLevel> before;
  private Optional<ClusterSnapshot> earlier = Optional.empty();
  private Pace pace = Pace.FULL;
  private long pausedNs;
  private long lowSinceNs = Long.MAX_VALUE;
  private Optional<Seen> level = Optional.empty();
  private Optional<Seen> least = Optional.empty();

  /** Pauses before the next batch so far, and the levels before the first and the last of them. */
  private int pauses;

  private double levelAtFirst;
  private double levelAtLast;

  /**
   * The level of users' requests.
   *
   * @param ofMean what is kept of the mean before the plan, in [0, 1]
   * @param ofLeast what is kept of the least before the plan, in [0, 1]
   * @param worst the table that is worst off
   */
  private record Seen(double ofMean, double ofLeast, UsersLevel.Level worst) {
    static Seen of(List<UsersLevel.Level> tables) {
      return new Seen(
          UsersLevel.kept(tables, UsersLevel.Level::ofMean),
          UsersLevel.kept(tables, UsersLevel.Level::ofLeast),
          tables.stream().min(Comparator.comparingDouble(UsersLevel.Level::ofMean)).orElseThrow());
    }

    @Override
    public String toString() {
      return "%s of the level before the plan (table %s: %s)"
          .formatted(share(ofMean), worst.table(), share(worst.ofMean()));
    }
  }

  /**
   * @param before the level before the plan; empty if it is not known, as for a plan that an
   *     earlier version has begun: then it is that of the first seconds
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
      if (!tables.isEmpty()) {
        follow(Seen.of(tables), atOnce);
      }
    }
    earlier = Optional.of(now);
  }

  private void follow(Seen now, int atOnce) {
    level = Optional.of(now);
    least = least.filter(seen -> seen.ofMean() <= now.ofMean()).or(() -> level);
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
    boolean veryLow = lowSinceNs != Long.MAX_VALUE;
    if (!low || pauses >= Math.max(pace.patience(), veryLow ? 1 : 0)) {
      return Duration.ZERO;
    }
    if (pauses > 0 && !Pace.rises(levelAtLast, level.get().ofLeast())) {
      return Duration.ZERO;
    }
    long workedNs = time.nanos() - begunNs - pausedNs;
    double mostNs = workedNs * (settings.longest() - 1);
    return pausedNs + WINDOW.toNanos() <= mostNs ? WINDOW : Duration.ZERO;
  }

  /** A pause is made. */
  void paused(Duration pause) {
    levelAtLast = level.orElseThrow().ofLeast();
    levelAtFirst = pauses == 0 ? levelAtLast : levelAtFirst;
    pausedNs += pause.toNanos();
    pauses++;
  }

  /** A batch begins. */
  void goesOn() {
    if (pauses > 0) {
      pace = pace.waited(levelAtFirst, level.orElseThrow().ofLeast());
    }
    pauses = 0;
  }

  /** Why the plan must end, as a sentence; empty while it need not. */
  Optional<String> tooLow() {
    return lowSinceNs != Long.MAX_VALUE && time.nanos() - lowSinceNs > PATIENCE.toNanos()
        ? Optional.of(
            "%s, and have stayed low for %d s (pace.endBelow)"
                .formatted(reason(), PATIENCE.toSeconds()))
        : Optional.empty();
  }

  /** Whether the next pause is the first one before its batch. */
  boolean beginsToWait() {
    return pauses == 0;
  }

  /** For a person who waits. There is a level wherever this is asked for. */
  String reason() {
    return "users' requests are at " + level.orElseThrow();
  }

  /** What the plan cost the users, as the end of a sentence; empty if that was not measured. */
  String cost() {
    return least
            .map(
                seen ->
                    seen.ofMean() < 0.995
                        ? "; users' requests fell to " + seen + ", over 5 s"
                        : "; users' requests did not fall")
            .orElse("")
        + (pausedNs == 0
            ? ""
            : ", with pauses of %d s".formatted(Duration.ofNanos(pausedNs).toSeconds()));
  }

  private static String share(double level) {
    return String.format(Locale.ROOT, "%.2f", level);
  }
}
