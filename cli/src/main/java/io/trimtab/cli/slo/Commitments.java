package io.trimtab.cli.slo;

import io.trimtab.config.UserError;
import io.trimtab.controller.agreement.Commitment;
import io.trimtab.controller.agreement.Compliance.Verdict;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.Why;
import io.trimtab.runtime.ports.StateDir;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What is known of the agreements that were made before, from journals and clusters. */
final class Commitments {
  /** Of what was told longer ago nobody knows whether it is still so; it is told every 10 min. */
  private static final Duration LATELY = Duration.ofMinutes(30);

  private final Instant now = Clock.systemUTC().instant();

  /** As this host's autopilots have told them last, of whatever cluster, by name. */
  private final Map<String, Entry.AgreementSeen> journaled = new TreeMap<>();

  /** Reads the journals of this host; one that can't be read tells nothing. */
  Commitments() {
    for (StateDir state : StateDir.all()) {
      for (Entry.AgreementSeen seen : agreements(state)) {
        Entry.AgreementSeen other = journaled.get(seen.tenant());
        if (other == null || other.at().isBefore(seen.at())) {
          journaled.put(seen.tenant(), seen);
        }
      }
    }
  }

  private static Collection<Entry.AgreementSeen> agreements(StateDir state) {
    try {
      return Why.agreements(state.journals().all());
    } catch (UserError e) {
      return List.of();
    }
  }

  /** What was told of an agreement within the last half an hour. */
  Optional<Entry.AgreementSeen> lately(String name) {
    return Optional.ofNullable(journaled.get(name))
        // A clock that was ahead may have given it a time that is still to come.
        .filter(seen -> Duration.between(seen.at(), now).abs().compareTo(LATELY) < 0);
  }

  /** An agreement of which only this host's journals tell; one that was missed is so until then. */
  Commitment of(String name) {
    Entry.AgreementSeen seen = journaled.get(name);
    if (seen != null && seen.verdict() == Verdict.MISSED) {
      return new Commitment(name, Verdict.MISSED, told(seen));
    }
    return lately(name)
        .filter(told -> told.verdict() == Verdict.KEPT)
        .map(told -> new Commitment(name, Verdict.KEPT, told(told)))
        .orElseGet(() -> new Commitment(name, Verdict.UNKNOWN, ""));
  }

  private static String told(Entry.AgreementSeen seen) {
    return since(seen.since()) + ": " + seen.measured();
  }

  /**
   * An agreement of a cluster that answers. Autopilots that act leave with it what is missed; of
   * what is not, they do not say whether anybody has judged it.
   *
   * @param missed since when agreements of the cluster are missed, by name
   */
  Commitment of(String name, Map<String, Instant> missed) {
    Instant since = missed.get(name);
    if (since == null) {
      return lately(name).isPresent() ? of(name) : new Commitment(name, Verdict.UNKNOWN, "");
    }
    String measured =
        Optional.ofNullable(journaled.get(name))
            .filter(seen -> seen.verdict() == Verdict.MISSED)
            .map(seen -> ": " + seen.measured())
            .orElse("");
    return new Commitment(name, Verdict.MISSED, since(since) + measured);
  }

  private static String since(Instant at) {
    return " since " + at.truncatedTo(ChronoUnit.SECONDS);
  }
}
