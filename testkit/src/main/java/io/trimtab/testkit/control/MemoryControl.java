package io.trimtab.testkit.control;

import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.ControlTakenException;
import io.trimtab.engineapi.DamagedDocumentException;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.LostControlException;
import io.trimtab.engineapi.SharedState;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * A cluster's lock, epochs and control documents in memory, as the real engines have them: a holder
 * that stands still loses the lock after a lease, and does not hear of it; it only stops trusting
 * the lock a while after its last contact. Thread-safe.
 */
public final class MemoryControl implements SharedState {
  /** As the engines' sessions: after this much silence the cluster gives the lock away. */
  public static final Duration LEASE = Duration.ofSeconds(12);

  /** For how long after its last contact a holder relies on the lock. */
  public static final Duration TRUST = Duration.ofSeconds(8);

  private final Clock clock;
  private final Map<String, byte[]> documents = new TreeMap<>();
  private final Map<String, String> damages = new TreeMap<>();
  private final Set<String> unanswered = new TreeSet<>();
  private final Set<String> stops = new TreeSet<>();
  private long epoch;
  private MemoryLock held;
  private Instant seenAliveAt = Instant.MAX;

  /**
   * @param clock by which leases end
   */
  public MemoryControl(Clock clock) {
    this.clock = clock;
  }

  /** As {@link io.trimtab.engineapi.Engine#takeControl}. */
  public synchronized ControlLock take(String owner) throws EngineException {
    if (held != null && !held.leaseOver()) {
      throw new ControlTakenException(
          "in-memory cluster: another controller is in charge of this cluster: " + held.owner,
          held.owner,
          held.life() == Life.LIVES ? Duration.ZERO : LEASE);
    }
    held = new MemoryLock(owner, ++epoch);
    return held;
  }

  /**
   * From when on a holder that is not cut off is seen to live; by default never, as where a lock
   * only ends with a session.
   */
  public synchronized void seenAliveAfter(Duration since) {
    seenAliveAt = clock.instant().plus(since);
  }

  /** Ends the holder's session; it hears of it at once. */
  public synchronized void lose() {
    if (held != null) {
      held.closed = true;
      held = null;
    }
  }

  /** Whether the holder of the lock is cut off. */
  public synchronized boolean isCutOff() {
    return held != null && held.cut;
  }

  /**
   * Ends contact between the holder and the cluster: it hears nothing, and nobody hears of it. It
   * goes on for {@link #TRUST}; after {@link #LEASE} another one can take over.
   */
  public synchronized void cutOff() {
    if (held != null) {
      held.lastContact = clock.instant();
      held.cut = true;
      held.heard = stopRequests();
    }
  }

  /** Epoch of the newest holder; 0 if there was none. */
  public synchronized long epoch() {
    return epoch;
  }

  @Override
  public synchronized Optional<byte[]> read(String document) throws DamagedDocumentException {
    if (damages.containsKey(document)) {
      throw new DamagedDocumentException(document, damages.get(document));
    }
    return Optional.ofNullable(documents.get(document)).map(byte[]::clone);
  }

  /** Makes a document unreadable until it is written again. */
  public synchronized void damage(String document, String damage) {
    damages.put(document, damage);
  }

  /** The next write of a document is done, and its answer is lost. */
  public synchronized void loseAnswer(String document) {
    unanswered.add(document);
  }

  /** Writes without any lock, as a person or another version could. */
  public synchronized void overwrite(String document, byte[] content) {
    documents.put(document, content.clone());
  }

  @Override
  public synchronized Optional<Holder> holder() {
    return Optional.ofNullable(held).map(lock -> new Holder(lock.owner, lock.life()));
  }

  @Override
  public synchronized void requestStop(String by) {
    stops.add(stops.size() + " by " + by);
  }

  @Override
  public synchronized Set<String> stopRequests() {
    return Set.copyOf(stops);
  }

  private final class MemoryLock implements ControlLock {
    private final String owner;
    private final long number;
    private Instant lastContact = clock.instant();
    private boolean cut;
    private boolean closed;

    /** Requests that were there before it was cut off: they are read twice a second. */
    private Set<String> heard = Set.of();

    MemoryLock(String owner, long number) {
      this.owner = owner + " (in memory, since " + clock.instant() + ")";
      this.number = number;
    }

    private Life life() {
      return leaseOver()
          ? Life.GONE
          : cut || clock.instant().isBefore(seenAliveAt) ? Life.UNKNOWN : Life.LIVES;
    }

    private boolean leaseOver() {
      return closed || (cut && !clock.instant().isBefore(lastContact.plus(LEASE)));
    }

    @Override
    public long epoch() {
      return number;
    }

    @Override
    public String holder() {
      return owner;
    }

    @Override
    public boolean held() {
      synchronized (MemoryControl.this) {
        return !closed && !(cut && !clock.instant().isBefore(lastContact.plus(TRUST)));
      }
    }

    @Override
    public void write(String document, byte[] content) throws EngineException {
      synchronized (MemoryControl.this) {
        if (held != this || number != epoch) {
          closed = true;
          throw new LostControlException(
              "in-memory cluster: epoch " + number + " is over, " + epoch + " has begun");
        }
        if (cut) {
          throw new EngineException("in-memory cluster: it does not answer");
        }
        damages.remove(document);
        if (content.length == 0) {
          documents.remove(document);
        } else {
          documents.put(document, content.clone());
        }
        if (unanswered.remove(document)) {
          throw new EngineException("in-memory cluster: the answer was lost");
        }
      }
    }

    @Override
    public Set<String> stopRequests() {
      synchronized (MemoryControl.this) {
        return cut ? heard : MemoryControl.this.stopRequests();
      }
    }

    @Override
    public void close() {
      synchronized (MemoryControl.this) {
        closed = true;
        held = held == this ? null : held;
      }
    }
  }
}
