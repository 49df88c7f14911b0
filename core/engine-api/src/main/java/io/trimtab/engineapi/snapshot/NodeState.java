package io.trimtab.engineapi.snapshot;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeSetting;
import io.trimtab.engineapi.Profile;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The state of a node at one moment.
 *
 * @param incarnation changes with every restart of the process (HBase: the start code)
 * @param draining closed for new partitions (HBase: decommissioned)
 * @param profile its memory split as measured; empty if the engine does not provide it. It has the
 *     name of the standard profile with the same split, otherwise {@code CUSTOM}
 * @param onlineProfile whether a profile can be applied without a restart (the plug-in is loaded)
 * @param settings current values of the settings that can be changed online
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

  /** A node of an engine in which only profiles can be changed. */
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
