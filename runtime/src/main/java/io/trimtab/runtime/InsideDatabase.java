package io.trimtab.runtime;

import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.ActionVisitor;
import java.util.Optional;

/**
 * What a ring goes on with when the controller that has begun an action ends, as the beginning of a
 * sentence; empty for actions that end with it, or take seconds.
 */
public final class InsideDatabase implements ActionVisitor<Optional<String>, RuntimeException> {
  private static final Optional<String> NOTHING = Optional.empty();

  @Override
  public Optional<String> move(Action.Move move) {
    return NOTHING;
  }

  @Override
  public Optional<String> split(Action.Split split) {
    return NOTHING;
  }

  @Override
  public Optional<String> merge(Action.Merge merge) {
    return NOTHING;
  }

  @Override
  public Optional<String> reconfigure(Action.Reconfigure change) {
    return NOTHING;
  }

  @Override
  public Optional<String> setNode(Action.SetNode set) {
    return NOTHING;
  }

  @Override
  public Optional<String> setBlockSize(Action.SetBlockSize size) {
    return NOTHING;
  }

  @Override
  public Optional<String> compact(Action.Compact compact) {
    return NOTHING;
  }

  @Override
  public Optional<String> addNode(Action.AddNode add) {
    return Optional.of("a node goes on joining");
  }

  @Override
  public Optional<String> replaceNode(Action.ReplaceNode replace) {
    return Optional.of("the replacement of node " + replace.dead() + " goes on joining");
  }

  @Override
  public Optional<String> cleanup(Action.Cleanup cleanup) {
    return Optional.of("the cleanup of node " + cleanup.node() + " goes on");
  }

  @Override
  public Optional<String> drainNode(Action.DrainNode drain) {
    return NOTHING;
  }

  @Override
  public Optional<String> removeNode(Action.RemoveNode remove) {
    return Optional.of("node " + remove.node() + " goes on leaving");
  }
}
