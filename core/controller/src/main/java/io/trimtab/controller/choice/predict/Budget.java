package io.trimtab.controller.choice.predict;

/** What a decision may still compute; by number, not by time, so that it is the same everywhere. */
public final class Budget {
  private long left;

  /**
   * @param predictions of one node's usage
   */
  public Budget(long predictions) {
    left = predictions;
  }

  /** Takes so many; false if there are none left. */
  public boolean take(int predictions) {
    left -= predictions;
    return left >= 0;
  }

  public boolean isSpent() {
    return left <= 0;
  }
}
