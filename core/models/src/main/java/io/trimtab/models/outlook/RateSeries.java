package io.trimtab.models.outlook;

import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Mean rates of equal intervals, without gaps in time; the oldest are forgotten, so that the space
 * is constant. Immutable.
 */
public final class RateSeries {
  /** Intervals by which a clock may be set back without the series beginning anew. */
  private static final long BACK_MAX = 12;

  private static final MathContext DIGITS_KEPT = new MathContext(4);
  private static final double UNKNOWN = -1;

  /** Samples from which on the interval that goes on is compared with those that have ended. */
  private static final int COMPARED_MIN = 3;

  private final Duration step;
  private final int most;

  /** Of intervals that have ended, the latest last; NaN where nothing is known. */
  private final double[] ended;

  /** Number of the interval that goes on, since the epoch; −1 before the first sample. */
  private final long current;

  private final double sum;
  private final int samples;

  private RateSeries(
      Duration step, int most, double[] ended, long current, double sum, int samples) {
    this.step = step;
    this.most = most;
    this.ended = ended;
    this.current = current;
    this.sum = sum;
    this.samples = samples;
  }

  /**
   * Without any samples.
   *
   * @param step length of an interval, at least 1 s
   * @param most intervals that are kept, &gt; 0
   */
  public static RateSeries of(Duration step, int most) {
    if (step.toMillis() < 1_000 || most <= 0) {
      throw new IllegalArgumentException("intervals of " + step + ", " + most + " of them");
    }
    return new RateSeries(step, most, new double[0], -1, 0, 0);
  }

  /**
   * With one more sample. One that is a little older than the interval that goes on, because the
   * clock was set back, changes nothing; after one that is much older the series begins anew.
   *
   * @param rate ≥ 0
   */
  public RateSeries with(Instant at, double rate) {
    long interval = Math.floorDiv(at.toEpochMilli(), step.toMillis());
    if (current < 0) {
      return new RateSeries(step, most, ended, interval, rate, 1);
    }
    if (interval < current - BACK_MAX) {
      // It had jumped ahead: what was recorded then is of a time that is still to come.
      return of(step, most).with(at, rate);
    }
    if (interval < current) {
      return this;
    }
    if (interval == current) {
      return new RateSeries(step, most, ended, current, sum + rate, samples + 1);
    }
    long gap = Math.min(most, interval - current - 1);
    double[] all = Arrays.copyOf(ended, (int) (ended.length + 1 + gap));
    Arrays.fill(all, ended.length, all.length, Double.NaN);
    all[ended.length] = sum / samples;
    double[] kept = Arrays.copyOfRange(all, Math.max(0, all.length - most), all.length);
    return new RateSeries(step, most, kept, interval, rate, 1);
  }

  /**
   * What is kept of a series on disk.
   *
   * @param stepMillis length of an interval
   * @param current number of the interval that goes on, since the epoch; −1 before the first sample
   * @param sum of its samples, in requests per second
   * @param samples that it has
   * @param rates of intervals that have ended, the latest last, in requests per second to four
   *     digits; −1 where nothing is known
   */
  public record Kept(long stepMillis, long current, double sum, int samples, List<Double> rates) {
    public Kept {
      rates = List.copyOf(rates);
      boolean valid = rates.stream().allMatch(r -> r >= -1 && r < Double.POSITIVE_INFINITY);
      if (!valid || !(sum >= 0 && sum < Double.POSITIVE_INFINITY) || samples < 0) {
        throw new IllegalArgumentException("rates must be finite and not negative");
      }
    }
  }

  /** The same, as it is kept. */
  public Kept kept() {
    List<Double> rates = new ArrayList<>(ended.length);
    for (double rate : ended) {
      rates.add(
          Double.isNaN(rate) ? UNKNOWN : new BigDecimal(rate).round(DIGITS_KEPT).doubleValue());
    }
    return new Kept(step.toMillis(), current, sum, samples, rates);
  }

  /**
   * A series that was kept, which goes on.
   *
   * @param most as for {@link #of(Duration, int)}
   */
  public static RateSeries of(Kept kept, int most) {
    RateSeries empty = of(Duration.ofMillis(kept.stepMillis()), most);
    if (kept.current() < 0 || kept.samples() == 0) {
      return empty;
    }
    List<Double> last =
        kept.rates().subList(Math.max(0, kept.rates().size() - most), kept.rates().size());
    double[] ended = last.stream().mapToDouble(r -> r < 0 ? Double.NaN : r).toArray();
    return new RateSeries(empty.step, most, ended, kept.current(), kept.sum(), kept.samples());
  }

  public Duration step() {
    return step;
  }

  /** When the interval of the last sample began; long ago before the first one. */
  public Instant latest() {
    return Instant.ofEpochMilli(current * step.toMillis());
  }

  /**
   * The highest mean rate of an interval within the past, in requests a second; 0 where none is
   * known.
   *
   * @param past from the interval that goes on, which counts, too
   */
  public double highest(Duration past) {
    double highest = present();
    int first = ended.length - (int) Math.min(ended.length, past.toMillis() / step.toMillis());
    for (int i = first; i < ended.length; i++) {
      highest = ended[i] > highest ? ended[i] : highest;
    }
    return highest;
  }

  /** Of the interval that goes on; 0 before the first sample. */
  double present() {
    return samples == 0 ? 0 : sum / samples;
  }

  /** Whether there has been no sample. */
  boolean isEmpty() {
    return current < 0;
  }

  /** Number of the interval that goes on, since the epoch; −1 before the first sample. */
  long current() {
    return current;
  }

  /** Intervals that have ended. */
  int size() {
    return ended.length;
  }

  /**
   * A mean rate; NaN where it is not known.
   *
   * @param i from 0, the oldest; may be out of range
   */
  double rate(int i) {
    return i >= 0 && i < ended.length ? ended[i] : Double.NaN;
  }

  /**
   * The same, where after those that have ended comes the interval that goes on, once it has enough
   * samples to be compared with them.
   */
  double known(int i) {
    return i == ended.length && samples >= COMPARED_MIN ? present() : rate(i);
  }

  /** The same by an interval's number since the epoch. */
  double at(long interval) {
    long i = ended.length - (current - interval);
    return i >= 0 && i <= ended.length ? known((int) i) : Double.NaN;
  }
}
