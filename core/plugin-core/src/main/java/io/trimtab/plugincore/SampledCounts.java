package io.trimtab.plugincore;

import java.util.Arrays;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What was counted of a partition's stretches at one moment, extrapolated to all its blocks; see
 * {@link BlockAccesses#histogram}.
 */
final class SampledCounts {
  /** A block with at least this multiple of the mean count is reported individually. */
  private static final double HOT = 4;

  /** Counts below this are reported exactly, others rounded to this many steps. */
  private static final int EXACT_BELOW = 128;

  /** Whether a stretch is a block that is followed; else a gap between two of them. */
  private final boolean[] followed;

  /** Blocks in a stretch. */
  private final int[] blocks;

  /** Requests of a stretch. */
  private final int[] now;

  /** Requests of a block. */
  private final double mean;

  /** Requests of a followed block that is not hot, on average. */
  private final double ordinary;

  /** The arrays are kept and must no longer change. */
  SampledCounts(boolean[] followed, int[] blocks, int[] now) {
    this.followed = followed;
    this.blocks = blocks;
    this.now = now;
    mean =
        (double) Arrays.stream(now).asLongStream().sum() / Math.max(1, Arrays.stream(blocks).sum());
    ordinary = ordinary();
  }

  BlockAccesses.Histogram histogram() {
    SortedMap<Double, Double> bins = new TreeMap<>();
    double othersBlocks = 0;
    double othersRequests = 0;
    double standing = 0;
    double standingRequests = 0;
    for (int i = 0; i < now.length; i++) {
      double listed = listedBlocks(i);
      double requests = listed == blocks[i] ? now[i] : listed > 0 ? outlier(i) : 0;
      if (listed > 0) {
        bins.merge(rounded(each(i, requests, listed)), listed, Double::sum);
      } else if (followed[i]) {
        standing += blocks[i];
        standingRequests += now[i];
      }
      othersBlocks += blocks[i] - listed;
      othersRequests += now[i] - requests;
    }
    double each = standing > 0 ? othersBlocks / standing : 0;
    double times = standingRequests > 0 ? othersRequests / (each * standingRequests) : 1;
    for (int i = 0; i < now.length; i++) {
      if (followed[i] && !hot(i)) {
        // Blocks whose keys look alike share their stretch's requests.
        bins.merge(rounded(times * now[i] / blocks[i]), each * blocks[i], Double::sum);
      }
    }
    double[] count = new double[bins.size()];
    double[] number = new double[bins.size()];
    int next = 0;
    for (Map.Entry<Double, Double> bin : bins.entrySet()) {
      count[next] = bin.getKey();
      number[next++] = bin.getValue();
    }
    return new BlockAccesses.Histogram(count, number);
  }

  /** In gaps to the nearest whole count, so that there are few different ones. */
  private double each(int stretch, double requests, double listed) {
    return followed[stretch] ? requests / listed : Math.rint(requests / listed);
  }

  /** The number of blocks of a key range that are reported individually. */
  private double listedBlocks(int stretch) {
    if (followed[stretch]) {
      return hot(stretch) ? blocks[stretch] : 0;
    }
    boolean among = stretch > 0 && hot(stretch - 1) || stretch + 1 < now.length && hot(stretch + 1);
    if (among && now[stretch] > blocks[stretch] * mean) {
      return blocks[stretch];
    }
    return outlier(stretch) > HOT * mean ? 1 : 0;
  }

  private boolean hot(int stretch) {
    return followed[stretch] && now[stretch] > HOT * mean * blocks[stretch];
  }

  private double ordinary() {
    double requests = 0;
    double here = 0;
    for (int i = 0; i < now.length; i++) {
      if (followed[i] && !hot(i)) {
        requests += now[i];
        here += blocks[i];
      }
    }
    return here > 0 ? requests / here : mean;
  }

  /**
   * Requests of one block of a gap, if its others are requested as ordinary ones are, or as both
   * blocks beside it.
   */
  private double outlier(int gap) {
    double beside = Double.POSITIVE_INFINITY;
    for (int i : new int[] {gap - 1, gap + 1}) {
      if (i >= 0 && i < now.length) {
        beside = Math.min(beside, (double) now[i] / blocks[i]);
      }
    }
    double level = Double.isInfinite(beside) ? ordinary : Math.max(ordinary, beside);
    return now[gap] - (blocks[gap] - 1) * level;
  }

  private static double rounded(double count) {
    if (count < EXACT_BELOW) {
      return count;
    }
    double step = Math.pow(2, Math.getExponent(count) - 6);
    return Math.rint(count / step) * step;
  }
}
