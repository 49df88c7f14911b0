package io.trimtab.runtime.control;

import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.LostControlException;
import io.trimtab.engineapi.SharedState;
import io.trimtab.runtime.journal.ActionOutcome;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.Journal;
import io.trimtab.runtime.journal.JournalState;
import io.trimtab.runtime.ports.ClusterState;
import io.trimtab.runtime.ports.Ports;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time in which this process is a cluster's only controller: its lock, its journal on this
 * machine, and the documents that the cluster keeps for the next controller. Thread-safe.
 */
public final class Tenure implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Tenure.class);

  /** They tell only together what is left to be done. */
  private static final List<String> PLANS =
      List.of(ControlDocuments.PROGRESS, ControlDocuments.PLAN, ControlDocuments.MEMORY);

  private static final List<String> ALL =
      Stream.concat(PLANS.stream(), Stream.of(ControlDocuments.HOLD, ControlDocuments.EMPTIED))
          .toList();

  private final List<String> discarded;
  private final ControlLock lock;
  private final Journal journal;
  private volatile OptionalLong balancerSureNs = OptionalLong.empty();

  private Tenure(ControlLock lock, Journal journal, List<String> discarded) {
    this.discarded = List.copyOf(discarded);
    this.lock = lock;
    this.journal = journal;
  }

  /**
   * Begins where earlier controllers, on whatever host, have ended; if none of them has left
   * anything with the cluster, where this machine's journal ends.
   *
   * @param lock closed with the tenure, and if this fails
   * @param took the first entry of the journal
   * @throws UnreadableStateException if what an earlier controller left can't be read
   */
  public static Tenure begin(
      ControlLock lock, SharedState shared, ClusterState state, Entry.Took took)
      throws EngineException {
    return begin(lock, shared, state, took, () -> List.of());
  }

  /** The same, but what can't be read is discarded; see {@link #discarded()}. */
  public static Tenure discarding(
      ControlLock lock, SharedState shared, ClusterState state, Entry.Took took)
      throws EngineException {
    return begin(lock, shared, state, took, () -> unreadable(shared));
  }

  /** Chooses documents that are not read but discarded. */
  @FunctionalInterface
  private interface Discarded {
    List<String> documents() throws EngineException;
  }

  private static Tenure begin(
      ControlLock lock, SharedState shared, ClusterState state, Entry.Took took, Discarded choice)
      throws EngineException {
    boolean begun = false;
    try {
      List<String> discarded = choice.documents();
      if (!discarded.contains(ControlDocuments.HOLD)) {
        // Whoever could not give the balancer back later on must not begin.
        ControlDocuments.hold(shared);
      }
      if (!discarded.contains(ControlDocuments.EMPTIED)) {
        ControlDocuments.emptied(shared);
      }
      Tenure tenure;
      if (discarded.containsAll(PLANS)) {
        tenure = begin(lock, state, new JournalState(), took, discarded);
      } else {
        ControlDocuments.Found found = ControlDocuments.read(shared);
        tenure = begin(lock, state, found.orRecorded(state), took, discarded);
        if (found.nothing()) {
          tenure.shareAll();
        }
      }
      for (String document : discarded) {
        lock.write(document, new byte[0]);
      }
      begun = true;
      return tenure;
    } finally {
      if (!begun) {
        lock.close();
      }
    }
  }

  private static List<String> unreadable(SharedState shared) throws EngineException {
    List<String> unreadable = new ArrayList<>();
    try {
      ControlDocuments.read(shared);
    } catch (UnreadableStateException e) {
      LOG.warn("plan, progress and memory are discarded", e);
      unreadable.addAll(PLANS);
    }
    try {
      ControlDocuments.hold(shared);
    } catch (UnreadableStateException e) {
      LOG.warn("the earlier state of the balancer is discarded", e);
      unreadable.add(ControlDocuments.HOLD);
    }
    try {
      ControlDocuments.emptied(shared);
    } catch (UnreadableStateException e) {
      LOG.warn("what was taken out of service is discarded", e);
      unreadable.add(ControlDocuments.EMPTIED);
    }
    return unreadable;
  }

  /** What was discarded because it can't be read, and what is left to be done by hand. */
  public List<String> discarded() {
    List<String> told = new ArrayList<>();
    if (discarded.containsAll(PLANS)) {
      told.add(
          "what an earlier controller left of its plan could not be read: if one was open, it is"
              + " not tidied up, and nodes may still be draining");
    }
    if (discarded.contains(ControlDocuments.HOLD)) {
      told.add(
          "the state of the database's own balancer from before the autopilot could not be read"
              + " and is lost: check how it is now (trimtab status), and set it by hand");
    }
    if (discarded.contains(ControlDocuments.EMPTIED)) {
      told.add(
          "which node a command had taken out of service could not be read and is lost: tables of"
              + " its measurement, named trimtab_model_…, may be left");
    }
    return told;
  }

  /**
   * Gives the cluster what only this machine knows: of an earlier version, or of a plan whose begin
   * did not reach the cluster. Otherwise a successor elsewhere would not know of the open plan.
   */
  private void shareAll() throws EngineException {
    Optional<Journal.Unfinished> open = journal.unfinished();
    if (open.isPresent()) {
      Journal.Unfinished left = open.get();
      lock.write(
          ControlDocuments.PLAN,
          ControlDocuments.plan(
              new Entry.PlanStarted(
                  left.startedAt(),
                  left.plan(),
                  left.before(),
                  left.next(),
                  left.users().orElse(null),
                  left.from().orElse(null))));
      lock.write(ControlDocuments.PROGRESS, ControlDocuments.progress(left));
    }
    if (open.isPresent() || journal.lastPlanEnded().isPresent()) {
      lock.write(ControlDocuments.MEMORY, ControlDocuments.memory(journal.memory()));
    }
  }

  /**
   * Discards what earlier controllers left with the cluster, so that the next one knows nothing.
   */
  public static void forget(Engine engine, ClusterState state, Instant now) throws EngineException {
    ControlLock lock = engine.takeControl("forgetting");
    Entry.Took took = new Entry.Took(now, lock.epoch(), lock.holder(), "", "", "", "");
    begin(lock, engine.shared(), state, took, () -> ALL).close();
  }

  private static Tenure begin(
      ControlLock lock,
      ClusterState state,
      JournalState known,
      Entry.Took took,
      List<String> discarded)
      throws LostControlException {
    // Reading what others left takes time, in which another controller may have begun.
    lock.require();
    Journal journal = state.journal(lock.epoch(), known);
    boolean begun = false;
    try {
      journal.append(took.noting(state.written(lock.epoch())));
      begun = true;
      return new Tenure(lock, journal, discarded);
    } finally {
      if (!begun) {
        journal.close();
      }
    }
  }

  public Journal journal() {
    return journal;
  }

  public ControlLock lock() {
    return lock;
  }

  /**
   * Records an entry in the journal and, if the next controller needs it, with the cluster. An
   * action must be recorded before it begins: a controller that was replaced learns it here.
   *
   * @throws io.trimtab.engineapi.LostControlException if another controller has taken over
   * @throws io.trimtab.config.UserError if the journal can't be written
   */
  public synchronized void record(Entry entry) throws EngineException {
    lock.require();
    Optional<RuntimeException> full = Optional.empty();
    try {
      journal.append(entry);
    } catch (RuntimeException e) {
      // An end is worth knowing for the next controller even where this machine's disk is full.
      if (!(entry instanceof Entry.PlanEnded)) {
        throw e;
      }
      journal.follow(entry);
      full = Optional.of(e);
    }
    share(entry);
    if (full.isPresent()) {
      throw full.get();
    }
  }

  /**
   * Keeps with the cluster what is to be put back of a node that was taken out of service; nothing
   * once it is over.
   *
   * @throws io.trimtab.engineapi.LostControlException if another controller has taken over
   */
  public void keep(EmptiedNode emptied) throws EngineException {
    lock.write(
        ControlDocuments.EMPTIED, emptied.over() ? new byte[0] : ControlDocuments.emptied(emptied));
  }

  private void share(Entry entry) throws EngineException {
    if (entry instanceof Entry.PlanStarted started) {
      lock.write(ControlDocuments.PLAN, ControlDocuments.plan(started));
    } else if (entry instanceof Entry.PlanEnded) {
      lock.write(ControlDocuments.MEMORY, ControlDocuments.memory(journal.memory()));
      lock.write(ControlDocuments.PROGRESS, new byte[0]);
      lock.write(ControlDocuments.PLAN, new byte[0]);
    } else if (journal.unfinished().isPresent() && isProgress(entry)) {
      lock.write(ControlDocuments.PROGRESS, ControlDocuments.progress(journal.unfinished().get()));
    } else if (entry instanceof Entry.Predicted
        || entry instanceof Entry.Measured
        || entry instanceof Entry.ClientsAbove
        || entry instanceof Entry.AgreementSeen
        || entry instanceof Entry.Warmed) {
      lock.write(ControlDocuments.MEMORY, ControlDocuments.memory(journal.memory()));
    }
  }

  private static boolean isProgress(Entry entry) {
    return entry instanceof Entry.ActionStarted
        || entry instanceof Entry.NodeAdded
        || (entry instanceof Entry.ActionEnded end && end.outcome() != ActionOutcome.FAILED);
  }

  /** Notes in this machine's journal that control was lost; it does not matter if that fails. */
  public void lost(Instant at, String why) {
    try {
      journal.append(new Entry.ControlLost(at, lock.epoch(), why));
    } catch (RuntimeException e) {
      LOG.warn("the journal does not say that control was lost", e);
    }
  }

  /** A request to set the engine's own balancing may take effect so long from now on. */
  public void balancerUnsure(Ports ports, Duration longest) {
    if (balancerUnsure(ports).compareTo(longest) < 0) {
      balancerSureNs = OptionalLong.of(ports.time().nanos() + longest.toNanos());
    }
  }

  /** For how long from now on such a request may still take effect; 0 if there is none. */
  public Duration balancerUnsure(Ports ports) {
    long leftNs =
        balancerSureNs.isPresent() ? balancerSureNs.getAsLong() - ports.time().nanos() : 0;
    return Duration.ofNanos(Math.max(0, leftNs));
  }

  @Override
  public void close() {
    try {
      journal.close();
    } finally {
      lock.close();
    }
  }
}
