package io.trimtab.engineapi;

import java.time.Duration;
import java.util.List;

/** Whatever starts and stops the machines, or processes, that nodes run on. */
public interface NodeProvider {

  /** How many more nodes could be added now. */
  int spare();

  /**
   * Starts a node with the profile; returns its id once its process runs.
   *
   * @param requestId names this one: a later call with the same name goes on with the node that an
   *     earlier one began, so that a controller which was killed in between does not start two
   * @param tokens of the ring that the node takes; none where the engine chooses
   */
  NodeId add(String requestId, Profile profile, List<Long> tokens, Duration limit)
      throws EngineException;

  /**
   * Starts a node that takes over what a dead one owned, token for token; refused while that one's
   * process runs, and where the engine itself gives a dead node's data to others.
   *
   * @param requestId as of {@link #add}
   */
  NodeId replace(String requestId, NodeId dead, Profile profile, Duration limit)
      throws EngineException;

  /**
   * Stops the node gracefully and releases what it held; goes on where an earlier call was cut off,
   * and is done at once when the node is gone.
   */
  void remove(NodeId node, Duration limit) throws EngineException;

  /** Restarts the node's process with the profile that was written last. */
  void restart(NodeId node, Duration limit) throws EngineException;

  /** Writes the profile where the node's next start finds it; the running process is untouched. */
  void persist(NodeId node, Profile profile) throws EngineException;
}
