package io.trimtab.engineapi;

/**
 * An action with everything that an operator must know to approve it.
 *
 * @param step 1, 2, …; a plan is carried out in this order
 * @param reason why it is in the plan
 * @param effect what is expected of it
 * @param cost what it takes: bytes, restarts, an estimate of time
 * @param undo what would take it back
 */
public record PlannedAction(
    int step, Action action, String reason, String effect, String cost, String undo) {}
