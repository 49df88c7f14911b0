package io.trimtab.plugincore;

import java.util.OptionalLong;

/**
 * The estimators of Cruz 2016, ch. 4, Algorithm 4: a step up for a request above the estimate, a
 * step down for one at or below it, never outside the keys seen.
 *
 * <p>Linear: steps of one unit. Exponential: the step doubles while steps go the same way and is
 * one unit again after a turn. Ping-pong: exponential until some pairs of one step up and one down
 * have come in a row, linear from then on.
 */
public final class SteppingEstimator implements SplitEstimator {
  /** Steps of a size that a key range is crossed in, where the unit is not given. */
  private static final long RESOLUTION = 10_000;

  private enum Mode {
    LINEAR,
    EXPONENTIAL,
    PING_PONG
  }

  private final long fixedUnit;
  private final int pairsWanted;
  private Mode mode;
  private boolean begun;
  private long low;
  private long high;
  private long split;
  private int lastDirection;
  private int run;
  private int turns;

  private SteppingEstimator(Mode mode, int pairsWanted, long unit) {
    this.mode = mode;
    this.pairsWanted = pairsWanted;
    this.fixedUnit = unit;
  }

  /**
   * @param unit distance of two neighbouring keys; 0 for a ten-thousandth of the range seen
   */
  public static SteppingEstimator linear(long unit) {
    return new SteppingEstimator(Mode.LINEAR, 0, unit);
  }

  /**
   * @param unit as for {@link #linear}
   */
  public static SteppingEstimator exponential(long unit) {
    return new SteppingEstimator(Mode.EXPONENTIAL, 0, unit);
  }

  /**
   * @param pairs in a row after which steps are linear, ≥ 1; the thesis uses 2 to 8, more for
   *     larger key ranges
   * @param unit as for {@link #linear}
   */
  public static SteppingEstimator pingPong(int pairs, long unit) {
    if (pairs < 1) {
      throw new IllegalArgumentException("pairs must be at least 1, not " + pairs);
    }
    return new SteppingEstimator(Mode.PING_PONG, pairs, unit);
  }

  @Override
  public void add(long image) {
    if (!begun) {
      begun = true;
      low = image;
      high = image;
      split = image;
    }
    low = Math.min(low, image);
    high = Math.max(high, image);
    int direction = image > split ? 1 : -1;
    long step = step(direction);
    long room = direction > 0 ? high - split : split - low;
    // The range may be wider than half of all numbers: the room is unsigned.
    split =
        Long.compareUnsigned(step, room) >= 0
            ? direction > 0 ? high : low
            : split + direction * step;
  }

  private long step(int direction) {
    if (direction == lastDirection) {
      run++;
      turns = 0;
    } else {
      run = 0;
      turns++;
    }
    lastDirection = direction;
    long unit = unit();
    if (mode == Mode.PING_PONG && turns >= 2 * pairsWanted) {
      mode = Mode.LINEAR;
    }
    if (mode == Mode.LINEAR || run == 0) {
      return unit;
    }
    int doublings = Math.min(run, Long.numberOfLeadingZeros(unit) - 1);
    return unit << Math.max(0, doublings);
  }

  private long unit() {
    if (fixedUnit > 0) {
      return fixedUnit;
    }
    return Math.max(1, Long.divideUnsigned(high - low, RESOLUTION));
  }

  @Override
  public OptionalLong split() {
    return begun ? OptionalLong.of(split) : OptionalLong.empty();
  }
}
