package io.trimtab.models.outlook;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * How long loads last: the history of all tables falls into times in which what is asked for stays
 * about as it is. The present one is expected to last as long as these usually have, or as long as
 * it has already, whichever is more. Only time counts of which something was recorded: what loads
 * were while no controller ran nobody knows.
 */
public final class Lasting {
  /** Share of the requests that are more, fewer or of other tables, by which a load is another. */
  private static final double OTHER = 1.0 / 3;

  /** Below it loads are no different from none, in requests a second. */
  private static final double NOTHING = 1;

  private final List<RateSeries> series;

  /** Mean rates since the present load began: sums over its intervals. */
  private final double[] sums;

  private int intervals;
  private final List<Integer> lengths = new ArrayList<>();

  private Lasting(List<RateSeries> series) {
    this.series = series;
    this.sums = new double[series.size()];
  }

  /**
   * How long the present load is expected to last.
   *
   * @param all series of one step, one for each table
   * @return empty if it has not been seen to change
   */
  public static Optional<Duration> of(Collection<RateSeries> all) {
    List<RateSeries> known = all.stream().filter(series -> !series.isEmpty()).toList();
    return known.isEmpty() ? Optional.empty() : new Lasting(known).expected();
  }

  private Optional<Duration> expected() {
    long last = series.stream().mapToLong(RateSeries::current).max().orElseThrow();
    long first = series.stream().mapToLong(s -> s.current() - s.size()).min().orElseThrow();
    for (long interval = first; interval <= last; interval++) {
      double[] rates = rates(interval);
      if (rates != null) {
        add(rates);
      }
    }
    if (lengths.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(series.get(0).step().multipliedBy(Math.max(intervals, usual())));
  }

  /** Rates of an interval; null where nothing was recorded of any table. */
  private double[] rates(long interval) {
    double[] rates = new double[series.size()];
    boolean known = false;
    for (int i = 0; i < rates.length; i++) {
      double rate = series.get(i).at(interval);
      known |= !Double.isNaN(rate);
      // A table that there was not yet was asked for nothing.
      rates[i] = Double.isNaN(rate) ? 0 : rate;
    }
    return known ? rates : null;
  }

  private void add(double[] rates) {
    if (intervals > 0 && isOther(rates)) {
      lengths.add(intervals);
      Arrays.fill(sums, 0);
      intervals = 0;
    }
    for (int i = 0; i < sums.length; i++) {
      sums[i] += rates[i];
    }
    intervals++;
  }

  private boolean isOther(double[] rates) {
    double differ = 0;
    double before = 0;
    double now = 0;
    for (int i = 0; i < rates.length; i++) {
      double mean = sums[i] / intervals;
      differ += Math.abs(rates[i] - mean);
      before += mean;
      now += rates[i];
    }
    return differ > OTHER * Math.max(before, now) && differ > NOTHING;
  }

  /** Median length in intervals; of one alone only where there are no others: it was a change. */
  private int usual() {
    List<Integer> sorted = new ArrayList<>(lengths.stream().filter(length -> length > 1).toList());
    if (sorted.isEmpty()) {
      return 1;
    }
    Collections.sort(sorted);
    return sorted.get(sorted.size() / 2);
  }
}
