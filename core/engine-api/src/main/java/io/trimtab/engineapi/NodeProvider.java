package io.trimtab.engineapi;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Starts and stops the machines or processes that nodes run on. Every request is idempotent by its
 * id: a provider marks a machine with the cluster and the request before it tells anybody of it, so
 * that what a controller started and never heard of is found again by {@link #machines}.
 */
public interface NodeProvider {

  /**
   * What a provider was answered, by its program or its cloud, makes no sense; the message names
   * who has answered what. A plan of which nothing was done yet is refused then: nobody need look
   * for what it has left, but somebody must mend the provider.
   */
  final class UnusableAnswerException extends EngineException {
    private static final long serialVersionUID = 1L;

    public UnusableAnswerException(String message) {
      super(message);
    }

    public UnusableAnswerException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** Number of nodes that can currently be added; 0 while the provider can't tell. */
  int spare();

  /**
   * What can be added, at which price and in which time, and which nodes can be given back and
   * restarted with another profile (all, if the provider says nothing of it), for decisions: it may
   * be as old as the provider keeps it, and is nothing to add, to give back and to restart while
   * the provider can't tell.
   */
  default NodeCapacity offer() {
    return NodeCapacity.of(spare());
  }

  /**
   * The same as it is now.
   *
   * @throws EngineException if the provider can't tell
   */
  default NodeCapacity capacity() throws EngineException {
    return NodeCapacity.of(spare());
  }

  /**
   * The machines that were started for this cluster by request and not released, those of requests
   * whose answer nobody has heard included; empty if the provider keeps no list.
   */
  default List<Machine> machines() throws EngineException {
    return List.of();
  }

  /**
   * Gives back a machine that no node of the cluster needs; returns at once if it was given back
   * already. What holds for data at {@link #remove} holds here.
   */
  default void release(Machine machine, Duration limit) throws EngineException {
    remove(
        machine
            .node()
            .orElseThrow(
                () ->
                    new EngineException(
                        "machine "
                            + machine.name()
                            + " has no node; it can only be released where it runs")),
        limit);
  }

  /**
   * Gives back what was begun for a request whose answer nobody waits for any more: its machine
   * would cost, or join, for nothing, and each later request would start another. One whose node is
   * in the cluster by now stays.
   *
   * @param members all nodes that the cluster knows
   */
  default void withdraw(String requestId, Set<NodeId> members, Duration limit)
      throws EngineException {
    for (Machine machine : machines()) {
      if (machine.requestId().equals(requestId) && machine.isNoneOf(members)) {
        release(machine, limit);
      }
    }
  }

  /**
   * Starts a node with the profile and returns its id once its process runs.
   *
   * @param requestId identifies the request: a later call with the same id continues with the node
   *     of the earlier call, so that a controller that was killed in between does not start two
   *     nodes
   * @param tokens the node's tokens in a ring; empty if the engine chooses them
   */
  NodeId add(String requestId, Profile profile, List<Long> tokens, Duration limit)
      throws EngineException;

  /**
   * Starts a node that takes over all tokens of a dead node; rejected while the dead node's process
   * runs, and if the engine itself reassigns a dead node's data.
   *
   * @param requestId as for {@link #add}
   */
  NodeId replace(String requestId, NodeId dead, Profile profile, Duration limit)
      throws EngineException;

  /**
   * Stops the node gracefully and takes it out of use; also the last step of replacing a dead node.
   * Continues an interrupted earlier call, and returns at once if the node no longer exists. No
   * plan asks it of a live node that {@link #offer} does not allow to be given back.
   *
   * <p>Never deletes the data on the node's disks: they may be the last copy of something, and only
   * an operator can decide that they are not, in the provider's settings. An implementation marks
   * them so that no later node uses them by mistake.
   */
  void remove(NodeId node, Duration limit) throws EngineException;

  /**
   * Restarts the node's process with the profile that was last persisted; refused of a node that is
   * not the provider's. No plan asks it of a node that {@link #offer} does not allow.
   */
  void restart(NodeId node, Duration limit) throws EngineException;

  /**
   * Stores the profile for the node's next start; does not affect the running process. Refused, in
   * one line with the node and with nothing done, of a node that is not the provider's, and where a
   * profile can't be stored for one node. That is then told, and a change that is in force already
   * is not taken back.
   */
  void persist(NodeId node, Profile profile) throws EngineException;
}
