package io.trimtab.plugincore;

import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;
import org.apache.datasketches.frequencies.ErrorType;
import org.apache.datasketches.frequencies.LongsSketch;
import org.apache.datasketches.kll.KllLongsSketch;
import org.apache.datasketches.kll.KllSketch;
import org.apache.datasketches.quantilescommon.QuantileSearchCriteria;
import org.apache.datasketches.quantilescommon.QuantilesLongsSketchIterator;

/**
 * The median of a stream by a quantile sketch (Karnin, Lang and Liberty 2016, as in Apache
 * DataSketches), with a hot key found by a frequent-items sketch (Misra and Gries 1982).
 *
 * <p>It follows what changes. Requests are taken in blocks; a block whose share left of the median
 * so far is further from one half than chance explains means that the past is over, and the past is
 * dropped. Else the block joins the past, and a long past is thinned to its shape.
 *
 * <p>At most about 14 KiB. Not thread-safe.
 */
public final class SketchEstimator implements SplitEstimator {
  private static final int PAST_K = 350;
  private static final int BLOCK_K = 128;
  private static final int BLOCK = 1_000;

  /** Chance alone passes this many standard deviations once in 4,300 blocks. */
  private static final double DEVIATIONS = 3.5;

  /** A past of more requests is thinned. */
  private static final int PAST_MAX = 32_000;

  private static final int THINNED = 4_000;
  private static final int SHAPE_POINTS = 500;

  /** Requests of which a hot one can be told. */
  private static final int HOT_LEAST = 500;

  private static final int FREQUENT_MAP = 64;

  private KllLongsSketch past = KllLongsSketch.newHeapInstance(PAST_K);
  private KllLongsSketch block = KllLongsSketch.newHeapInstance(BLOCK_K);
  private LongsSketch frequent = new LongsSketch(FREQUENT_MAP);

  @Override
  public void add(long image) {
    block.update(image);
    frequent.update(image);
    if (block.getN() == BLOCK) {
      endBlock();
    }
  }

  private void endBlock() {
    if (past.getN() > 0) {
      long median = past.getQuantile(0.5, QuantileSearchCriteria.INCLUSIVE);
      // Many requests may share the median's key: only counts beyond both sides indicate a change.
      double below = block.getRank(median, QuantileSearchCriteria.EXCLUSIVE);
      double upTo = block.getRank(median, QuantileSearchCriteria.INCLUSIVE);
      double limit =
          DEVIATIONS * Math.sqrt(0.25 / BLOCK + 0.25 / past.getN())
              + KllSketch.getNormalizedRankError(BLOCK_K, false);
      if (below > 0.5 + limit || upTo < 0.5 - limit) {
        past.reset();
        frequent = new LongsSketch(FREQUENT_MAP);
      }
    }
    past.merge(block);
    block.reset();
    if (past.getN() > PAST_MAX) {
      past = thinned();
      frequent = new LongsSketch(FREQUENT_MAP);
    }
  }

  private KllLongsSketch thinned() {
    KllLongsSketch shape = KllLongsSketch.newHeapInstance(PAST_K);
    for (int i = 0; i < SHAPE_POINTS; i++) {
      double rank = (i + 0.5) / SHAPE_POINTS;
      shape.update(
          past.getQuantile(rank, QuantileSearchCriteria.INCLUSIVE), THINNED / SHAPE_POINTS);
    }
    return shape;
  }

  /**
   * Gives all keys other numbers, without losing what was seen.
   *
   * @param other keeps the order, though not all differences
   */
  public void renumber(LongUnaryOperator other) {
    past = renumbered(past, PAST_K, other);
    block = renumbered(block, BLOCK_K, other);
    LongsSketch fresh = new LongsSketch(FREQUENT_MAP);
    for (LongsSketch.Row row : frequent.getFrequentItems(ErrorType.NO_FALSE_NEGATIVES)) {
      fresh.update(other.applyAsLong(row.getItem()), row.getEstimate());
    }
    frequent = fresh;
  }

  private static KllLongsSketch renumbered(KllLongsSketch old, int k, LongUnaryOperator other) {
    KllLongsSketch fresh = KllLongsSketch.newHeapInstance(k);
    QuantilesLongsSketchIterator items = old.iterator();
    while (items.next()) {
      fresh.update(other.applyAsLong(items.getQuantile()), items.getWeight());
    }
    return fresh;
  }

  /**
   * What was seen of one range, for the daughter of a split.
   *
   * @param low inclusive
   * @param high inclusive
   */
  SketchEstimator part(long low, long high) {
    SketchEstimator part = new SketchEstimator();
    for (KllLongsSketch of : List.of(past, block)) {
      QuantilesLongsSketchIterator items = of.iterator();
      while (items.next()) {
        if (items.getQuantile() >= low && items.getQuantile() <= high) {
          part.past.update(items.getQuantile(), items.getWeight());
        }
      }
    }
    for (LongsSketch.Row row : frequent.getFrequentItems(ErrorType.NO_FALSE_NEGATIVES)) {
      if (row.getItem() >= low && row.getItem() <= high) {
        part.frequent.update(row.getItem(), row.getEstimate());
      }
    }
    return part;
  }

  /** Made for each question: kept, it and its sorted view would be half of the memory. */
  private KllLongsSketch all() {
    KllLongsSketch all = KllLongsSketch.newHeapInstance(PAST_K);
    all.merge(past);
    all.merge(block);
    return all;
  }

  /** Requests that the estimate rests on. */
  public long requests() {
    return past.getN() + block.getN();
  }

  /** Where the requests halve. */
  static final class Halves {
    private final long split;
    private final double leftShare;

    private Halves(long split, double leftShare) {
      this.split = split;
      this.leftShare = leftShare;
    }

    /** The number with the share nearest to one half on its left. */
    long split() {
      return split;
    }

    /** Share of requests with lower numbers, in [0, 1]. */
    double leftShare() {
      return leftShare;
    }
  }

  /** There must have been a request. */
  Halves halves() {
    KllLongsSketch all = all();
    long median = all.getQuantile(0.5, QuantileSearchCriteria.INCLUSIVE);
    long next = after(all, median);
    double left = all.getRank(median, QuantileSearchCriteria.EXCLUSIVE);
    double leftWith = all.getRank(next, QuantileSearchCriteria.EXCLUSIVE);
    return Math.abs(left - 0.5) <= Math.abs(leftWith - 0.5)
        ? new Halves(median, left)
        : new Halves(next, leftWith);
  }

  @Override
  public OptionalLong split() {
    return requests() == 0 ? OptionalLong.empty() : OptionalLong.of(halves().split());
  }

  /** The next number that was seen, so that a split key is a key, not just bytes between two. */
  private static long after(KllLongsSketch all, long image) {
    for (long seen : all.getSortedView().getQuantiles()) {
      if (seen > image) {
        return seen;
      }
    }
    return image == KeyImage.HIGHEST ? image : image + 1;
  }

  /** How far a share may be from the truth, at 95 %: the sketch's error and that of chance. */
  public double bound() {
    long n = requests();
    return n == 0
        ? 1
        : Math.min(1, KllSketch.getNormalizedRankError(PAST_K, false) + 0.98 / Math.sqrt(n));
  }

  /**
   * A number that surely has more than this share of the requests, if there is one; of too few
   * since the past was thinned there is none: the first would have all of them.
   */
  public OptionalLong hot(double share) {
    if (frequent.getStreamLength() < HOT_LEAST) {
      return OptionalLong.empty();
    }
    for (LongsSketch.Row row : frequent.getFrequentItems(ErrorType.NO_FALSE_POSITIVES)) {
      if (row.getLowerBound() > share * frequent.getStreamLength()) {
        return OptionalLong.of(row.getItem());
      }
    }
    return OptionalLong.empty();
  }
}
