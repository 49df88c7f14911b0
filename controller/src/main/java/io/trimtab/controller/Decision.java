package io.trimtab.controller;

import io.trimtab.engineapi.Plan;

/** What a policy wants; doing nothing is a decision with a reason too. */
public sealed interface Decision {
  PolicyState next();

  /** Carry out a plan; {@code next} holds once it is done. */
  record Act(Plan plan, PolicyState next) implements Decision {}

  /**
   * Do nothing.
   *
   * @param setting the key that would change this; empty where none would
   */
  record Hold(String reason, String setting, PolicyState next) implements Decision {}
}
