package io.trimtab.cli.slo;

import io.trimtab.config.UserError;
import io.trimtab.controller.agreement.Compliance.Verdict;
import io.trimtab.models.capacity.Commitment;
import io.trimtab.models.capacity.Commitment.State;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.Why;
import io.trimtab.runtime.ports.StateDir;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What is known of the agreements that were made before, from journals and clusters. */
final class Commitments {
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

  /** What was told of an agreement last. */
  Optional<Entry.AgreementSeen> seen(String name) {
    return Optional.ofNullable(journaled.get(name));
  }

  /** An agreement of which only this host's journals tell. */
  Commitment of(String name) {
    Entry.AgreementSeen seen = journaled.get(name);
    if (seen == null) {
      return new Commitment(name, State.UNKNOWN, "");
    }
    State state =
        seen.verdict() == Verdict.MISSED
            ? State.MISSED
            : seen.verdict() == Verdict.KEPT ? State.KEPT : State.UNKNOWN;
    return new Commitment(name, state, since(seen.since()) + ": " + seen.measured());
  }

  /**
   * An agreement of a cluster that answers: what autopilots that act have left with it counts more
   * than what this host remembers.
   *
   * @param missed since when agreements of the cluster are missed, by name
   */
  Commitment of(String name, Map<String, Instant> missed) {
    Instant since = missed.get(name);
    if (since == null) {
      return new Commitment(name, State.KEPT, "");
    }
    String measured =
        seen(name)
            .filter(seen -> seen.verdict() == Verdict.MISSED)
            .map(seen -> ": " + seen.measured())
            .orElse("");
    return new Commitment(name, State.MISSED, since(since) + measured);
  }

  private static String since(Instant at) {
    return " since " + at.truncatedTo(ChronoUnit.SECONDS);
  }
}
