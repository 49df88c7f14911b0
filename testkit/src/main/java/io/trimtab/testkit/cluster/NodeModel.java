package io.trimtab.testkit.cluster;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeSetting;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.DiskSpace;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A node's process and what it has; guarded by its {@link ClusterState}. */
final class NodeModel {
  final NodeId id;

  /** The same object in every snapshot. */
  final Optional<NodeId> some;

  /** Of its noise and of its draws; its name's, so that the order of events does not matter. */
  final long seed;

  final Map<NodeSetting, Integer> settings = new EnumMap<>(NodeSetting.class);
  private final Map<PartitionId, PartitionModel> serves = new TreeMap<>();

  /** What it serves, by id; null until asked for after a change. */
  private PartitionModel[] served;

  final List<Long> tokens = new ArrayList<>();
  Profile profile;

  /** What its next start finds. */
  Profile persisted;

  long incarnation;
  boolean alive;
  boolean draining;

  /** Known to the others; false before a new node has joined and after it has left a ring. */
  boolean member = true;

  /** Its stop, ordered before it had joined, came when it had. */
  boolean stoppedAsMember;

  /** Of a ring with racks; otherwise empty. */
  String rack = "";

  /** The node in whose place it came, until that is removed. */
  NodeModel instead;

  /** What it serves, or its cache, is other than at the last draw. */
  boolean changed = true;

  /** Seconds since its hit ratios were drawn. */
  double sinceDraw = Double.POSITIVE_INFINITY;

  /** What it does beside serving, if a test says so. */
  List<String> work = List.of();

  /** Unknown unless a test sets it. */
  DiskSpace disk = DiskSpace.UNKNOWN;

  double cpu;
  double ioWait;

  /** Of its machine, per core; NaN until it has served. */
  double load5 = Double.NaN;

  /** Requests that it has served. */
  double requests;

  /** What its scarcest resource is asked for, as a share of what it has; above 1 it is too much. */
  double demand;

  /** Response time of clients that wait for answers; NaN of others. */
  double meanMs = Double.NaN;

  double hits;
  double misses;
  double cacheUsed;

  NodeModel(NodeId id, Profile profile, long seed) {
    this.id = id;
    this.some = Optional.of(id);
    this.seed = seed * 0x9E3779B97F4A7C15L + id.name().hashCode();
    this.profile = profile;
    this.persisted = profile;
  }

  /** A new process: nothing counted, nothing cached. */
  void begin(long number) {
    incarnation = number;
    alive = true;
    stoppedAsMember = false;
    profile = persisted;
    requests = 0;
    demand = 0;
    hits = 0;
    misses = 0;
    cpu = 0;
    ioWait = 0;
    changed = true;
    for (PartitionModel p : serves()) {
      p.reopened();
    }
  }

  /** What it serves, by id; asked for at each step of time, and changed by few. */
  PartitionModel[] serves() {
    if (served == null) {
      served = serves.values().toArray(new PartitionModel[0]);
    }
    return served;
  }

  void open(PartitionModel p) {
    serves.put(p.id, p);
    served = null;
    changed = true;
  }

  void close(PartitionModel p) {
    serves.remove(p.id);
    served = null;
    changed = true;
  }

  /** Of a ring: whether it joins, or leaves. */
  boolean changesRing() {
    boolean joins = !member && !alive && !tokens.isEmpty();
    return joins || (member && alive && draining);
  }

  boolean takesPartitions() {
    return alive && member && !draining;
  }
}
