package io.trimtab.controller;

import io.trimtab.engineapi.AccessClass;
import io.trimtab.engineapi.PartitionId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a policy remembers from decision to decision.
 *
 * @param step nodes to add next time, ≥ 1 (Cruz 2016, Algorithm 1)
 * @param first whether the initial reconfiguration is still to be done
 * @param classes the partitions' classes at the last decision
 */
public record PolicyState(int step, boolean first, List<Classified> classes) {

  /** A partition's class. */
  public record Classified(PartitionId partition, AccessClass accessClass) {}

  public static final PolicyState INITIAL = new PolicyState(1, true, List.of());

  public PolicyState {
    classes = List.copyOf(classes);
  }

  Map<PartitionId, AccessClass> classMap() {
    var map = new HashMap<PartitionId, AccessClass>();
    classes.forEach(c -> map.put(c.partition(), c.accessClass()));
    return map;
  }
}
