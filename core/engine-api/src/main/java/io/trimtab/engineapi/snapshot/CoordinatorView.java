package io.trimtab.engineapi.snapshot;

import io.trimtab.engineapi.NodeId;
import java.util.List;
import java.util.Optional;

/**
 * How a node ranks the replicas of the reads that clients send to it.
 *
 * @param ranking by which it does, as the engine calls it
 * @param ownFirst whether it reads its own copy wherever it has one, however the others are ranked
 * @param replicas that it knows, itself too, by name
 */
public record CoordinatorView(String ranking, boolean ownFirst, List<ReplicaView> replicas) {
  public CoordinatorView {
    replicas = IndexedList.of(replicas, ReplicaView::replica);
  }

  /** How it sees one of them; empty if it does not know it. */
  public Optional<ReplicaView> of(NodeId replica) {
    return IndexedList.find(replicas, replica);
  }
}
