package io.trimtab.testkit.law;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * How often blocks were asked for where chance decides which one a request is for: of blocks with
 * the same mean, as many have each count as Poisson's distribution says. That is what many blocks
 * come to; the numbers are no draws, so that the same means give the same counts.
 */
public final class ChanceCounts {
  /** From this mean on chance is less than a twentieth of it, and is left out. */
  private static final double LARGE = 400;

  /** A share of the blocks so small has no count of its own. */
  private static final double FEW = 1e-9;

  /** A difference of means that is rounding, relative to them. */
  private static final double ROUNDING = 1e-9;

  /**
   * Blocks with one count.
   *
   * @param count of each of them, ≥ 0
   * @param blocks how many, &gt; 0; not always an integer
   */
  public record Group(double count, double blocks) {}

  /** Blocks by whole count; that of a mean below the largest is no larger, but for {@link #FEW}. */
  private final double[] small = new double[(int) LARGE + 10 * (int) Math.sqrt(LARGE)];

  private final List<Group> large = new ArrayList<>();

  private ChanceCounts() {}

  /** The counts of blocks with these means, the largest count first. */
  public static List<Group> of(List<Group> means) {
    ChanceCounts counts = new ChanceCounts();
    double mean = 0;
    double blocks = 0;
    for (Group its : means) {
      if (Math.abs(its.count() - mean) > ROUNDING * mean) {
        counts.add(mean, blocks);
        blocks = 0;
      }
      mean = its.count();
      blocks += its.blocks();
    }
    counts.add(mean, blocks);
    return counts.all();
  }

  private void add(double mean, double blocks) {
    if (mean >= LARGE) {
      large.add(new Group(mean, blocks));
      return;
    }
    double share = Math.exp(-mean);
    for (int count = 0; count < small.length && (count <= mean || share > FEW); count++) {
      small[count] += share > FEW ? share * blocks : 0;
      share *= mean / (count + 1);
    }
  }

  private List<Group> all() {
    List<Group> all = new ArrayList<>(large);
    for (int count = 0; count < small.length; count++) {
      if (small[count] > 0) {
        all.add(new Group(count, small[count]));
      }
    }
    all.sort(Comparator.comparingDouble(Group::count).reversed());
    return all;
  }
}
