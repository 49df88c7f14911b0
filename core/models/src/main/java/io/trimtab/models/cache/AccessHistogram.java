package io.trimtab.models.cache;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How often the blocks of one or more partitions were requested: pairs of a count and the number of
 * blocks that have it. A million blocks have a few thousand different counts, so this is small.
 * Immutable.
 */
public final class AccessHistogram {
  /** Pairs that a builder holds exactly; a hundred bytes each. */
  static final int PAIRS_MAX = 1_000_000;

  /** Of blocks with small counts, a share so small goes to the next rate that has more. */
  private static final double FEW = 1e-5;

  private final double[] counts;
  private final double[] blocks;
  private final double[] sizes;
  private final boolean sized;
  private final boolean rounded;

  private AccessHistogram(
      double[] counts, double[] blocks, double[] sizes, boolean sized, boolean rounded) {
    this.counts = counts;
    this.blocks = blocks;
    this.sizes = sizes;
    this.sized = sized;
    this.rounded = rounded;
  }

  /** Blocks of one size, one count each; for models and tests. */
  public static AccessHistogram ofCounts(double[] counts) {
    Builder builder = new Builder();
    for (double count : counts) {
      builder.add(count, 1);
    }
    return builder.build();
  }

  /**
   * Blocks of one size.
   *
   * @param counts how often each was requested, ≥ 0; falling or rising, else it takes longer
   * @param blocks how many have the count, ≥ 0
   * @param bytes of each of the blocks, &gt; 0
   * @throws IllegalArgumentException on a negative, infinite or missing number
   */
  public static AccessHistogram of(double[] counts, double[] blocks, double bytes) {
    double[] fallingCounts = counts.clone();
    double[] itsBlocks = blocks.clone();
    if (counts.length > 1 && counts[0] < counts[1]) {
      reverse(fallingCounts);
      reverse(itsBlocks);
    }
    return of(fallingCounts, itsBlocks, bytes, true);
  }

  private static void reverse(double[] values) {
    for (int i = 0, j = values.length - 1; i < j; i++, j--) {
      double value = values[i];
      values[i] = values[j];
      values[j] = value;
    }
  }

  private static AccessHistogram of(double[] counts, double[] blocks, double bytes, boolean sized) {
    boolean ready = counts.length > 0 && counts.length <= PAIRS_MAX;
    for (int i = 0; i < counts.length; i++) {
      Builder.check(counts[i], blocks[i], bytes);
      ready &= blocks[i] > 0 && (i == 0 || counts[i] < counts[i - 1]);
    }
    if (ready) {
      double[] sizes = new double[counts.length];
      Arrays.fill(sizes, bytes);
      return new AccessHistogram(counts, blocks, sizes, sized, false);
    }
    Builder builder = new Builder();
    for (int i = 0; i < counts.length; i++) {
      builder.put(counts[i], blocks[i], bytes);
    }
    builder.sized = sized;
    return builder.build();
  }

  /** The histogram of everything together, as for partitions that share a node's cache. */
  public static AccessHistogram merge(List<AccessHistogram> parts) {
    Builder builder = new Builder();
    for (AccessHistogram part : parts) {
      for (int i = 0; i < part.counts.length; i++) {
        builder.add(part.counts[i], part.blocks[i], part.sizes[i]);
      }
      builder.sized &= part.sized;
      builder.lostBits = Math.max(builder.lostBits, part.rounded ? 1 : 0);
    }
    return builder.build();
  }

  /**
   * The same blocks, so many requests in all: so that partitions that are asked at different rates
   * can be merged.
   *
   * @param requests ≥ 0
   */
  public AccessHistogram scaledTo(double requests) {
    double factor = requests() > 0 ? requests / requests() : 0;
    double[] scaled = Arrays.stream(counts).map(count -> count * factor).toArray();
    return new AccessHistogram(scaled, blocks, sizes, sized, rounded);
  }

  /**
   * The histogram that the same requests would have if chance played no part: for counts of some
   * requests, not of all that there will ever be. Do it before merging or scaling, which change
   * what chance does to a count. Blocks of one size only.
   */
  public AccessHistogram withoutChance() {
    if (!hasSmallCounts()) {
      return this;
    }
    double[] small = CountDeconvolution.noBlocks();
    addSmallCounts(small);
    return withSmallCounts(CountDeconvolution.masses(small), 1);
  }

  /** Whether chance is a part of any count that is worth while. */
  boolean hasSmallCounts() {
    return counts.length > 0 && isSmall(counts.length - 1);
  }

  /** Whether chance is a part of a pair's count that is worth while; then of all that follow. */
  boolean isSmall(int pair) {
    return counts[pair] < CountDeconvolution.LARGE;
  }

  /** Adds the blocks with small counts to others. */
  void addSmallCounts(double[] byPlace) {
    for (int i = counts.length - 1; i >= 0 && isSmall(i); i--) {
      CountDeconvolution.add(counts[i], blocks[i], byPlace);
    }
  }

  /**
   * The same with others in the place of the small counts.
   *
   * @param mass by rate of the grid
   * @param stretch by which the grid's rates are multiplied
   * @throws IllegalArgumentException where blocks have several sizes
   */
  AccessHistogram withSmallCounts(double[] mass, double stretch) {
    for (double size : sizes) {
      if (size != sizes[0]) {
        throw new IllegalArgumentException("the blocks have several sizes");
      }
    }
    double[] rates = new double[counts.length + mass.length];
    double[] masses = new double[rates.length];
    double few = FEW * Arrays.stream(mass).sum();
    double carried = 0;
    int size = 0;
    int large = 0;
    for (int j = mass.length - 1; j >= 0; j--) {
      double rate = stretch * CountDeconvolution.rate(j);
      // The grid goes a little beyond the largest count that it is for.
      while (!isSmall(large) && counts[large] > rate) {
        rates[size] = counts[large];
        masses[size++] = blocks[large++];
      }
      carried += mass[j];
      if (carried > few || j == 0 && carried > 0) {
        rates[size] = rate;
        masses[size++] = carried;
        carried = 0;
      }
    }
    return of(Arrays.copyOf(rates, size), Arrays.copyOf(masses, size), sizes[0], sized);
  }

  /**
   * Blocks that were requested equally often.
   *
   * @param bytes of each; 1 where sizes are not known
   */
  public record CountBin(double count, double blocks, double bytes) {}

  /** All pairs, the largest count first. */
  public List<CountBin> bins() {
    List<CountBin> bins = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      bins.add(new CountBin(counts[i], blocks[i], sizes[i]));
    }
    return bins;
  }

  int pairs() {
    return counts.length;
  }

  double count(int pair) {
    return counts[pair];
  }

  double blocks(int pair) {
    return blocks[pair];
  }

  double size(int pair) {
    return sizes[pair];
  }

  /** All blocks, also those that were never asked for. */
  public double blocks() {
    return Arrays.stream(blocks).sum();
  }

  /** Blocks that were requested at least once. */
  public double touched() {
    double touched = 0;
    for (int i = 0; i < counts.length; i++) {
      touched += counts[i] > 0 ? blocks[i] : 0;
    }
    return touched;
  }

  /** Bytes of the blocks that were requested at least once. */
  public double touchedBytes() {
    double touched = 0;
    for (int i = 0; i < counts.length; i++) {
      touched += counts[i] > 0 ? blocks[i] * sizes[i] : 0;
    }
    return touched;
  }

  /** All requests. */
  public double requests() {
    double requests = 0;
    for (int i = 0; i < counts.length; i++) {
      requests += counts[i] * blocks[i];
    }
    return requests;
  }

  /** Whether every block's size is known. */
  public boolean sized() {
    return sized;
  }

  /** Whether counts were rounded because there were too many different ones. */
  public boolean rounded() {
    return rounded;
  }

  /** Takes pairs in any order; equal ones become one. */
  public static final class Builder {
    private record Key(long count, long size) {}

    private Map<Key, double[]> pairs = new HashMap<>();
    private boolean sized = true;
    private int lostBits;

    /**
     * Blocks of unknown size.
     *
     * @param count how often each was requested, ≥ 0
     * @param blocks how many have this count, ≥ 0
     * @throws IllegalArgumentException on a negative, infinite or missing number
     */
    public Builder add(double count, double blocks) {
      sized = false;
      return put(count, blocks, 1);
    }

    /**
     * The same with a size.
     *
     * @param bytes of each of the blocks, &gt; 0
     */
    public Builder add(double count, double blocks, double bytes) {
      return put(count, blocks, bytes);
    }

    private Builder put(double count, double blocks, double bytes) {
      check(count, blocks, bytes);
      if (blocks > 0) {
        pairs.computeIfAbsent(key(count, bytes), k -> new double[1])[0] += blocks;
        if (pairs.size() > PAIRS_MAX) {
          round();
        }
      }
      return this;
    }

    private static void check(double count, double blocks, double bytes) {
      check("a count", count, 0);
      check("a multiplicity", blocks, 0);
      check("a block's size", bytes, Double.MIN_VALUE);
    }

    private static void check(String what, double value, double min) {
      if (!(value >= min && value < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(
            what + " must be a finite number " + (min > 0 ? "> 0" : "≥ 0") + ", not " + value);
      }
    }

    private Key key(double count, double bytes) {
      return new Key(cut(count), cut(bytes));
    }

    /** To the nearest number with {@link #lostBits} fewer binary digits. */
    private long cut(double value) {
      long bits = Double.doubleToRawLongBits(value);
      return lostBits == 0 ? bits : (bits + (1L << (lostBits - 1))) & -(1L << lostBits);
    }

    private void round() {
      while (pairs.size() > PAIRS_MAX / 2) {
        // 52 binary digits to begin with; whole counts use few of them.
        lostBits = lostBits == 0 ? 30 : lostBits + 1;
        Map<Key, double[]> old = pairs;
        pairs = new HashMap<>();
        old.forEach(
            (key, n) ->
                pairs
                        .computeIfAbsent(
                            key(
                                Double.longBitsToDouble(key.count()),
                                Double.longBitsToDouble(key.size())),
                            k -> new double[1])[0] +=
                    n[0]);
      }
    }

    public AccessHistogram build() {
      List<Key> keys =
          pairs.keySet().stream()
              .sorted(
                  java.util.Comparator.comparingDouble(
                          (Key k) -> -Double.longBitsToDouble(k.count()))
                      .thenComparingLong(Key::size))
              .toList();
      double[] counts = new double[keys.size()];
      double[] blocks = new double[keys.size()];
      double[] sizes = new double[keys.size()];
      for (int i = 0; i < keys.size(); i++) {
        counts[i] = Double.longBitsToDouble(keys.get(i).count());
        blocks[i] = pairs.get(keys.get(i))[0];
        sizes[i] = Double.longBitsToDouble(keys.get(i).size());
      }
      return new AccessHistogram(counts, blocks, sizes, sized && counts.length > 0, lostBits > 0);
    }
  }
}
