package io.trimtab.engineapi.snapshot;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeSetting;
import io.trimtab.engineapi.Profile;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One node at one moment.
 *
 * @param incarnation changes whenever the process restarts (HBase: the start code)
 * @param draining closed for new partitions (HBase: decommissioned)
 * @param profile its memory split as measured; empty where the engine can't tell. It carries the
 *     name of the standard profile with the same split, else {@code CUSTOM}
 * @param onlineProfile whether a profile can be applied without a restart (the plug-in is loaded)
 * @param settings what it has of those that this engine lets change while a node runs
 */
public record NodeState(
    NodeId id,
    long incarnation,
    boolean alive,
    boolean draining,
    Optional<Profile> profile,
    boolean onlineProfile,
    NodeUsage usage,
    NodeGauges gauges,
    Map<NodeSetting, Integer> settings) {
  public NodeState {
    // Older recordings know none.
    settings =
        settings == null || settings.isEmpty()
            ? Map.of()
            : Collections.unmodifiableMap(new TreeMap<>(settings));
  }

  /** Of an engine that lets nothing change but profiles. */
  public NodeState(
      NodeId id,
      long incarnation,
      boolean alive,
      boolean draining,
      Optional<Profile> profile,
      boolean onlineProfile,
      NodeUsage usage,
      NodeGauges gauges) {
    this(id, incarnation, alive, draining, profile, onlineProfile, usage, gauges, Map.of());
  }
}
