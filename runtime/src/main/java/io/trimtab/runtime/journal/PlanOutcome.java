package io.trimtab.runtime.journal;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** How a plan ended. */
public enum PlanOutcome {
  /** All actions have succeeded. */
  DONE("done"),
  /** A stop was requested, or it could not be begun; no further action is executed. */
  STOPPED("stopped"),
  /** An action failed, or the plan was abandoned; no further action is executed. */
  ABANDONED("abandoned"),
  /**
   * The cluster could not be restored afterwards; the next controller does that. Never journaled.
   */
  UNFINISHED("unfinished"),
  /**
   * Control of the cluster was lost; nothing was touched from then on, and the next controller
   * continues or abandons the plan. Never journaled.
   */
  LOST("lost"),
  /**
   * The controller ended while a node joined or left a ring, which goes on inside the database; the
   * next controller continues the plan. Never journaled.
   */
  DETACHED("detached"),
  /**
   * What the node provider answered to the first request of the plan makes no sense, and nothing of
   * the cluster was changed. Journaled, and told to listeners, as {@link #ABANDONED}.
   */
  REFUSED("refused");

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

  /**
   * Whether whoever has started a controller has to look at this end of its last plan: it was
   * neither done nor left to the next controller because it goes on inside the database. Where no
   * number of plans was asked for, the end was, and only what could not be put back is wrong.
   *
   * @param plansMax that the controller was to make; 0: without end
   */
  public boolean wentWrong(int plansMax) {
    return plansMax == 0 ? this == UNFINISHED : this != DONE && this != DETACHED;
  }
}
