package io.trimtab.experiments.rivals;

import io.trimtab.config.UserError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/** Which runs are still to be made, in which order, and how long they take. */
final class Agenda {
  /** A run that failed so often is not tried again unless somebody asks for it. */
  static final int TRIES = 2;

  /** For a cluster to be made and loaded, read back and removed; as no run has told it yet. */
  static final Duration AROUND = Duration.ofMinutes(7);

  /** A run to be made. */
  record Turn(Rival rival, int run) {
    boolean is(RivalRun made) {
      return made.rival().equals(rival.toString()) && made.run() == run;
    }
  }

  private Agenda() {}

  /**
   * The runs that are missing. Rivals take turns, and each comes first in some run: the machine may
   * change over the hours.
   *
   * @param wanted rivals that are to be made
   * @param runs of each
   */
  static List<Turn> due(Collection<RivalRun> kept, Set<Rival> wanted, int runs) {
    List<Turn> due = new ArrayList<>();
    Rival[] all = Rival.values();
    for (int run = 1; run <= runs; run++) {
      for (int i = 0; i < all.length; i++) {
        Turn turn = new Turn(all[(i + run - 1) % all.length], run);
        boolean made = kept.stream().anyMatch(k -> turn.is(k) && k.failure().isEmpty());
        if (wanted.contains(turn.rival()) && !made && failed(kept, turn) < TRIES) {
          due.add(turn);
        }
      }
    }
    return due;
  }

  private static long failed(Collection<RivalRun> kept, Turn turn) {
    return kept.stream().filter(k -> turn.is(k) && !k.failure().isEmpty()).count();
  }

  /** How long a run takes at most, by those of as many phases that were made so far. */
  static Duration time(Collection<RivalRun> kept, Rival rival) {
    OptionalDouble longest =
        kept.stream()
            .filter(k -> k.failure().isEmpty() && Rival.of(k.rival()).changes() == rival.changes())
            .mapToDouble(RivalRun::minutes)
            .max();
    return longest.isPresent()
        ? Duration.ofMillis(Math.round(longest.getAsDouble() * 60_000))
        : Rivals.phases(rival).plus(AROUND);
  }

  /**
   * The run that is to be made next: the first that would end in time, as those on nodes with a
   * bucket cache are shorter than others.
   *
   * @param left of the time there is; empty for as much as is needed
   * @return empty where none would end
   */
  static Optional<Turn> next(Collection<RivalRun> kept, List<Turn> due, Optional<Duration> left) {
    return due.stream()
        .filter(turn -> left.isEmpty() || time(kept, turn.rival()).compareTo(left.get()) <= 0)
        .findFirst();
  }

  /**
   * That there is time for a run: else the command would do nothing each time it is begun again.
   *
   * @param within all the time there is; empty for as much as is needed
   * @throws UserError where not even the shortest run that is due would end in it
   */
  static void requireTime(Collection<RivalRun> kept, List<Turn> due, Optional<Duration> within) {
    if (due.isEmpty() || next(kept, due, within).isPresent()) {
      return;
    }
    Turn shortest =
        Collections.min(due, Comparator.comparing((Turn turn) -> time(kept, turn.rival())));
    throw new UserError(
        "--for: even %s, run %d, takes about %d min, and there are %d"
            .formatted(
                shortest.rival(),
                shortest.run(),
                time(kept, shortest.rival()).toMinutes() + 1,
                within.orElseThrow().toMinutes()));
  }

  /**
   * That what is due goes on as it was begun.
   *
   * @param now of each rival, the build and settings that it would be made with
   * @throws UserError where a rival has runs that were made with others: they can't be compared
   */
  static void requireSame(Collection<RivalRun> kept, List<Turn> due, Map<Rival, List<String>> now) {
    for (Turn turn : due) {
      List<String> its = now.get(turn.rival());
      for (RivalRun run : kept) {
        if (run.rival().equals(turn.rival().toString()) && !run.madeBy().equals(its)) {
          throw new UserError(
              ("--continue: %s was made with '%s', now it would be '%s'; --rival %s --again makes"
                      + " its runs again and keeps the others")
                  .formatted(
                      run.rival(),
                      first(run.madeBy(), its),
                      first(its, run.madeBy()),
                      turn.rival().key()));
        }
      }
    }
  }

  private static String first(List<String> of, List<String> notIn) {
    return of.stream().filter(line -> !notIn.contains(line)).findFirst().orElse("");
  }
}
