package io.trimtab.engineapi.snapshot;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeSetting;
import io.trimtab.engineapi.Profile;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

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
 * @param read how far it could be read
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
    List<String> maintenance,
    NodeRead read) {
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
    read = read == null ? NodeRead.WHOLE : read;
  }

  /** A node that was read whole. */
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
      String rack,
      Optional<CoordinatorView> view,
      List<String> maintenance) {
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
        view,
        maintenance,
        NodeRead.WHOLE);
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

  /** Whether it could be read; also true of a dead node, which there is no need to read. */
  public boolean readable() {
    return read.failure().isEmpty();
  }

  /** The same node with what was measured of it. */
  public NodeState with(NodeUsage measured, NodeGauges given) {
    return but(
        copy -> {
          copy.usage = measured;
          copy.gauges = given;
        });
  }

  /** The same node with another memory split. */
  public NodeState with(Profile other) {
    return but(copy -> copy.profile = Optional.of(other));
  }

  /** The same node with other values of its settings. */
  public NodeState with(Map<NodeSetting, Integer> other) {
    return but(copy -> copy.settings = other);
  }

  /** The same node at a place. */
  public NodeState in(String itsDataCentre, String itsRack) {
    return but(
        copy -> {
          copy.dataCentre = itsDataCentre;
          copy.rack = itsRack;
        });
  }

  /** The same node with what it knows of replicas. */
  public NodeState with(CoordinatorView other) {
    return but(copy -> copy.view = Optional.of(other));
  }

  /** The same node, busy with other work beside serving. */
  public NodeState busyWith(List<String> work) {
    return but(copy -> copy.maintenance = work);
  }

  /** The same node, read in another way. */
  public NodeState with(NodeRead other) {
    return but(copy -> copy.read = other);
  }

  private NodeState but(Consumer<Copy> change) {
    Copy copy = new Copy(this);
    change.accept(copy);
    return new NodeState(
        id,
        incarnation,
        alive,
        draining,
        copy.profile,
        onlineProfile,
        copy.usage,
        copy.gauges,
        copy.settings,
        copy.dataCentre,
        copy.rack,
        copy.view,
        copy.maintenance,
        copy.read);
  }

  /** What may be other in a copy. */
  private static final class Copy {
    private Optional<Profile> profile;
    private NodeUsage usage;
    private NodeGauges gauges;
    private Map<NodeSetting, Integer> settings;
    private String dataCentre;
    private String rack;
    private Optional<CoordinatorView> view;
    private List<String> maintenance;
    private NodeRead read;

    Copy(NodeState same) {
      profile = same.profile;
      usage = same.usage;
      gauges = same.gauges;
      settings = same.settings;
      dataCentre = same.dataCentre;
      rack = same.rack;
      view = same.view;
      maintenance = same.maintenance;
      read = same.read;
    }
  }
}
