package io.trimtab.controller.place;

import io.trimtab.controller.observe.Frozen;
import io.trimtab.controller.observe.Partitions;
import io.trimtab.controller.settings.PlaceSettings;
import io.trimtab.controller.settings.TableSettings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a cluster can be made of. Nodes have indexes too, by name: those that there shall be, and
 * those that have partitions now.
 */
public final class PlacementInput {
  private final ClusterSnapshot snapshot;
  private final Partitions partitions;
  private final List<NodeId> nodes;
  private final PlaceSettings settings;
  private final NodeId[] names;
  private final Map<NodeId, Integer> indexes = new HashMap<>();
  private final int[] at;
  private final boolean[] fixed;
  private final boolean[] stays;

  /** By node. */
  private final boolean[] holdsFixed;

  private final Frozen frozen;
  private final Balancer balancer;

  /** As below, with nothing that plans have changed to and fro. */
  public PlacementInput(
      ClusterSnapshot snapshot,
      Partitions partitions,
      List<NodeId> nodes,
      PlaceSettings settings,
      TableSettings tables) {
    this(snapshot, partitions, nodes, settings, tables, Frozen.NONE);
  }

  /**
   * @param partitions of the snapshot
   * @param nodes that there shall be, those to be added by their placeholders
   * @param tables which of them have partitions that may be moved
   * @param frozen what is left as it is all the same
   */
  public PlacementInput(
      ClusterSnapshot snapshot,
      Partitions partitions,
      List<NodeId> nodes,
      PlaceSettings settings,
      TableSettings tables,
      Frozen frozen) {
    this.frozen = frozen;
    this.snapshot = snapshot;
    this.partitions = partitions;
    this.nodes = nodes;
    this.settings = settings;
    Set<NodeId> all = new HashSet<>(nodes);
    for (int p = 0; p < partitions.size(); p++) {
      partitions.state(p).node().ifPresent(all::add);
    }
    names = all.toArray(new NodeId[0]);
    Arrays.sort(names);
    for (int n = 0; n < names.length; n++) {
      indexes.put(names[n], n);
    }
    at = new int[partitions.size()];
    for (int p = 0; p < at.length; p++) {
      at[p] = partitions.state(p).node().map(indexes::get).orElse(-1);
    }
    fixed = new boolean[at.length];
    stays = new boolean[at.length];
    holdsFixed = new boolean[names.length];
    fix(tables);
    balancer = new RequestBalancer(partitions, true);
  }

  private PlacementInput(PlacementInput same, Balancer balancer) {
    snapshot = same.snapshot;
    partitions = same.partitions;
    nodes = same.nodes;
    settings = same.settings;
    names = same.names;
    indexes.putAll(same.indexes);
    at = same.at;
    fixed = same.fixed;
    stays = same.stays;
    holdsFixed = same.holdsFixed;
    frozen = same.frozen;
    this.balancer = balancer;
  }

  /** The same with partitions of a group shared out in another way. */
  public PlacementInput with(Balancer other) {
    return new PlacementInput(this, other);
  }

  /** Each table is asked for once. */
  private void fix(TableSettings tables) {
    Map<String, Boolean> byTable = new HashMap<>();
    Set<NodeId> staying = new HashSet<>(nodes);
    for (int p = 0; p < fixed.length; p++) {
      fixed[p] =
          byTable.computeIfAbsent(
              partitions.state(p).id().table(), table -> tables.keeps(snapshot, table).isPresent());
      boolean left = fixed[p] || frozen.partitions().contains(partitions.state(p).id());
      if (left && at[p] >= 0) {
        holdsFixed[at[p]] = true;
        stays[p] = staying.contains(names[at[p]]);
      }
    }
  }

  public ClusterSnapshot snapshot() {
    return snapshot;
  }

  public Partitions partitions() {
    return partitions;
  }

  /** Those that there shall be, in the order in which they were given. */
  public List<NodeId> nodes() {
    return nodes;
  }

  public PlaceSettings settings() {
    return settings;
  }

  /** All nodes that have an index. */
  public int nodeCount() {
    return names.length;
  }

  public NodeId name(int node) {
    return names[node];
  }

  /** The index of a node that has one. */
  public int indexOf(NodeId node) {
    return indexes.get(node);
  }

  /** The node that serves a partition now; -1 for none. */
  public int at(int partition) {
    return at[partition];
  }

  /**
   * Whether nothing of a partition's table may be changed: it stays where it is, as load of its
   * node.
   */
  public boolean fixed(int partition) {
    return fixed[partition];
  }

  /**
   * Whether a partition stays where it is whatever else is placed where. One that is fixed on a
   * node that leaves does not; the guard refuses such a plan.
   */
  boolean stays(int partition) {
    return stays[partition];
  }

  /** Whether a node serves a partition that must stay there, and so is never emptied. */
  boolean holdsFixed(int node) {
    return holdsFixed[node];
  }

  /** Whether a node's profile must not be changed. */
  boolean keepsProfile(NodeId node) {
    return frozen.profiles().contains(node);
  }

  /** What is balanced within a group; requests unless something else was chosen. */
  Balancer balancer() {
    return balancer;
  }

  /** What is known of a node; empty for one to be added. */
  public Optional<NodeState> node(NodeId id) {
    return snapshot.node(id);
  }

  /** How a node is configured now; null where that is unknown. */
  Profile current(NodeId id) {
    return node(id).flatMap(NodeState::profile).orElse(null);
  }
}
