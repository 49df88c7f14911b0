package io.trimtab.runtime;

import io.trimtab.controller.observe.ServedTimes;
import io.trimtab.controller.pace.Pace;
import io.trimtab.controller.pace.TimesLevel;
import io.trimtab.controller.pace.UsersLevel;
import io.trimtab.controller.pace.UsersLost;
import io.trimtab.controller.settings.PaceSettings;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.runtime.ports.MonotonicTime;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.DoubleSupplier;

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

  /** Engines renew their percentiles every 10 s: until then the last ones hold. */
  private static final Duration TIMES_HOLD = Duration.ofSeconds(15);

  private final PaceSettings settings;
  private final MonotonicTime time;
  private final DoubleSupplier clientsMs;
  private final long begunNs;
  private Optional<UsersLevel> before;
  private Optional<ClusterSnapshot> earlier = Optional.empty();
  private Pace pace = Pace.FULL;
  private long pausedNs;
  private long lowSinceNs = Long.MAX_VALUE;

  /** The last reading that was as low. */
  private long lowSeenNs;

  private Optional<Seen> level = Optional.empty();
  private Optional<Seen> least = Optional.empty();
  private ServedTimes served = ServedTimes.UNKNOWN;
  private long servedAtNs;
  private Optional<TimesLevel> slowest = Optional.empty();
  private final UsersLost lost = new UsersLost();

  /** Pauses before the next batch so far, and the levels before the first and the last of them. */
  private int pauses;

  private double levelAtFirst;
  private double levelAtLast;

  /**
   * The level of users' requests.
   *
   * @param ofMean what is kept of the mean number before the plan, in [0, 1]
   * @param ofLeast what is kept of the least number before the plan, in [0, 1]
   * @param worst the table that is worst off; empty if no table's requests can be compared
   * @param times how long requests take; empty if that is not known
   */
  private record Seen(
      double ofMean, double ofLeast, Optional<UsersLevel.Level> worst, Optional<TimesLevel> times) {
    static Seen of(List<UsersLevel.Level> tables, Optional<TimesLevel> times) {
      return new Seen(
          tables.isEmpty() ? 1 : UsersLevel.kept(tables, UsersLevel.Level::ofMean),
          tables.isEmpty() ? 1 : UsersLevel.kept(tables, UsersLevel.Level::ofLeast),
          tables.stream().min(Comparator.comparingDouble(UsersLevel.Level::ofMean)),
          times);
    }

    /** By which the pace goes. */
    double lowest() {
      return Math.min(ofLeast, times.map(TimesLevel::level).orElse(1.0));
    }

    /** As the end of a sentence on the number of users' requests. */
    String number() {
      return share(ofMean)
          + " of the level before the plan"
          + worst.map(w -> " (table %s: %s)".formatted(w.table(), share(w.ofMean()))).orElse("");
    }

    @Override
    public String toString() {
      return times
          .filter(slow -> slow.level() < ofLeast)
          .map(TimesLevel::told)
          .orElseGet(() -> "users' requests are at " + number());
    }
  }

  /**
   * @param before the level before the plan; empty if it is not known, as for a plan that an
   *     earlier version has begun: then it is that of the first seconds
   */
  PlanPace(LoopContext context, Optional<UsersLevel> before) {
    this.settings = context.settings().pace();
    this.time = context.ports().time();
    this.clientsMs = context.clientsMs();
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
      lost.add(tables, now.secondsSince(earlier.get()));
      Optional<TimesLevel> times = times(before.get(), earlier.get(), now);
      if (!tables.isEmpty() || times.isPresent()) {
        follow(Seen.of(tables, times), atOnce);
      }
    }
    earlier = Optional.of(now);
  }

  /**
   * The plan waits for other work, perhaps for hours: what users lose meanwhile is not its cost.
   */
  void waits() {
    lost.waits();
  }

  private Optional<TimesLevel> times(UsersLevel level, ClusterSnapshot then, ClusterSnapshot now) {
    ServedTimes fresh = ServedTimes.between(then, now);
    if (fresh.known()) {
      served = fresh;
      servedAtNs = time.nanos();
    } else if (time.nanos() - servedAtNs > TIMES_HOLD.toNanos()) {
      served = ServedTimes.UNKNOWN;
    }
    return TimesLevel.of(
        level.times(), served.withClients(clientsMs.getAsDouble()), settings.slowAbove());
  }

  private void follow(Seen now, int atOnce) {
    level = Optional.of(now);
    if (now.worst().isPresent()) {
      least = least.filter(seen -> seen.ofMean() <= now.ofMean()).or(() -> level);
    }
    slowest =
        now.times()
            .filter(t -> slowest.isEmpty() || t.level() < slowest.get().level())
            .or(() -> slowest);
    pace = pace.after(now.lowest(), settings, atOnce);
    if (now.lowest() >= settings.endBelow()) {
      lowSinceNs = Long.MAX_VALUE;
      return;
    }
    lowSeenNs = time.nanos();
    lowSinceNs = Math.min(lowSinceNs, lowSeenNs);
  }

  /** Actions of a kind that may run at the same time, ≥ 1. */
  int atOnce(int most) {
    return Math.min(most, pace.atOnce());
  }

  /** How long the next batch must wait before the cluster is looked at again; zero if not. */
  Duration pause() {
    boolean low = level.filter(l -> l.lowest() < settings.slowBelow()).isPresent();
    boolean veryLow = lowSinceNs != Long.MAX_VALUE;
    if (!low || pauses >= Math.max(pace.patience(), veryLow ? 1 : 0)) {
      return Duration.ZERO;
    }
    if (pauses > 0 && !Pace.rises(levelAtLast, level.get().lowest())) {
      return Duration.ZERO;
    }
    long workedNs = time.nanos() - begunNs - pausedNs;
    double mostNs = workedNs * (settings.longest() - 1);
    return pausedNs + WINDOW.toNanos() <= mostNs ? WINDOW : Duration.ZERO;
  }

  /** A pause is made. */
  void paused(Duration pause) {
    levelAtLast = level.orElseThrow().lowest();
    levelAtFirst = pauses == 0 ? levelAtLast : levelAtFirst;
    pausedNs += pause.toNanos();
    pauses++;
  }

  /** A batch begins. */
  void goesOn() {
    if (pauses > 0) {
      pace = pace.waited(levelAtFirst, level.orElseThrow().lowest());
    }
    pauses = 0;
  }

  /** Why the plan must end, as a sentence; empty while it need not. */
  Optional<String> tooLow() {
    // By a reading at its end: where nothing can be compared any more, nobody knows.
    return lowSinceNs != Long.MAX_VALUE && lowSeenNs - lowSinceNs > PATIENCE.toNanos()
        ? Optional.of(
            "%s, and it has been like that for %d s (pace.endBelow)"
                .formatted(reason(), PATIENCE.toSeconds()))
        : Optional.empty();
  }

  /** Whether the next pause is the first one before its batch. */
  boolean beginsToWait() {
    return pauses == 0;
  }

  /** For a person who waits. There is a level wherever this is asked for. */
  String reason() {
    return level.orElseThrow().toString();
  }

  /** Seconds of all users' requests that the plan has cost; empty if that was not measured. */
  OptionalDouble lostSeconds() {
    return lost.seconds();
  }

  /** What the plan cost the users, as the end of a sentence; empty if that was not measured. */
  String cost() {
    return least
            .map(
                seen ->
                    seen.ofMean() < 0.995
                        ? "; users' requests fell to " + seen.number() + ", over 5 s" + inAll()
                        : "; users' requests did not fall")
            .orElse("")
        + slowest.filter(t -> t.level() < 1).map(t -> "; at worst " + t.told()).orElse("")
        + (pausedNs == 0
            ? ""
            : ", with pauses of %d s".formatted(Duration.ofNanos(pausedNs).toSeconds()));
  }

  private String inAll() {
    double seconds = lost.seconds().orElse(0);
    return seconds >= 0.5
        ? String.format(Locale.ROOT, ", and %.0f s' worth of them was lost in all", seconds)
        : "";
  }

  private static String share(double level) {
    return String.format(Locale.ROOT, "%.2f", level);
  }
}
