package io.trimtab.engineapi.plan;

/**
 * Handles each kind of action. Every new record of {@link Action} gets a method here, so that code
 * that does not handle it fails to compile; for that reason there is no implementation with
 * defaults.
 *
 * @param <R> the result
 * @param <X> the exception that handling an action may throw; {@code RuntimeException} if none
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
