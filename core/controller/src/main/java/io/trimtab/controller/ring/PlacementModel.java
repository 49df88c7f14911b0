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
 * What follows from the way in which a cluster's data come to its nodes. {@link #of} is the only
 * place that looks at a snapshot's ownership.
 */
public sealed interface PlacementModel permits AssignedPartitions, TokenRing {

  static PlacementModel of(ClusterSnapshot snapshot) {
    return switch (snapshot.ownership()) {
      case ASSIGNED -> AssignedPartitions.MODEL;
      case TOKENS -> TokenRing.MODEL;
    };
  }

  /** Whether a plan chooses the node of each partition, and so can regroup all of them at first. */
  boolean assignsPartitions();

  /** Whether a new node can be given the tokens that it is to own. */
  boolean choosesTokens();

  /**
   * Whether a dead node goes on owning its data, so that it must be replaced or removed; where not,
   * the engine itself gives them to others.
   */
  boolean deadNodesOwnData();

  /** Whether a node that has begun to leave can only be kept by restarting it. */
  boolean staysOnlyByRestart();

  /** The steps of a plan in the order in which data stay available. */
  List<PlannedAction> steps(PlanBuilder builder);

  /**
   * What a new node is started with.
   *
   * @param planned for it, where the plan says
   */
  Profile joining(List<NodeState> present, Optional<Profile> planned);

  /** Changes of nodes' profiles that need no partition to move; none where that is no remedy. */
  RingProfiles profilesInPlace(
      Observation.Usable seen, Partitions partitions, List<NodeState> nodes, Action.ApplyMode way);

  /** The node that is missed least. */
  NodeId leastLoaded(Observation.Usable seen, List<NodeId> nodes);

  /** Whether removing so many nodes in one plan could take all copies of some data, as a reason. */
  Optional<String> refusesRemoving(long nodes, int replication);
}
