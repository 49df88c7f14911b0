package io.trimtab.engineapi;

import java.time.Duration;

/** Whatever starts and stops the machines, or processes, that nodes run on. */
public interface NodeProvider {

  /** How many more nodes could be added now. */
  int spare();

  /**
   * Starts a node with the profile; returns its id once its process runs.
   *
   * @param token names this wish: a later call with the same token goes on with the node that an
   *     earlier one began, so that a controller which was killed in between does not start two
   */
  NodeId add(String token, Profile profile, Duration limit) throws EngineException;

  /**
   * Stops the node gracefully and releases what it held; goes on where an earlier call was cut off,
   * and is done at once when the node is gone.
   */
  void remove(NodeId node, Duration limit) throws EngineException;

  /** Restarts the node's process with the profile's memory split, so that it lasts. */
  void restart(NodeId node, Profile profile, Duration limit) throws EngineException;

  /** Writes the profile where the node's next start finds it; the running process is untouched. */
  void persist(NodeId node, Profile profile) throws EngineException;
}
