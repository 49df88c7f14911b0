package io.trimtab.controller.ring;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Partitions;
import io.trimtab.controller.plan.PlanBuilder;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import java.util.List;
import java.util.Optional;

/**
 * Decisions that depend on how a cluster assigns data to nodes: by partition or by token. {@link
 * #of} is the only place in decisions and execution that reads a snapshot's ownership.
 */
public sealed interface PlacementModel permits AssignedPartitions, TokenRing {

  static PlacementModel of(ClusterSnapshot snapshot) {
    return switch (snapshot.ownership()) {
      case ASSIGNED -> AssignedPartitions.MODEL;
      case TOKENS -> TokenRing.MODEL;
    };
  }

  /** Whether a plan chooses the node of each partition, and so can place all of them anew. */
  boolean assignsPartitions();

  /** Whether a plan can choose the tokens of a new node. */
  boolean choosesTokens();

  /**
   * Whether a dead node still owns its data, so that it must be replaced or removed; otherwise the
   * engine assigns them to other nodes.
   */
  boolean deadNodesOwnData();

  /** Whether a node that has begun to leave can only be kept by restarting it. */
  boolean staysOnlyByRestart();

  /** The steps of a plan in the order in which data stay available. */
  List<PlannedAction> steps(PlanBuilder builder);

  /**
   * The profile with which a new node is started.
   *
   * @param planned its profile according to the plan, if any
   */
  Profile joining(List<NodeState> present, Optional<Profile> planned);

  /** Profile changes that move no partition; none if they would not help. */
  RingProfiles profilesInPlace(
      Observation.Usable seen, Partitions partitions, List<NodeState> nodes, Action.ApplyMode way);

  /** The node whose removal affects the fewest requests. */
  NodeId leastLoaded(Observation.Usable seen, List<NodeId> nodes);

  /**
   * Why removing this number of nodes in one plan could remove all copies of some data.
   *
   * @param leastCopies see {@link io.trimtab.engineapi.snapshot.Copies}
   */
  Optional<String> refusesRemoving(long nodes, int leastCopies);
}
