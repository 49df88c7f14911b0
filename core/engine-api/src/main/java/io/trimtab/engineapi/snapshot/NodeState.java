package io.trimtab.engineapi.snapshot;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeSetting;
import io.trimtab.engineapi.Profile;
import java.util.Collections;
import java.util.List;
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
 * @param dataCentre the data centre it is in; empty if the engine knows none
 * @param rack its rack within the data centre; empty if the engine knows none
 * @param view how it ranks the replicas of reads; empty if it does not, or the engine can't tell
 * @param maintenance what it does beside serving that was asked for and ends by itself, in words
 *     that stand after "is busy with": "repair", "major compaction of 3 regions"; empty too if the
 *     engine can't tell. Flushes and compactions of small files, which come with writes, are none
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
    Map<NodeSetting, Integer> settings,
    String dataCentre,
    String rack,
    Optional<CoordinatorView> view,
    List<String> maintenance) {
  public NodeState {
    // Older recordings know none.
    settings =
        settings == null || settings.isEmpty()
            ? Map.of()
            : Collections.unmodifiableMap(new TreeMap<>(settings));
    dataCentre = dataCentre == null ? "" : dataCentre;
    rack = rack == null ? "" : rack;
    view = view == null ? Optional.empty() : view;
    maintenance = maintenance == null ? List.of() : List.copyOf(maintenance);
  }

  /** A node that does not rank replicas, and does nothing beside serving. */
  public NodeState(
      NodeId id,
      long incarnation,
      boolean alive,
      boolean draining,
      Optional<Profile> profile,
      boolean onlineProfile,
      NodeUsage usage,
      NodeGauges gauges,
      Map<NodeSetting, Integer> settings,
      String dataCentre,
      String rack) {
    this(
        id,
        incarnation,
        alive,
        draining,
        profile,
        onlineProfile,
        usage,
        gauges,
        settings,
        dataCentre,
        rack,
        Optional.empty(),
        List.of());
  }

  /** A node of an engine that knows neither data centres nor racks. */
  public NodeState(
      NodeId id,
      long incarnation,
      boolean alive,
      boolean draining,
      Optional<Profile> profile,
      boolean onlineProfile,
      NodeUsage usage,
      NodeGauges gauges,
      Map<NodeSetting, Integer> settings) {
    this(id, incarnation, alive, draining, profile, onlineProfile, usage, gauges, settings, "", "");
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

  /** The same node with what was measured of it. */
  public NodeState with(NodeUsage measured, NodeGauges read) {
    return copy(profile, measured, read, settings, dataCentre, rack, view, maintenance);
  }

  /** The same node with another memory split. */
  public NodeState with(Profile other) {
    return copy(Optional.of(other), usage, gauges, settings, dataCentre, rack, view, maintenance);
  }

  /** The same node with other values of its settings. */
  public NodeState with(Map<NodeSetting, Integer> other) {
    return copy(profile, usage, gauges, other, dataCentre, rack, view, maintenance);
  }

  /** The same node at a place. */
  public NodeState in(String itsDataCentre, String itsRack) {
    return copy(profile, usage, gauges, settings, itsDataCentre, itsRack, view, maintenance);
  }

  /** The same node with what it knows of replicas. */
  public NodeState with(CoordinatorView other) {
    return copy(
        profile, usage, gauges, settings, dataCentre, rack, Optional.of(other), maintenance);
  }

  /** The same node, busy with other work beside serving. */
  public NodeState busyWith(List<String> work) {
    return copy(profile, usage, gauges, settings, dataCentre, rack, view, work);
  }

  private NodeState copy(
      Optional<Profile> itsProfile,
      NodeUsage itsUsage,
      NodeGauges itsGauges,
      Map<NodeSetting, Integer> itsSettings,
      String itsDataCentre,
      String itsRack,
      Optional<CoordinatorView> itsView,
      List<String> itsMaintenance) {
    return new NodeState(
        id,
        incarnation,
        alive,
        draining,
        itsProfile,
        onlineProfile,
        itsUsage,
        itsGauges,
        itsSettings,
        itsDataCentre,
        itsRack,
        itsView,
        itsMaintenance);
  }
}
