package io.trimtab.runtime.journal;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** How an action ended. */
public enum ActionOutcome {
  DONE("done"),
  /** The cluster was already in the action's target state. */
  SKIPPED("skipped"),
  FAILED("failed");

  private final String word;

  ActionOutcome(String word) {
    this.word = word;
  }

  /**
   * The outcome with this name.
   *
   * @throws IllegalArgumentException if there is none, naming the word
   */
  @JsonCreator
  static ActionOutcome of(String word) {
    return Words.find(values(), word, "an action's outcome");
  }

  /** Whether a plan that is resumed does not perform the action again. */
  boolean ended() {
    return this != FAILED;
  }

  /** The name in journals and messages. */
  @JsonValue
  @Override
  public String toString() {
    return word;
  }
}
