package io.trimtab.plugincore.ranking;

import java.util.function.Consumer;

/**
 * By how much the expected time of a replica in another rack is multiplied: with 1.5 it is read
 * from only where it is expected to take a third less time than one in the coordinator's rack.
 */
public final class RackPenalty {
  /** Racks make no difference. */
  public static final RackPenalty NONE = new RackPenalty(1);

  /** With which a rack is nearly a class: another one is read from only in need. */
  public static final double MOST = 1_000;

  private final double factor;

  /**
   * @param factor 1 (racks make no difference) to {@link #MOST}
   * @throws IllegalArgumentException if it is not
   */
  public RackPenalty(double factor) {
    if (!(factor >= 1 && factor <= MOST)) {
      throw new IllegalArgumentException("the rack penalty must be 1 to 1000, not " + factor);
    }
    this.factor = factor;
  }

  /**
   * What an operator has written; none where it is missing or bad.
   *
   * @param text null where nothing was written
   * @param complain gets what is wrong
   */
  public static RackPenalty given(String text, Consumer<String> complain) {
    try {
      return text == null ? NONE : new RackPenalty(Double.parseDouble(text));
    } catch (IllegalArgumentException e) {
      complain.accept(text + " is not a number from 1 to 1000; racks make no difference");
      return NONE;
    }
  }

  public double factor() {
    return factor;
  }

  /**
   * The factor of each replica.
   *
   * @param own rack of the coordinator; null while it is unknown
   * @param racks by replica; null where it is unknown, and then it counts as near
   */
  public double[] factors(String own, String[] racks) {
    double[] factors = new double[racks.length];
    for (int i = 0; i < racks.length; i++) {
      boolean near = own == null || racks[i] == null || own.equals(racks[i]);
      factors[i] = near ? 1 : factor;
    }
    return factors;
  }
}
