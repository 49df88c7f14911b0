package io.trimtab.host;

import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.EngineException;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The lock that an engine has given to its caller, which the engine's verbs ask. Once it was lost,
 * the engine changes nothing more until it gives another. Thread-safe.
 */
public final class GivenLock {
  private final AtomicReference<ControlLock> given = new AtomicReference<>();

  /**
   * Gives a lock: verbs that begin from now on ask it, until it is closed while it is held. A verb
   * that goes on after that is refused.
   *
   * @return the same, for the caller
   */
  public ControlLock give(ControlLock lock) {
    given.set(lock);
    return new Watched(lock);
  }

  /** For a verb that begins now. */
  public InCharge inCharge() {
    ControlLock lock = given.get();
    return lock == null ? InCharge.ANYBODY : lock::require;
  }

  private final class Watched implements ControlLock {
    private final ControlLock lock;

    Watched(ControlLock lock) {
      this.lock = lock;
    }

    @Override
    public long epoch() {
      return lock.epoch();
    }

    @Override
    public String holder() {
      return lock.holder();
    }

    @Override
    public boolean held() {
      return lock.held();
    }

    @Override
    public void write(String document, byte[] content) throws EngineException {
      lock.write(document, content);
    }

    @Override
    public Set<String> stopRequests() {
      return lock.stopRequests();
    }

    @Override
    public void close() {
      if (lock.held()) {
        given.compareAndSet(lock, null);
      }
      lock.close();
    }
  }
}
