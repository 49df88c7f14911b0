package io.trimtab.runtime;

import io.trimtab.controller.settings.GuardSettings;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.ActionVisitor;

/** How many actions of a kind may run at the same time. */
record Concurrency(GuardSettings guard) implements ActionVisitor<Integer, RuntimeException> {
  private static final int ALONE = 1;

  @Override
  public Integer move(Action.Move move) {
    return guard.maxConcurrentMoves();
  }

  @Override
  public Integer split(Action.Split split) {
    return ALONE;
  }

  @Override
  public Integer merge(Action.Merge merge) {
    return ALONE;
  }

  @Override
  public Integer reconfigure(Action.Reconfigure change) {
    return change.way() == Action.ApplyMode.RESTART ? guard.maxRestarting() : ALONE;
  }

  @Override
  public Integer setNode(Action.SetNode set) {
    return ALONE;
  }

  @Override
  public Integer setBlockSize(Action.SetBlockSize size) {
    return ALONE;
  }

  /** They read and write the same disks that moves do. */
  @Override
  public Integer compact(Action.Compact compact) {
    return guard.maxConcurrentMoves();
  }

  @Override
  public Integer addNode(Action.AddNode add) {
    return ALONE;
  }

  @Override
  public Integer replaceNode(Action.ReplaceNode replace) {
    return ALONE;
  }

  @Override
  public Integer cleanup(Action.Cleanup cleanup) {
    return ALONE;
  }

  @Override
  public Integer drainNode(Action.DrainNode drain) {
    return ALONE;
  }

  @Override
  public Integer removeNode(Action.RemoveNode remove) {
    return ALONE;
  }
}
