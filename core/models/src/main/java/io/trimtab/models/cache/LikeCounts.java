package io.trimtab.models.cache;

import java.util.HashMap;
import java.util.Map;

/**
 * Takes the chance out of the counts of many partitions in less time than one by one. What is
 * common to partitions that are asked alike – about as often on average, and about as unevenly – is
 * found once; what each of them is like follows from that and its own counts in a few steps. A
 * partition like no other is treated as {@link AccessHistogram#withoutChance} does. Not for several
 * threads.
 */
public final class LikeCounts {
  /**
   * So finely are means told apart, to a doubling: a twentieth is less than most counts' chance.
   */
  private static final int MEANS = 8;

  /** The same for how uneven counts are. */
  private static final int SPREADS = 4;

  /** What is the same of partitions that are alike. */
  private record Kind(long mean, long spread) {}

  /** All partitions of a kind. */
  private static final class Kin {
    private final double[] blocks = CountDeconvolution.noBlocks();
    private int partitions;
    private double[] masses;

    double[] masses() {
      if (masses == null) {
        masses = CountDeconvolution.masses(blocks);
      }
      return masses;
    }
  }

  private final Map<Kind, Kin> kinds = new HashMap<>();

  /** Adds a partition; all are added first. */
  public void add(AccessHistogram histogram) {
    if (histogram.hasSmallCounts()) {
      Kin kin = kinds.computeIfAbsent(kind(histogram), k -> new Kin());
      histogram.addSmallCounts(kin.blocks);
      kin.partitions++;
    }
  }

  /**
   * The histogram without chance.
   *
   * @param histogram one of those that were added
   */
  public AccessHistogram withoutChance(AccessHistogram histogram) {
    // Where no count is small there is no kind.
    Kin kin = histogram.hasSmallCounts() ? kinds.get(kind(histogram)) : null;
    if (kin == null || kin.partitions == 1) {
      return histogram.withoutChance();
    }
    double[] own = CountDeconvolution.noBlocks();
    histogram.addSmallCounts(own);
    double[] masses = CountDeconvolution.masses(own, kin.masses());
    // A few steps leave it a little of the others' mean.
    double has = CountDeconvolution.requests(masses);
    double asked = 0;
    for (int i = histogram.pairs() - 1; i >= 0 && histogram.isSmall(i); i--) {
      asked += histogram.blocks(i) * histogram.count(i);
    }
    return histogram.withSmallCounts(masses, has > 0 && asked > 0 ? asked / has : 1);
  }

  private static Kind kind(AccessHistogram histogram) {
    double blocks = 0;
    double sum = 0;
    double squares = 0;
    for (int i = histogram.pairs() - 1; i >= 0 && histogram.isSmall(i); i--) {
      double count = histogram.count(i);
      blocks += histogram.blocks(i);
      sum += histogram.blocks(i) * count;
      squares += histogram.blocks(i) * count * count;
    }
    double mean = sum / blocks;
    double spread = mean > 0 ? squares / sum - mean : 0;
    return new Kind(step(mean, MEANS), step(1 + spread, SPREADS));
  }

  private static long step(double value, int toADoubling) {
    return Math.round(toADoubling * Math.log(value) / Math.log(2));
  }
}
