package io.trimtab.controller.policy;

import io.trimtab.engineapi.AccessClass;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.RowKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A policy's state between decisions.
 *
 * @param step number of nodes to add next time, ≥ 1 (Cruz 2016, Algorithm 1)
 * @param first whether the initial reconfiguration has not been done yet
 * @param classes the partitions' classes at the last decision
 * @param boundaries boundaries made or removed by the autopilot, latest last
 */
public record PolicyState(
    int step, boolean first, List<Classified> classes, List<Boundary> boundaries) {

  /** A partition's class. */
  public record Classified(PartitionId partition, AccessClass accessClass) {}

  /**
   * A key at which a partition was split, or two were merged.
   *
   * @param split whether the boundary was made; false: removed
   */
  public record Boundary(String table, RowKey key, boolean split, Instant at) {}

  /** Older boundaries are dropped; the partitions of such splits are no longer merged. */
  private static final int BOUNDARIES_MAX = 1_000;

  public static final PolicyState INITIAL = new PolicyState(1, true, List.of(), List.of());

  public PolicyState {
    classes = List.copyOf(classes);
    boundaries = boundaries == null ? List.of() : List.copyOf(boundaries);
  }

  /** A copy with the same boundaries and other values. */
  public PolicyState next(int step, boolean first, List<Classified> classes) {
    return new PolicyState(step, first, classes, boundaries);
  }

  /** A copy with one more boundary, which replaces an earlier one of the same key. */
  public PolicyState with(Boundary boundary) {
    List<Boundary> all = new ArrayList<>(boundaries);
    all.removeIf(b -> b.table().equals(boundary.table()) && b.key().equals(boundary.key()));
    all.add(boundary);
    return new PolicyState(
        step, first, classes, all.subList(Math.max(0, all.size() - BOUNDARIES_MAX), all.size()));
  }

  public Map<PartitionId, AccessClass> classMap() {
    var map = new HashMap<PartitionId, AccessClass>();
    classes.forEach(c -> map.put(c.partition(), c.accessClass()));
    return map;
  }
}
