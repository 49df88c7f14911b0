package io.trimtab.engineapi.plan;

import java.util.Objects;

/**
 * An action with the information that an operator needs to approve it; an immutable value. Its
 * texts are built on demand: of a plan with 200,000 actions few are ever printed.
 */
public final class PlannedAction {

  /** The texts that describe an action. Immutable; returns equal texts on every call. */
  public interface Texts {
    /** Reason for the action. */
    String reason();

    /** Expected effect. */
    String effect();

    /** Cost: bytes, restarts, an estimate of the duration. */
    String cost();

    /** How to undo the action. */
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
   * An action whose texts are derived from a few values.
   *
   * @param step 1, 2, …; the order of execution
   */
  public PlannedAction(int step, Action action, Texts texts) {
    this.step = step;
    this.action = action;
    this.texts = texts;
  }

  /** The same at another place in the order. */
  public PlannedAction numbered(int other) {
    return new PlannedAction(other, action, texts);
  }

  /** 1, 2, …; the order of execution. */
  public int step() {
    return step;
  }

  public Action action() {
    return action;
  }

  /** Reason for the action. */
  public String reason() {
    return texts.reason();
  }

  /** Expected effect. */
  public String effect() {
    return texts.effect();
  }

  /** Cost: bytes, restarts, an estimate of the duration. */
  public String cost() {
    return texts.cost();
  }

  /** How to undo the action. */
  public String undo() {
    return texts.undo();
  }

  /** Equal if action and texts are equal, however the texts are built. */
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
