package io.trimtab.cassandra.times;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.engineapi.NodeId;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecentTimesTest {
  private static final NodeId NODE = new NodeId("n:9042");

  /** The limits of the first buckets, as `nodetool tablehistograms` shows them. */
  private static final long[] LIMITS = {
    1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 17, 20, 24, 29, 35, 42, 50, 60, 72, 86, 103, 124, 149, 179,
    215, 258, 310, 372, 446, 535, 642, 770, 924, 1109, 1331, 1597, 1916, 2299, 2759, 3311, 3973,
    4768, 5722, 6866, 8239, 9887, 11864, 14237, 17084, 20501, 24601, 29521, 35425, 42510, 51012,
    61214, 73457, 88148, 105778, 126934
  };

  /** Of microseconds, as from Cassandra 4.1 on. */
  private final long[] histogram = new long[128];

  private final RecentTimes times = new RecentTimes();

  private void requests(int number, long micros) {
    int bucket = 0;
    while (LIMITS[bucket] < micros) {
      bucket++;
    }
    histogram[bucket] += number;
  }

  private double read(long startedAtMs) {
    return times.p99Ms(NODE, startedAtMs, histogram);
  }

  @Test
  void onlyTheRequestsBetweenTwoReadingsCount() {
    requests(10_000, 500);
    assertThat(read(1)).isNaN();

    requests(1_000, 20_000);
    assertThat(read(1)).isBetween(20.0, 24.0);

    requests(985, 2_000);
    requests(15, 100_000);
    assertThat(read(1)).isBetween(100.0, 120.0);

    requests(1_000, 3);
    assertThat(read(1)).isCloseTo(0.003, within(1e-9));
  }

  /** As in Cassandra 4.0: the same limits, of nanoseconds, in more buckets. */
  @Test
  void aHistogramOfNanosecondsIsKnownByItsLength() {
    long[] before = new long[165];
    long[] now = before.clone();
    // Up to 126,934 ns.
    now[LIMITS.length - 1] = 100;

    assertThat(LatencyBuckets.percentileMs(before, now, 0.99)).isCloseTo(0.126934, within(1e-9));
  }

  @Test
  void afterARestartThereIsNone() {
    requests(1_000, 500);
    read(1);
    requests(1_000, 500);
    assertThat(read(1)).isBetween(0.5, 0.6);

    requests(1_000, 500);
    assertThat(read(2)).isNaN();
    requests(1_000, 500);
    assertThat(read(2)).isBetween(0.5, 0.6);
  }

  /** Whoever looks in between must not leave a few requests for the next percentile. */
  @Test
  void fewRequestsMakeNoPercentile() {
    read(1);
    requests(500, 2_000);
    assertThat(read(1)).isBetween(2.0, 2.4);

    requests(3, 100_000);
    assertThat(read(1)).isBetween(2.0, 2.4);
    requests(397, 2_000);
    assertThat(read(1)).isBetween(2.0, 2.4);
    requests(400, 20_000);
    assertThat(read(1)).isBetween(20.0, 24.6);
  }

  @Test
  void aNodeThatIsGoneIsForgotten() {
    requests(1_000, 500);
    read(1);
    times.keep(List.of());
    requests(1_000, 500);

    assertThat(read(1)).isNaN();
  }

  @Test
  void aHistogramThatHasBegunAgainTellsNothing() {
    assertThat(LatencyBuckets.percentileMs(new long[] {5, 0}, new long[] {4, 9}, 0.99)).isNaN();
    assertThat(LatencyBuckets.percentileMs(new long[] {5}, new long[] {4, 9}, 0.99)).isNaN();
    assertThat(LatencyBuckets.sum(new long[] {1, 2}, new long[] {1, 2})).containsExactly(2, 4);
    assertThat(LatencyBuckets.sum(new long[0], new long[] {1, 2, 3})).containsExactly(1, 2, 3);
    assertThat(LatencyBuckets.sum(new long[] {1, 2}, new long[] {1, 2, 3}))
        .as("of different units")
        .isEmpty();
  }
}
