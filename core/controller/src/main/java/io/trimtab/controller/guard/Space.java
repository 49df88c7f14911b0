package io.trimtab.controller.guard;

import io.trimtab.controller.ring.PlacementModel;
import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.ActionVisitor;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.DiskSpace;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Whether the data of a plan fit on the disks of the nodes that get them. What is not known refuses
 * nothing: a node whose capacity or use is unknown is not checked.
 *
 * <p>Bytes are doubles, whose sums can't overflow.
 */
final class Space implements ActionVisitor<Void, RuntimeException> {
  private static final String SETTING = "guard.maxDiskUsed";

  private final ClusterSnapshot before;
  private final GuardSettings guard;
  private final boolean ring;

  /** Nodes by placeholders, if they have joined. */
  private final Map<NodeId, NodeId> added;

  /** Where partitions are after the actions so far. */
  private final Map<PartitionId, NodeId> places = new HashMap<>();

  /** Bytes that come to a node; none ever go, since old files are deleted late. */
  private final Map<NodeId, Double> gained = new TreeMap<>();

  /** Sizes of the partitions that are compacted on a node. */
  private final Map<NodeId, List<Double>> compacted = new TreeMap<>();

  private final Set<NodeId> leaving = new TreeSet<>();
  private final Set<NodeId> joining = new TreeSet<>();
  private final Map<NodeId, NodeId> replacing = new TreeMap<>();

  private Space(ClusterSnapshot before, Map<NodeId, NodeId> added, GuardSettings guard) {
    this.before = before;
    this.added = added;
    this.guard = guard;
    this.ring = !PlacementModel.of(before).assignsPartitions();
  }

  /**
   * The first node, by name, that a plan would fill above the limit; then what leaves.
   *
   * @param actions the plan's, or those that are about to begin
   * @param before the cluster before they begin
   * @param added nodes that have joined by the plan's placeholders
   */
  static Optional<Guard.Verdict.Refuse> lacking(
      Iterable<PlannedAction> actions,
      ClusterSnapshot before,
      Map<NodeId, NodeId> added,
      GuardSettings guard) {
    Space space = new Space(before, added, guard);
    actions.forEach(planned -> planned.action().accept(space));
    if (space.ring) {
      space.bootstrap();
    }
    return space.tooFull().or(space::noRoom);
  }

  /**
   * In a ring a new node streams its share of all data, a replacement that of the dead one. Nodes
   * join one after the other: a share is that of the first, before the others have theirs.
   */
  private void bootstrap() {
    OptionalDouble stored =
        before.liveNodes().stream()
            .map(node -> node.gauges().disk().storedBytes())
            .filter(bytes -> bytes >= 0)
            .mapToDouble(bytes -> bytes)
            .average();
    if (stored.isEmpty()) {
      return;
    }
    int live = before.liveNodes().size();
    double share = stored.getAsDouble() * live / (live + 1);
    joining.forEach(node -> gained.merge(node, share, Double::sum));
    replacing.forEach(
        (node, dead) -> {
          double bytes = before.node(dead).map(n -> n.gauges().disk().storedBytes()).orElse(-1L);
          gained.merge(node, bytes >= 0 ? bytes : stored.getAsDouble(), Double::sum);
        });
  }

  private Optional<Guard.Verdict.Refuse> tooFull() {
    Set<NodeId> nodes = new TreeSet<>(gained.keySet());
    nodes.addAll(compacted.keySet());
    for (NodeId node : nodes) {
      DiskSpace disk = disk(node);
      double more = gained.getOrDefault(node, 0.0) + headroom(node);
      double share = (disk.usedBytes() + more) / disk.capacityBytes();
      if (disk.known() && more > 0 && share > guard.maxDiskUsed()) {
        return Optional.of(
            refuse(
                "the disks of node %s would be %s full with the plan's data and compactions,"
                        .formatted(node, percent(share))
                    + " more than "
                    + percent(guard.maxDiskUsed())));
      }
    }
    return Optional.empty();
  }

  /** Old and new files are there together until a compaction ends; so many run at once. */
  private double headroom(NodeId node) {
    return compacted.getOrDefault(node, List.of()).stream()
        .sorted(Comparator.reverseOrder())
        .limit(guard.maxConcurrentMoves())
        .mapToDouble(bytes -> bytes)
        .sum();
  }

  /** What leaving nodes store must fit below the limit on those that stay and that join. */
  private Optional<Guard.Verdict.Refuse> noRoom() {
    double left =
        leaving.stream().map(this::disk).mapToDouble(d -> Math.max(0, d.storedBytes())).sum();
    if (left <= 0) {
      return Optional.empty();
    }
    List<NodeId> staying = new ArrayList<>(joining);
    before.liveNodes().stream()
        // What leaves a ring gets nothing any more; one that can't be read may be about to die.
        .filter(node -> node.readable() && !(ring && node.draining()))
        .map(NodeState::id)
        .filter(id -> !leaving.contains(id))
        .forEach(staying::add);
    return ring ? noRoomForShares(staying, left) : noRoomTogether(staying, left);
  }

  /**
   * A ring gives every other node a part, also one that is full already. Which part depends on the
   * tokens; what is checked is the same one for each.
   */
  private Optional<Guard.Verdict.Refuse> noRoomForShares(List<NodeId> staying, double left) {
    for (NodeId node : staying) {
      DiskSpace disk = disk(node);
      double more = gained.getOrDefault(node, 0.0) + left / staying.size();
      double share = (disk.usedBytes() + more) / disk.capacityBytes();
      if (disk.known() && share > guard.maxDiskUsed()) {
        return Optional.of(
            refuse(
                "the disks of node %s would be %s full with its part of what node %s stores,"
                        .formatted(node, percent(share), names(leaving))
                    + " more than "
                    + percent(guard.maxDiskUsed())));
      }
    }
    return Optional.empty();
  }

  /** The file system puts new copies where there is room. */
  private Optional<Guard.Verdict.Refuse> noRoomTogether(List<NodeId> staying, double left) {
    double room = 0;
    double used = left;
    double capacity = 0;
    for (NodeId node : staying) {
      DiskSpace disk = disk(node);
      if (!disk.known()) {
        // It may have room for everything.
        return Optional.empty();
      }
      double below = guard.maxDiskUsed() * disk.capacityBytes() - disk.usedBytes();
      if (below > 0) {
        room += below;
        used += disk.usedBytes();
        capacity += disk.capacityBytes();
      }
    }
    if (left <= room) {
      return Optional.empty();
    }
    String who = names(leaving);
    String most = percent(guard.maxDiskUsed());
    return Optional.of(
        refuse(
            capacity == 0
                ? "no other node has room for the data of node %s below %s".formatted(who, most)
                : ("with the data of node %s the disks of the other nodes would be %s full,"
                        + " more than %s")
                    .formatted(who, percent(used / capacity), most)));
  }

  private static String names(Set<NodeId> nodes) {
    return String.join(", ", nodes.stream().map(NodeId::name).toList());
  }

  private DiskSpace disk(NodeId node) {
    return disk(before, node, guard);
  }

  /** That of a new node is empty, and has the capacity of the setting. */
  static DiskSpace disk(ClusterSnapshot seen, NodeId node, GuardSettings guard) {
    Optional<DiskSpace> read = seen.node(node).map(state -> state.gauges().disk());
    if (guard.nodeDiskGiB() == null) {
      return read.orElse(DiskSpace.UNKNOWN);
    }
    long capacity = (long) guard.nodeDiskGiB() << 30;
    return read.map(disk -> disk.orOf(capacity)).orElse(new DiskSpace(capacity, 0, 0));
  }

  /** Rounded up, so that what is above a limit never reads as if it were at it. */
  private static String percent(double share) {
    double tenths = Math.ceil(share * 1000 - 1e-6) / 10;
    return tenths == Math.rint(tenths)
        ? "%d %%".formatted((long) tenths)
        : String.format(Locale.ROOT, "%.1f %%", tenths);
  }

  private static Guard.Verdict.Refuse refuse(String reason) {
    return new Guard.Verdict.Refuse(reason, SETTING);
  }

  private NodeId now(NodeId planned) {
    return added.getOrDefault(planned, planned);
  }

  private boolean joined(NodeId placeholder) {
    return before.node(now(placeholder)).filter(NodeState::alive).isPresent();
  }

  /** 0 for a partition that the plan itself makes: its bytes are in what it is made of. */
  private double size(PartitionId partition) {
    return before.partition(partition).map(PartitionState::sizeBytes).orElse(0L);
  }

  @Override
  public Void move(Action.Move move) {
    NodeId to = now(move.to());
    // What comes home after a restart, or is there already, brings nothing.
    if (before
        .partition(move.partition())
        .flatMap(PartitionState::node)
        .filter(to::equals)
        .isEmpty()) {
      gained.merge(to, size(move.partition()), Double::sum);
    }
    places.put(move.partition(), to);
    return null;
  }

  /** How many of its bytes are in the right half is not known: at most all. */
  @Override
  public Void split(Action.Split split) {
    gained.merge(now(split.rightTo()), size(split.partition()), Double::sum);
    return null;
  }

  @Override
  public Void compact(Action.Compact compact) {
    PartitionId id = compact.partition();
    Optional.ofNullable(places.get(id))
        .or(() -> before.partition(id).flatMap(PartitionState::node))
        .ifPresent(at -> compacted.computeIfAbsent(at, n -> new ArrayList<>()).add(size(id)));
    return null;
  }

  @Override
  public Void addNode(Action.AddNode add) {
    if (!joined(add.placeholder())) {
      joining.add(add.placeholder());
    }
    return null;
  }

  @Override
  public Void replaceNode(Action.ReplaceNode replace) {
    if (!joined(replace.placeholder())) {
      replacing.put(replace.placeholder(), replace.dead());
    }
    return null;
  }

  @Override
  public Void removeNode(Action.RemoveNode remove) {
    // One that is leaving a ring goes on whatever a plan does, and has given others its data.
    if (!ring || before.node(remove.node()).filter(NodeState::draining).isEmpty()) {
      leaving.add(remove.node());
    }
    return null;
  }

  // These bring no data to a node.

  @Override
  public Void merge(Action.Merge merge) {
    return null;
  }

  @Override
  public Void reconfigure(Action.Reconfigure change) {
    return null;
  }

  @Override
  public Void setNode(Action.SetNode set) {
    return null;
  }

  @Override
  public Void setBlockSize(Action.SetBlockSize size) {
    return null;
  }

  @Override
  public Void cleanup(Action.Cleanup cleanup) {
    return null;
  }

  @Override
  public Void drainNode(Action.DrainNode drain) {
    return null;
  }
}
