package io.trimtab.engineapi.plan;

/**
 * What is done for each kind of action. An action that is new in {@link Action} gets a method here,
 * and whoever does not handle it no longer compiles: for that reason there is no implementation
 * with defaults.
 *
 * @param <R> what comes of it
 * @param <X> what handling an action may throw; {@code RuntimeException} where nothing is
 */
public interface ActionVisitor<R, X extends Exception> {
  R move(Action.Move move) throws X;

  R split(Action.Split split) throws X;

  R merge(Action.Merge merge) throws X;

  R reconfigure(Action.Reconfigure change) throws X;

  R setNode(Action.SetNode set) throws X;

  R setBlockSize(Action.SetBlockSize size) throws X;

  R compact(Action.Compact compact) throws X;

  R addNode(Action.AddNode add) throws X;

  R replaceNode(Action.ReplaceNode replace) throws X;

  R cleanup(Action.Cleanup cleanup) throws X;

  R drainNode(Action.DrainNode drain) throws X;

  R removeNode(Action.RemoveNode remove) throws X;
}
