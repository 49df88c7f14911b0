package io.trimtab.runtime.journal;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** How a plan ended. */
public enum PlanOutcome {
  /** Every action has ended well. */
  DONE("done"),
  /** It was asked to stop; nothing more of it is done. */
  STOPPED("stopped"),
  /** An action failed, or the plan was given up; nothing more of it is done. */
  ABANDONED("abandoned"),
  /** The cluster could not be tidied afterwards; the next controller does that. Never journaled. */
  UNFINISHED("unfinished");

  private final String word;

  PlanOutcome(String word) {
    this.word = word;
  }

  /**
   * @throws IllegalArgumentException naming the word, where it is none of these
   */
  @JsonCreator
  static PlanOutcome of(String word) {
    return Words.find(values(), word, "a plan's outcome");
  }

  /** As in the journal and for people. */
  @JsonValue
  @Override
  public String toString() {
    return word;
  }
}
