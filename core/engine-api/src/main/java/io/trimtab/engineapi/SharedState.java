package io.trimtab.engineapi;

import java.util.Optional;
import java.util.Set;

/**
 * What a cluster itself keeps about its controllers, for everybody who reaches it: the documents
 * that the holder of the {@link ControlLock} writes, and requests to stop. Thread-safe.
 */
public interface SharedState {

  /**
   * A document as it was last written.
   *
   * @return empty if there is none
   * @throws DamagedDocumentException if it is not as it was written
   */
  Optional<byte[]> read(String document) throws EngineException;

  /** Whether the holder of a lock lives, as far as this process knows. */
  enum Life {
    /** It may: call again; within the lease of the lock this becomes one of the others. */
    UNKNOWN,
    LIVES,
    /** It has ended, or was silent for the lease: the next controller gets its lock. */
    GONE
  }

  /**
   * A controller that has the lock.
   *
   * @param name for display: owner, host and process
   */
  record Holder(String name, Life life) {}

  /** Who has the lock; empty if nobody does. Its life may be known only after several calls. */
  Optional<Holder> holder() throws EngineException;

  /**
   * Requests that every controller of the cluster that runs or waits now ends; later ones are not
   * affected.
   *
   * @param by the requester, for display
   */
  void requestStop(String by) throws EngineException;

  /**
   * Requests so far; a controller compares them with those of its own start. Old ones may be
   * missing.
   */
  Set<String> stopRequests() throws EngineException;
}
