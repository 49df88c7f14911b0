package io.trimtab.experiments.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.trimtab.models.cache.AccessHistogram;
import java.util.LinkedHashSet;
import java.util.Random;
import org.junit.jupiter.api.Test;

class E8RingTest {
  private static final int ROWS = 2_000;
  private static final int CACHED = 500;

  /** A cache of rows from which an update throws its row, request by request. */
  private static double simulated(KnownRequests requests, double reads, Random random) {
    LinkedHashSet<Integer> cache = new LinkedHashSet<>();
    int read = 0;
    int hits = 0;
    for (int i = 0; i < 600_000; i++) {
      int row = requests.next();
      boolean there = cache.remove(row);
      if (random.nextDouble() >= reads) {
        continue;
      }
      cache.add(row);
      if (cache.size() > CACHED) {
        cache.remove(cache.iterator().next());
      }
      if (i >= 200_000) {
        read++;
        hits += there ? 1 : 0;
      }
    }
    return (double) hits / read;
  }

  @Test
  void aCacheThatUpdatesThrowRowsOutOfIsPredicted() {
    var asked = new AccessHistogram.Builder();
    for (int rank = 1; rank <= ROWS; rank++) {
      asked.add(1e9 * Math.pow(rank, -0.99), 1);
    }
    AccessHistogram histogram = asked.build();
    for (double reads : new double[] {1, 0.9, 0.5, 0.2}) {
      double seen = simulated(KnownRequests.zipf(ROWS, 7), reads, new Random(11));
      assertThat(E8Ring.hits(histogram, CACHED, reads))
          .as("%s reads", reads)
          .isCloseTo(seen, within(0.01));
    }
  }
}
