package io.trimtab.controller.guard;

import io.trimtab.controller.ring.PlacementModel;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.ActionVisitor;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.plan.PlannedAction;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * What of a plan the guard's limits are about. A visitor of all actions, so that a new one has to
 * say what it counts as before anything compiles.
 */
final class PlanTally implements ActionVisitor<Void, RuntimeException> {
  private final Set<NodeId> replaced = new TreeSet<>();
  private final Set<NodeId> removed = new TreeSet<>();
  private final Set<String> tables = new TreeSet<>();
  private final Set<String> blockSizes = new TreeSet<>();
  private final ClusterSnapshot before;
  private int moved;
  private int splits;
  private int merges;
  private int compactions;
  private long bytes;
  private int added;
  private int restarted;

  /** Live nodes after the actions so far, and the fewest after any of them. */
  private int live;

  private int fewest;

  private PlanTally(ClusterSnapshot before) {
    this.before = before;
    this.live = before.liveNodes().size();
    this.fewest = live;
  }

  /**
   * Counts.
   *
   * @param before the cluster that the plan is for, which knows the partitions' sizes
   */
  static PlanTally of(Plan plan, ClusterSnapshot before) {
    return of(plan.actions(), before);
  }

  /** As for a plan. */
  static PlanTally of(List<PlannedAction> actions, ClusterSnapshot before) {
    PlanTally tally = new PlanTally(before);
    actions.forEach(planned -> planned.action().accept(tally));
    return tally;
  }

  /** Partitions, or halves of them, that go to another node. */
  int moved() {
    return moved;
  }

  /**
   * Tables of which something is moved or changed, by name; where the nodes of partitions are
   * chosen, those of the live nodes that are stopped, too.
   */
  Set<String> tables() {
    return tables;
  }

  int splits() {
    return splits;
  }

  int merges() {
    return merges;
  }

  int compactions() {
    return compactions;
  }

  /** Tables whose block size changes. */
  int blockSizes() {
    return blockSizes.size();
  }

  /** Bytes of partitions that are moved, split or compacted, each as often as that happens. */
  long bytes() {
    return bytes;
  }

  /** Nodes that make the cluster larger. */
  int added() {
    return added;
  }

  /** Nodes that must be started, in addition to or in place of others. */
  int started() {
    return added + replaced.size();
  }

  /** That they must be started, as the beginning of a sentence. */
  String starts() {
    String dead = replaced.size() == 1 ? "a dead one" : "dead ones";
    return "the plan adds "
        + Counted.of(started(), "node")
        + (added > 0 && !replaced.isEmpty() ? ", " + replaced.size() : "")
        + (replaced.isEmpty() ? "" : " in place of " + dead);
  }

  int removed() {
    return removed.size();
  }

  /** Live nodes when there are fewest, step by step. */
  int fewest() {
    return fewest;
  }

  /** Nodes that make the cluster smaller. */
  Set<NodeId> removedNodes() {
    return Set.copyOf(removed);
  }

  int restarted() {
    return restarted;
  }

  /** Dead nodes that are replaced. */
  Set<NodeId> replaced() {
    return Set.copyOf(replaced);
  }

  @Override
  public Void move(Action.Move move) {
    moved++;
    add(move.partition());
    return null;
  }

  @Override
  public Void split(Action.Split split) {
    moved++;
    splits++;
    add(split.partition());
    return null;
  }

  @Override
  public Void reconfigure(Action.Reconfigure change) {
    if (change.way() == Action.ApplyMode.RESTART) {
      restarted++;
      stops(change.node());
    }
    return null;
  }

  @Override
  public Void addNode(Action.AddNode add) {
    added++;
    live++;
    return null;
  }

  @Override
  public Void replaceNode(Action.ReplaceNode replace) {
    replaced.add(replace.dead());
    return null;
  }

  @Override
  public Void removeNode(Action.RemoveNode remove) {
    if (removed.add(remove.node()) && isLive(remove.node())) {
      live--;
      fewest = Math.min(fewest, live);
    }
    stops(remove.node());
    return null;
  }

  @Override
  public Void merge(Action.Merge merge) {
    merges++;
    tables.add(merge.left().table());
    tables.add(merge.right().table());
    return null;
  }

  @Override
  public Void setBlockSize(Action.SetBlockSize size) {
    blockSizes.add(size.table());
    tables.add(size.table());
    return null;
  }

  @Override
  public Void compact(Action.Compact compact) {
    compactions++;
    add(compact.partition());
    return null;
  }

  // No limit of the guard is about these.

  @Override
  public Void setNode(Action.SetNode set) {
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

  /** The engine takes what a node serves elsewhere, whether the plan moves it first or not. */
  private void stops(NodeId node) {
    if (isLive(node) && PlacementModel.of(before).assignsPartitions()) {
      before.partitions().stream()
          .filter(partition -> partition.node().filter(node::equals).isPresent())
          .forEach(partition -> tables.add(partition.id().table()));
    }
  }

  private boolean isLive(NodeId node) {
    return before.node(node).filter(NodeState::alive).isPresent();
  }

  /**
   * Counts the bytes and the table of a partition.
   *
   * <p>Nothing for a partition that the plan itself makes: its bytes are in what it is made of.
   */
  private void add(PartitionId partition) {
    tables.add(partition.table());
    long size = before.partition(partition).map(PartitionState::sizeBytes).orElse(0L);
    // Saturates: a sum that overflows would pass for a small one.
    bytes = size > Long.MAX_VALUE - bytes ? Long.MAX_VALUE : bytes + Math.max(0, size);
  }
}
