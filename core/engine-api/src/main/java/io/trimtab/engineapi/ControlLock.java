package io.trimtab.engineapi;

import java.util.Set;

/**
 * The lock of a cluster's only controller. Whoever holds it has an epoch, a number greater than
 * that of every holder before; documents are written with it, so that a controller that lost the
 * lock without noticing can't write over those of its successor. Thread-safe.
 */
public interface ControlLock extends AutoCloseable {

  /** At least 1; greater than that of every earlier holder. */
  long epoch();

  /** Who holds it, for display: owner, host and process. */
  String holder();

  /**
   * Whether the lock is still held, as far as this process can know without asking the cluster.
   * False for ever once the session is lost, has been silent for too long, or somebody else took
   * over; then nothing may be changed.
   */
  boolean held();

  /**
   * Writes a document that the cluster keeps for the next controller, atomically; readers see the
   * old or the new content.
   *
   * @param content of any size; an empty array deletes the document
   * @throws LostControlException if another controller has taken over, or the lock has ended;
   *     nothing is written
   */
  void write(String document, byte[] content) throws EngineException;

  /**
   * Stop requests ({@link SharedState#requestStop}) as the cluster knew them at most a second ago.
   */
  Set<String> stopRequests();

  /** Throws unless the lock is held. */
  default void require() throws LostControlException {
    if (!held()) {
      throw new LostControlException(
          "control of the cluster was lost: its lock (epoch " + epoch() + ") has ended");
    }
  }

  @Override
  void close();
}
