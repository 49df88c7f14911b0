package io.trimtab.testkit.oracle;

import io.trimtab.engineapi.KeyRange;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeSetting;
import io.trimtab.engineapi.Ownership;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a plan makes of a snapshot, action by action, and what is wrong with each action at its
 * turn. An implementation of its own, so that it does not share the planner's errors.
 */
final class PlanWalk {
  /** A node as the plan leaves it. */
  static final class WalkedNode {
    boolean alive;
    boolean draining;
    boolean drainedByPlan;
    Optional<Profile> profile;
    final Map<NodeSetting, Integer> settings = new EnumMap<>(NodeSetting.class);
  }

  /**
   * A partition as the plan leaves it; halves and merged ones have no id that a plan could know.
   */
  static final class Part {
    final KeyRange range;
    NodeId node;
    private NodeId lastLeft;
    private int movedAt;

    Part(KeyRange range, NodeId node) {
      this.range = range;
      this.node = node;
    }
  }

  final NavigableMap<NodeId, WalkedNode> nodes = new TreeMap<>();

  /** By table, then by first key. */
  final NavigableMap<String, NavigableMap<RowKey, Part>> tables = new TreeMap<>();

  private final Map<PartitionId, Part> named = new HashMap<>();
  private final Map<String, Integer> blockSizes = new HashMap<>();
  private final Map<NodeId, Integer> restartedAt = new HashMap<>();
  private final Map<NodeId, Integer> held = new HashMap<>();
  private final boolean ring;
  private final int replication;
  private final List<String> wrong = new ArrayList<>();
  private int step;
  private int ordinals;

  PlanWalk(ClusterSnapshot before) {
    ring = before.ownership() == Ownership.TOKENS;
    replication = before.replication();
    for (NodeState n : before.nodes()) {
      WalkedNode node = new WalkedNode();
      node.alive = n.alive();
      node.draining = n.draining();
      node.profile = n.profile();
      node.settings.putAll(n.settings());
      nodes.put(n.id(), node);
    }
    for (PartitionState p : before.partitions()) {
      Part part = new Part(p.range(), p.node().orElse(null));
      named.put(p.id(), part);
      blockSizes.putIfAbsent(p.id().table(), p.blockSizeBytes());
      if (!ring) {
        tables.computeIfAbsent(p.id().table(), t -> new TreeMap<>()).put(p.range().start(), part);
        count(part.node, 1);
      }
    }
  }

  private void count(NodeId node, int by) {
    if (node != null) {
      held.merge(node, by, Integer::sum);
    }
  }

  private void say(String text, Object... arguments) {
    wrong.add(text.formatted(arguments));
  }

  /** Takes one step; what is wrong with it. A wrong step is taken as far as that makes sense. */
  List<String> take(PlannedAction planned) {
    wrong.clear();
    step = planned.step();
    planned.action().accept(new PlanStep(this));
    return List.copyOf(wrong);
  }

  /** The node, alive; null, and a sentence, where it is not. */
  WalkedNode live(NodeId id) {
    WalkedNode node = nodes.get(id);
    if (node == null) {
      say("node %s does not exist at that step", id);
    } else if (!node.alive) {
      say("node %s is dead", id);
    } else {
      return node;
    }
    return null;
  }

  private void target(NodeId id) {
    WalkedNode node = live(id);
    if (node != null && node.draining) {
      say("node %s is draining and takes no partitions", id);
    }
  }

  private Part part(PartitionId id) {
    Part part = named.get(id);
    if (part == null) {
      say("partition %s does not exist at that step", id);
    }
    return part;
  }

  private boolean refuseRing() {
    if (ring) {
      say("data are placed by tokens: nothing can be moved, split, merged or drained");
    }
    return ring;
  }

  void move(Action.Move move) {
    Part part = part(move.partition());
    if (part == null || refuseRing()) {
      return;
    }
    target(move.to());
    if (!move.from().equals(part.node)) {
      say("partition %s is on %s, not on %s", move.partition(), part.node, move.from());
    }
    if (move.from().equals(move.to())) {
      say("partition %s is moved to where it is", move.partition());
    }
    // Twice is right where it made way for a restart: of the node that it left, or of the one where
    // it waited.
    boolean madeWay = restarted(part.lastLeft, part.movedAt) || restartsLater.contains(move.from());
    if (part.lastLeft != null && !madeWay) {
      say("partition %s is moved twice, and no restart is the reason", move.partition());
    }
    part.lastLeft = part.node;
    part.movedAt = step;
    count(part.node, -1);
    part.node = move.to();
    count(part.node, 1);
  }

  /** Nodes whose restart is still to come. */
  java.util.Set<NodeId> restartsLater = new java.util.HashSet<>();

  private boolean restarted(NodeId node, int since) {
    return restartedAt.getOrDefault(node, 0) > since;
  }

  void split(Action.Split split) {
    Part part = part(split.partition());
    if (part == null || refuseRing()) {
      return;
    }
    target(split.rightTo());
    if (!split.at().equals(part.node)) {
      say("partition %s is on %s, not on %s", split.partition(), part.node, split.at());
    }
    if (!(split.leftShare() > 0 && split.leftShare() < 1)) {
      say("the left share is %s, not in (0, 1)", split.leftShare());
    }
    if (!part.range.splitsAt(split.key())) {
      say("the key %s is not strictly inside %s", split.key(), part.range);
      return;
    }
    named.remove(split.partition());
    NavigableMap<RowKey, Part> table = tables.get(split.partition().table());
    table.put(
        part.range.start(), new Part(new KeyRange(part.range.start(), split.key()), part.node));
    table.put(split.key(), new Part(new KeyRange(split.key(), part.range.end()), split.rightTo()));
    count(split.rightTo(), 1);
  }

  void merge(Action.Merge merge) {
    Part left = part(merge.left());
    Part right = part(merge.right());
    if (left == null || right == null || refuseRing()) {
      return;
    }
    if (!merge.left().table().equals(merge.right().table())) {
      say("%s and %s are of two tables", merge.left(), merge.right());
      return;
    }
    if (!left.range.touches(right.range)) {
      say("%s and %s are not neighbours", merge.left(), merge.right());
      return;
    }
    KeyRange both = new KeyRange(left.range.start(), right.range.end());
    if (!merge.range().equals(both) || !merge.boundary().equals(right.range.start())) {
      say("the range of both is %s, not %s", both, merge.range());
    }
    named.remove(merge.left());
    named.remove(merge.right());
    NavigableMap<RowKey, Part> table = tables.get(merge.left().table());
    table.remove(right.range.start());
    table.put(both.start(), new Part(both, left.node));
    count(right.node, -1);
  }

  void reconfigure(Action.Reconfigure change) {
    WalkedNode node = live(change.node());
    if (node == null) {
      return;
    }
    if (node.profile.filter(p -> !p.sameMemory(change.from())).isPresent()) {
      say("node %s has %s, not %s", change.node(), node.profile.get(), change.from());
    }
    if (change.from().sameMemory(change.to())) {
      say("node %s has that profile already", change.node());
    }
    if (change.way() == Action.ApplyMode.RESTART) {
      emptied(change.node(), "restarts");
      restartedAt.put(change.node(), step);
      restartsLater.remove(change.node());
    }
    node.profile = Optional.of(change.to());
  }

  private void emptied(NodeId node, String what) {
    int serves = held.getOrDefault(node, 0);
    if (serves > 0) {
      say("node %s %s and still serves %d partitions", node, what, serves);
    }
  }

  void set(Action.SetNode set) {
    WalkedNode node = live(set.node());
    if (node == null) {
      return;
    }
    Integer has = node.settings.get(set.setting());
    if (has == null) {
      say("node %s has no %s to set", set.node(), set.setting().title());
    } else if (has != set.from()) {
      say("the %s of node %s is %d, not %d", set.setting().title(), set.node(), has, set.from());
    }
    if (set.to() < 0 || set.to() == set.from()) {
      say("the %s of node %s can't become %d", set.setting().title(), set.node(), set.to());
    }
    node.settings.put(set.setting(), set.to());
  }

  void blockSize(Action.SetBlockSize size) {
    Integer has = blockSizes.get(size.table());
    if (has == null) {
      say("table %s does not exist", size.table());
    } else if (has != size.fromBytes()) {
      say("the block size of table %s is %d, not %d", size.table(), has, size.fromBytes());
    }
    if (size.toBytes() <= 0 || size.toBytes() == size.fromBytes()) {
      say("the block size of table %s can't become %d", size.table(), size.toBytes());
    }
    blockSizes.put(size.table(), size.toBytes());
  }

  void compact(Action.Compact compact) {
    part(compact.partition());
    double below = compact.belowLocality();
    if (!(below >= 0 && below <= 1) && below != Action.Compact.ALWAYS) {
      say("a locality below %s can't be asked for", below);
    }
  }

  void add(int ordinal, NodeId placeholder, Profile profile) {
    ordinals++;
    if (ordinal != ordinals || nodes.containsKey(placeholder)) {
      say("new node number %d is named %s", ordinals, placeholder);
    }
    WalkedNode node = new WalkedNode();
    node.alive = true;
    node.profile = Optional.of(profile);
    nodes.put(placeholder, node);
  }

  void replace(Action.ReplaceNode replace) {
    WalkedNode dead = nodes.get(replace.dead());
    if (dead == null) {
      say("node %s does not exist at that step", replace.dead());
    } else if (dead.alive) {
      say("node %s is alive, and is not replaced", replace.dead());
    }
    if (!ring) {
      say("the engine itself gives a dead node's data to others");
    }
    nodes.remove(replace.dead());
    add(replace.ordinal(), replace.placeholder(), replace.profile());
  }

  void drain(NodeId id) {
    WalkedNode node = live(id);
    if (node != null && !refuseRing()) {
      node.drainedByPlan = !node.draining;
      node.draining = true;
    }
  }

  void remove(NodeId id) {
    WalkedNode node = nodes.remove(id);
    if (node == null) {
      say("node %s does not exist at that step", id);
      return;
    }
    emptied(id, "is removed");
    long left = nodes.values().stream().filter(n -> n.alive).count();
    if (node.alive && left < replication) {
      say("%d live nodes are left, fewer than %d copies", left, replication);
    }
    if (left == 0) {
      say("no live node is left");
    }
  }
}
