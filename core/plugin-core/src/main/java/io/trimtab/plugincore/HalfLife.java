package io.trimtab.plugincore;

/** When counts are halved because time has passed, and how. */
final class HalfLife {
  /** After this time a request counts for half; after three hours for a sixty-fourth. */
  static final long MILLIS = 30 * 60_000L;

  /** Counts from here on are divided exactly; of smaller ones too much would be lost. */
  private static final int LARGE = 1_000;

  private boolean begun;
  private long since;
  private int round;

  /** How many half-lives have passed that were not told yet. */
  synchronized int due(long nowMillis) {
    if (!begun || nowMillis < since) {
      begun = true;
      since = nowMillis;
    }
    long passed = (nowMillis - since) / MILLIS;
    since += passed * MILLIS;
    return (int) Math.min(Integer.SIZE, passed);
  }

  /** Goes on from where another has come. */
  void goOn(HalfLife other) {
    boolean otherBegun;
    long otherSince;
    synchronized (other) {
      otherBegun = other.begun;
      otherSince = other.since;
    }
    synchronized (this) {
      if (otherBegun) {
        begun = true;
        since = otherSince;
      }
    }
  }

  /** Number of a halving, other than that of the one before. */
  synchronized int nextRound() {
    return ++round;
  }

  /**
   * Half of a count. One that is odd is rounded up at half of the places, other ones each time:
   * where most blocks were asked for once, rounding down would forget all of them.
   */
  static int half(int count, int place, int round) {
    if (count >= LARGE) {
      return count / 2;
    }
    int mixed = ((place + 1) * 0x9E3779B9) ^ (round * 0x85EBCA6B);
    mixed = (mixed ^ (mixed >>> 15)) * 0x2C1B3C6D;
    mixed = (mixed ^ (mixed >>> 12)) * 0x297A2D39;
    return (count + (mixed >>> 31)) / 2;
  }
}
