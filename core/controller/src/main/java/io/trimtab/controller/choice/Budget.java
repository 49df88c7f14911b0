package io.trimtab.controller.choice;

/** What a decision may still compute; by number, not by time, so that it is the same everywhere. */
final class Budget {
  private long left;

  /**
   * @param predictions of one node's usage
   */
  Budget(long predictions) {
    left = predictions;
  }

  /** Takes so many; false if there are none left. */
  boolean take(int predictions) {
    left -= predictions;
    return left >= 0;
  }

  boolean isSpent() {
    return left <= 0;
  }
}
