package io.trimtab.controller.observe;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import java.util.HashSet;
import java.util.Set;

/**
 * What is left as it is: for some time, because plans have changed it to and fro, or because nobody
 * can change it.
 *
 * @param partitions that are not moved
 * @param profiles nodes whose profile is not changed
 */
public record Frozen(Set<PartitionId> partitions, Set<NodeId> profiles) {
  public static final Frozen NONE = new Frozen(Set.of(), Set.of());

  public Frozen {
    partitions = Set.copyOf(partitions);
    profiles = Set.copyOf(profiles);
  }

  /** With more nodes whose profile is not changed. */
  public Frozen withProfilesOf(Set<NodeId> nodes) {
    Set<NodeId> all = new HashSet<>(profiles);
    all.addAll(nodes);
    return new Frozen(partitions, all);
  }
}
