package io.trimtab.formats;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.util.StdConverter;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.time.Instant;
import java.util.List;

/** How a snapshot is read, today's and an older program's. */
@JsonDeserialize(converter = SnapshotJson.FromStored.class)
interface SnapshotJson {
  /** Of a snapshot whose program knew only whether the coordinator was healthy, and not why. */
  String NOT_HEALTHY = "the cluster's coordinator was not healthy when the snapshot was taken";

  /**
   * What is in the file.
   *
   * @param coordinatorHealthy of older files; they have no blockers
   */
  record Stored(
      Instant takenAt,
      String clusterId,
      String engine,
      Ownership ownership,
      String version,
      int replication,
      List<NodeState> nodes,
      List<PartitionState> partitions,
      int partitionsInTransition,
      boolean coordinatorHealthy,
      List<String> blockers,
      BalancerState balancer,
      List<String> gaps) {}

  /** Gives an older snapshot a blocker where its program would have done nothing. */
  final class FromStored extends StdConverter<Stored, ClusterSnapshot> {
    @Override
    public ClusterSnapshot convert(Stored stored) {
      List<String> older = stored.coordinatorHealthy() ? List.of() : List.of(NOT_HEALTHY);
      return new ClusterSnapshot(
          stored.takenAt(),
          stored.clusterId(),
          stored.engine(),
          stored.ownership(),
          stored.version(),
          stored.replication(),
          stored.nodes(),
          stored.partitions(),
          stored.partitionsInTransition(),
          stored.blockers() == null ? older : stored.blockers(),
          stored.balancer(),
          stored.gaps());
    }
  }
}
