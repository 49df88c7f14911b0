package io.trimtab.engineapi.plan;

import java.util.Objects;

/**
 * An action with everything that an operator must know to approve it; an immutable value. Its texts
 * are made when they are asked for: of a plan with 200,000 actions few are ever printed.
 */
public final class PlannedAction {

  /** What an operator is told of an action. Immutable; the same texts whenever asked. */
  public interface Texts {
    /** Why it is in the plan. */
    String reason();

    /** What is expected of it. */
    String effect();

    /** What it takes: bytes, restarts, an estimate of time. */
    String cost();

    /** What would take it back. */
    String undo();
  }

  private record Written(String reason, String effect, String cost, String undo) implements Texts {}

  private final int step;
  private final Action action;
  private final Texts texts;

  public PlannedAction(
      int step, Action action, String reason, String effect, String cost, String undo) {
    this(step, action, new Written(reason, effect, cost, undo));
  }

  /**
   * An action whose texts follow from a few values.
   *
   * @param step 1, 2, …; a plan is carried out in this order
   */
  public PlannedAction(int step, Action action, Texts texts) {
    this.step = step;
    this.action = action;
    this.texts = texts;
  }

  /** 1, 2, …; a plan is carried out in this order. */
  public int step() {
    return step;
  }

  public Action action() {
    return action;
  }

  /** Why it is in the plan. */
  public String reason() {
    return texts.reason();
  }

  /** What is expected of it. */
  public String effect() {
    return texts.effect();
  }

  /** What it takes: bytes, restarts, an estimate of time. */
  public String cost() {
    return texts.cost();
  }

  /** What would take it back. */
  public String undo() {
    return texts.undo();
  }

  /** Equal actions say the same, wherever their texts come from. */
  @Override
  public boolean equals(Object o) {
    return o instanceof PlannedAction other
        && step == other.step
        && Objects.equals(action, other.action)
        && Objects.equals(reason(), other.reason())
        && Objects.equals(effect(), other.effect())
        && Objects.equals(cost(), other.cost())
        && Objects.equals(undo(), other.undo());
  }

  @Override
  public int hashCode() {
    return Objects.hash(step, action);
  }

  @Override
  public String toString() {
    return "PlannedAction[step=%d, action=%s, reason=%s, effect=%s, cost=%s, undo=%s]"
        .formatted(step, action, reason(), effect(), cost(), undo());
  }
}
