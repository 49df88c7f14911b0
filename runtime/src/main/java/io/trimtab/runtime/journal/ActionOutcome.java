package io.trimtab.runtime.journal;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** How an action ended. */
public enum ActionOutcome {
  DONE("done"),
  /** The cluster already was as the action wants it. */
  SKIPPED("skipped"),
  FAILED("failed");

  private final String word;

  ActionOutcome(String word) {
    this.word = word;
  }

  /**
   * @throws IllegalArgumentException naming the word, where it is none of these
   */
  @JsonCreator
  static ActionOutcome of(String word) {
    return Words.find(values(), word, "an action's outcome");
  }

  /** Whether a plan that is resumed does not perform the action again. */
  boolean ended() {
    return this != FAILED;
  }

  /** As in the journal and for people. */
  @JsonValue
  @Override
  public String toString() {
    return word;
  }
}
