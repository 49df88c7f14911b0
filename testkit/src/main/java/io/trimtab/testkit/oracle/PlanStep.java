package io.trimtab.testkit.oracle;

import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.ActionVisitor;

/** Tells a walk which kind of action it takes. */
record PlanStep(PlanWalk walk) implements ActionVisitor<Void, RuntimeException> {
  @Override
  public Void move(Action.Move move) {
    walk.move(move);
    return null;
  }

  @Override
  public Void split(Action.Split split) {
    walk.split(split);
    return null;
  }

  @Override
  public Void merge(Action.Merge merge) {
    walk.merge(merge);
    return null;
  }

  @Override
  public Void reconfigure(Action.Reconfigure change) {
    walk.reconfigure(change);
    return null;
  }

  @Override
  public Void setNode(Action.SetNode set) {
    walk.set(set);
    return null;
  }

  @Override
  public Void setBlockSize(Action.SetBlockSize size) {
    walk.blockSize(size);
    return null;
  }

  @Override
  public Void compact(Action.Compact compact) {
    walk.compact(compact);
    return null;
  }

  @Override
  public Void addNode(Action.AddNode add) {
    walk.add(add.ordinal(), add.placeholder(), add.profile());
    return null;
  }

  @Override
  public Void replaceNode(Action.ReplaceNode replace) {
    walk.replace(replace);
    return null;
  }

  @Override
  public Void cleanup(Action.Cleanup cleanup) {
    walk.live(cleanup.node());
    return null;
  }

  @Override
  public Void drainNode(Action.DrainNode drain) {
    walk.drain(drain.node());
    return null;
  }

  @Override
  public Void removeNode(Action.RemoveNode remove) {
    walk.remove(remove.node());
    return null;
  }
}
