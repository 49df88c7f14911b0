package io.trimtab.experiments.bed;

/**
 * A plan, and when it was under way, in seconds of the run.
 *
 * @param to second at which it ended; −1 where it had not
 * @param actions that it has
 * @param waits how often it began to wait for users or for other work
 * @param outcome one word; empty where it had not ended
 * @param why a sentence without an end
 */
public record PlanSpan(int from, int to, int actions, int waits, String outcome, String why) {
  static final int OPEN = -1;

  static PlanSpan begun(int second, int actions) {
    return new PlanSpan(second, OPEN, actions, 0, "", "");
  }

  PlanSpan waited() {
    return new PlanSpan(from, to, actions, waits + 1, outcome, why);
  }

  PlanSpan ended(int second, String how, String because) {
    return new PlanSpan(from, second, actions, waits, how, because);
  }

  /** Whether it was under way at some time of [begin, end). */
  public boolean within(int begin, int end) {
    return from < end && (to == OPEN || to >= begin);
  }
}
