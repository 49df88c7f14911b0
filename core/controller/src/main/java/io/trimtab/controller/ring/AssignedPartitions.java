package io.trimtab.controller.ring;

import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.observe.Partitions;
import io.trimtab.controller.place.UsableNodes;
import io.trimtab.controller.plan.PlanBuilder;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.NodeState;
import java.util.List;
import java.util.Optional;

/** Each partition is on one node and can be taken to any other (HBase). */
enum AssignedPartitions implements PlacementModel {
  MODEL;

  @Override
  public boolean assignsPartitions() {
    return true;
  }

  @Override
  public boolean choosesTokens() {
    return false;
  }

  @Override
  public boolean deadNodesOwnData() {
    return false;
  }

  @Override
  public boolean staysOnlyByRestart() {
    return false;
  }

  @Override
  public List<PlannedAction> steps(PlanBuilder builder) {
    return builder.byMoves();
  }

  @Override
  public Profile joining(List<NodeState> present, Optional<Profile> planned) {
    return planned.orElse(Profile.HOMOGENEOUS);
  }

  @Override
  public RingProfiles profilesInPlace(
      Observation.Usable seen, Partitions partitions, List<NodeState> nodes, Action.ApplyMode way) {
    // Profiles follow from how partitions are grouped.
    return RingProfiles.NONE;
  }

  @Override
  public NodeId leastLoaded(Observation.Usable seen, List<NodeId> nodes) {
    return UsableNodes.leastRequests(seen, nodes);
  }

  @Override
  public Optional<String> refusesRemoving(long nodes, int leastCopies) {
    // The file system below copies what is missing only when the nodes are gone.
    return nodes > 0 && nodes >= leastCopies
        ? Optional.of(Counted.of(nodes, "node") + " at once would take all copies of some data")
        : Optional.empty();
  }
}
