package io.trimtab.controller;

import io.trimtab.engineapi.AccessClass;
import io.trimtab.engineapi.Action;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeState;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.PlannedAction;
import io.trimtab.engineapi.Profile;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Nodes own the ranges before their tokens, and nothing can be placed (Cassandra). */
enum TokenRing implements PlacementModel {
  MODEL;

  @Override
  public boolean assignsPartitions() {
    return false;
  }

  @Override
  public boolean choosesTokens() {
    return true;
  }

  @Override
  public boolean deadNodesOwnData() {
    return true;
  }

  @Override
  public List<PlannedAction> steps(PlanBuilder builder) {
    return builder.byTokens();
  }

  @Override
  public Profile joining(List<NodeState> present, Optional<Profile> wanted) {
    return RingProfiles.joining(present);
  }

  @Override
  public RingProfiles profilesInPlace(
      Observation.Usable seen,
      Map<PartitionId, AccessClass> classes,
      List<NodeState> nodes,
      Action.Way way) {
    return RingProfiles.of(seen, classes, nodes, way);
  }

  @Override
  public NodeId leastLoaded(Observation.Usable seen, List<NodeId> nodes) {
    // What a ring's partitions tell of requests is not by node.
    return UsableNodes.leastUsage(seen, nodes);
  }

  @Override
  public Optional<String> refusesRemoving(long nodes, int replication) {
    // A node that leaves streams what it holds to the others first.
    return Optional.empty();
  }
}
