package io.trimtab.controller.guard;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.ActionVisitor;
import io.trimtab.engineapi.plan.Plan;
import java.util.Set;
import java.util.TreeSet;

/**
 * What of a plan the guard's limits are about. A visitor of all actions, so that a new one has to
 * say what it counts as before anything compiles.
 */
final class PlanTally implements ActionVisitor<Void, RuntimeException> {
  private final Set<NodeId> replaced = new TreeSet<>();
  private int moved;
  private int added;
  private int removed;
  private int restarted;

  private PlanTally() {}

  static PlanTally of(Plan plan) {
    PlanTally tally = new PlanTally();
    plan.actions().forEach(planned -> planned.action().accept(tally));
    return tally;
  }

  /** Partitions, or halves of them, that go to another node. */
  int moved() {
    return moved;
  }

  /** Nodes that make the cluster larger. */
  int added() {
    return added;
  }

  /** Nodes that must be started, in addition to or in place of others. */
  int started() {
    return added + replaced.size();
  }

  int removed() {
    return removed;
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
    return null;
  }

  @Override
  public Void split(Action.Split split) {
    moved++;
    return null;
  }

  @Override
  public Void reconfigure(Action.Reconfigure change) {
    if (change.way() == Action.ApplyMode.RESTART) {
      restarted++;
    }
    return null;
  }

  @Override
  public Void addNode(Action.AddNode add) {
    added++;
    return null;
  }

  @Override
  public Void replaceNode(Action.ReplaceNode replace) {
    replaced.add(replace.dead());
    return null;
  }

  @Override
  public Void removeNode(Action.RemoveNode remove) {
    removed++;
    return null;
  }

  // No limit of the guard is about these.

  @Override
  public Void merge(Action.Merge merge) {
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
  public Void compact(Action.Compact compact) {
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
