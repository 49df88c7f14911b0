package io.trimtab.runtime.control;

import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.SharedState;
import io.trimtab.runtime.journal.ActionOutcome;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.Journal;
import io.trimtab.runtime.journal.JournalState;
import io.trimtab.runtime.ports.ClusterState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time in which this process is a cluster's only controller: its lock, its journal on this
 * machine, and the documents that the cluster keeps for the next controller. Thread-safe.
 */
public final class Tenure implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Tenure.class);

  private final ControlLock lock;
  private final Journal journal;
  private volatile OptionalLong balancerFailedNs = OptionalLong.empty();

  private Tenure(ControlLock lock, Journal journal) {
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
    boolean begun = false;
    try {
      ControlDocuments.Found found = ControlDocuments.read(shared);
      JournalState known =
          found.nothing()
              ? JournalState.of(state.recorded())
              : JournalState.of(found.memory(), found.open());
      Tenure tenure = begin(lock, state, known, took);
      if (found.nothing()) {
        tenure.shareAll();
      }
      begun = true;
      return tenure;
    } finally {
      if (!begun) {
        lock.close();
      }
    }
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
              new Entry.PlanStarted(left.startedAt(), left.plan(), left.before(), left.next())));
      lock.write(ControlDocuments.PROGRESS, ControlDocuments.progress(left));
    }
    if (open.isPresent() || journal.lastPlanEnded().isPresent()) {
      lock.write(ControlDocuments.MEMORY, ControlDocuments.memory(journal.memory()));
    }
  }

  /**
   * Begins anew, and discards what earlier controllers left with the cluster; as {@link #begin}.
   */
  public static Tenure discarding(ControlLock lock, ClusterState state, Entry.Took took)
      throws EngineException {
    boolean begun = false;
    try {
      Tenure tenure = begin(lock, state, new JournalState(), took);
      for (String document :
          List.of(ControlDocuments.PROGRESS, ControlDocuments.PLAN, ControlDocuments.MEMORY)) {
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

  /**
   * Discards what earlier controllers left with the cluster, so that the next one knows nothing.
   */
  public static void forget(Engine engine, ClusterState state, Instant now) throws EngineException {
    ControlLock lock = engine.takeControl("forgetting");
    try (Tenure tenure =
        discarding(lock, state, new Entry.Took(now, lock.epoch(), lock.holder(), "", "", "", ""))) {
      tenure.lock().write(ControlDocuments.HOLD, new byte[0]);
    }
  }

  private static Tenure begin(
      ControlLock lock, ClusterState state, JournalState known, Entry.Took took) {
    Journal journal = state.journal(lock.epoch(), known);
    boolean begun = false;
    try {
      journal.append(took);
      begun = true;
      return new Tenure(lock, journal);
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

  /** Setting the engine's own balancing has failed: it may take effect late. */
  public void balancerFailed(long nowNs) {
    balancerFailedNs = OptionalLong.of(nowNs);
  }

  /** When that failed last, by the monotonic time; empty if it has not. */
  public OptionalLong balancerFailed() {
    return balancerFailedNs;
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
