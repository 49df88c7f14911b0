package io.trimtab.controller.ring;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Partitions;
import io.trimtab.controller.place.UsableNodes;
import io.trimtab.controller.plan.PlanBuilder;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.NodeState;
import java.util.List;
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
  public boolean staysOnlyByRestart() {
    return true;
  }

  @Override
  public List<PlannedAction> steps(PlanBuilder builder) {
    return builder.byTokens();
  }

  @Override
  public Profile joining(List<NodeState> present, Optional<Profile> planned) {
    return RingProfiles.joining(present);
  }

  @Override
  public RingProfiles profilesInPlace(
      Observation.Usable seen, Partitions partitions, List<NodeState> nodes, Action.ApplyMode way) {
    return RingProfiles.of(seen, partitions, nodes, way);
  }

  @Override
  public NodeId leastLoaded(Observation.Usable seen, List<NodeId> nodes) {
    // Requests of a ring's partitions are not attributable to nodes.
    return UsableNodes.leastUsage(seen, nodes);
  }

  @Override
  public Optional<String> refusesRemoving(long nodes, int leastCopies) {
    // A node that leaves streams what it holds to the others first.
    return Optional.empty();
  }
}
