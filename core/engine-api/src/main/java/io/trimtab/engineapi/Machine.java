package io.trimtab.engineapi;

import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;

/**
 * A machine, or a process on one, that a provider has started for a cluster.
 *
 * @param name by which the provider knows it: an instance's id, a host's name
 * @param node that runs, or will run, on it; empty if the provider does not know yet
 * @param cluster the id of the cluster that it is marked with
 * @param requestId the request that it was started for; empty if it was started by nobody's request
 * @param since when it was requested; empty if not known
 */
public record Machine(
    String name,
    Optional<NodeId> node,
    String cluster,
    String requestId,
    Optional<Instant> since,
    State state) {

  /** The newest first, and what is of unknown age last: some providers give up the last first. */
  public static final Comparator<Machine> NEWEST_FIRST =
      Comparator.comparing((Machine machine) -> machine.since().orElse(Instant.EPOCH)).reversed();

  /**
   * Whether its node is none of a cluster's. A machine that runs, and whose node the provider does
   * not tell, may be any of them.
   *
   * @param members all nodes that the cluster knows, the dead ones included; one may be called
   *     otherwise than the provider does, with or without its domain
   */
  public boolean isNoneOf(Set<NodeId> members) {
    return node.isPresent()
        ? members.stream().noneMatch(node.get()::matches)
        : state != State.RUNNING;
  }

  /** How far it is. */
  public enum State {
    /** It was asked for, and no process of a node is known to run on it yet. */
    STARTING,
    RUNNING,
    /** It is marked for the cluster, and its node's process does not run. */
    STOPPED
  }
}
