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
   * @throws EngineException if it can't be read, or is damaged
   */
  Optional<byte[]> read(String document) throws EngineException;

  /** The controller in charge, for display; empty if there is none. */
  Optional<String> holder() throws EngineException;

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
