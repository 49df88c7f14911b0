package io.trimtab.formats;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.util.StdConverter;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.Copies;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** How snapshots are read, including those of older versions. */
@JsonDeserialize(converter = SnapshotJson.FromStored.class)
interface SnapshotJson {
  /**
   * The blocker for snapshots of versions that recorded only whether the coordinator was healthy.
   */
  String NOT_HEALTHY = "the cluster's coordinator was not healthy when the snapshot was taken";

  /**
   * The content of the file.
   *
   * @param coordinatorHealthy only in older files, which have no blockers
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
      List<String> gaps,
      OptionalLong readAtNs,
      Copies copies,
      Map<String, String> fixedTables) {}

  /** Adds a blocker to an older snapshot if its version would not have acted. */
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
          stored.gaps(),
          stored.readAtNs(),
          stored.copies(),
          stored.fixedTables());
    }
  }
}
