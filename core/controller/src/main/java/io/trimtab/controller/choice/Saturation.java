package io.trimtab.controller.choice;

/**
 * What is assumed of a node that is used so much that it does not tell how much it is asked for:
 * after each plan that left it so, more.
 */
public final class Saturation {
  private static final double SATURATED = 0.97;

  /** What is asked for, as a multiple of what was assumed before. */
  private static final double MORE = 1.2;

  private static final int STEPS_MAX = 4;

  private Saturation() {}

  /** Whether usage does not tell how much is asked for. */
  public static boolean isReached(double usage) {
    return usage >= SATURATED;
  }

  /**
   * What a saturated node is asked for, as a multiple of what it serves.
   *
   * @param step of the policy's state, ≥ 1: with the first what is observed is assumed
   */
  public static double asked(int step) {
    return Math.pow(MORE, Math.min(STEPS_MAX, step) - 1.0);
  }

  /** The step after a plan. */
  public static int next(boolean saturated, int step) {
    return saturated ? Math.min(STEPS_MAX, step + 1) : 1;
  }
}
