package io.trimtab.runtime;

import io.trimtab.controller.ring.PlacementModel;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.ActionVisitor;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a ring goes on with when the controller that has begun an action ends, as the beginning of a
 * sentence; empty for actions that end with it, or take seconds.
 */
public final class InsideDatabase implements ActionVisitor<Optional<String>, RuntimeException> {
  private static final Logger LOG = LoggerFactory.getLogger(InsideDatabase.class);
  private static final Optional<String> NOTHING = Optional.empty();

  /**
   * What the database goes on with if nobody waits for it any more, as a sentence.
   *
   * @param during the action that was begun; empty if there is none
   * @param seen the cluster before it; empty if it was not looked at yet
   */
  static Optional<String> goesOn(
      Optional<Action> during, Optional<ClusterSnapshot> seen, Engine engine) {
    return during.flatMap(
        action -> isRing(seen, engine) ? action.accept(new InsideDatabase()) : Optional.empty());
  }

  /** What is not known is left as it is: the next controller looks again. */
  private static boolean isRing(Optional<ClusterSnapshot> seen, Engine engine) {
    try {
      ClusterSnapshot known = seen.isPresent() ? seen.get() : engine.snapshot();
      return PlacementModel.of(known).staysOnlyByRestart();
    } catch (EngineException e) {
      LOG.warn("it is not known what goes on inside the database", e);
      return true;
    }
  }

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
