package io.trimtab.runtime.journal;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** How a plan ended. */
public enum PlanOutcome {
  /** All actions have succeeded. */
  DONE("done"),
  /** A stop was requested; no further action is executed. */
  STOPPED("stopped"),
  /** An action failed, or the plan was abandoned; no further action is executed. */
  ABANDONED("abandoned"),
  /**
   * The cluster could not be restored afterwards; the next controller does that. Never journaled.
   */
  UNFINISHED("unfinished");

  private final String word;

  PlanOutcome(String word) {
    this.word = word;
  }

  /**
   * The outcome with this name.
   *
   * @throws IllegalArgumentException if there is none, naming the word
   */
  @JsonCreator
  static PlanOutcome of(String word) {
    return Words.find(values(), word, "a plan's outcome");
  }

  /** The name in journals and messages. */
  @JsonValue
  @Override
  public String toString() {
    return word;
  }
}
