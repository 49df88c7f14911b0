package io.trimtab.controller.place;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Against the collections of the JDK. */
class IndexesTest {
  @Test
  void descendingIsAStableSort() {
    for (long seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      double[] values =
          IntStream.range(0, random.nextInt(200))
              .mapToDouble(i -> random.nextInt(20) / 7.)
              .toArray();
      List<Integer> sorted = new ArrayList<>(IntStream.range(0, values.length).boxed().toList());
      sorted.sort(Comparator.comparingDouble(i -> -values[i]));
      assertThat(Indexes.descending(values))
          .as("seed %d", seed)
          .containsExactly(sorted.stream().mapToInt(i -> i).toArray());
    }
  }

  @Test
  void aHeapHasTheFirstWhateverChanges() {
    for (long seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      double[] keys = new double[1 + random.nextInt(40)];
      IndexHeap heap =
          new IndexHeap(keys.length, (a, b) -> keys[a] < keys[b] || (keys[a] == keys[b] && a < b));
      TreeSet<Integer> set =
          new TreeSet<>(
              Comparator.comparingDouble((Integer i) -> keys[i])
                  .thenComparing(Comparator.naturalOrder()));
      for (int step = 0; step < 500; step++) {
        int index = random.nextInt(keys.length);
        boolean there = set.remove(index);
        if (random.nextInt(3) == 0) {
          assertThat(heap.remove(index)).isEqualTo(there);
        } else {
          keys[index] = random.nextInt(10);
          set.add(index);
          if (there) {
            heap.changed(index);
          } else {
            heap.add(index);
          }
        }
        assertThat(heap.isEmpty()).isEqualTo(set.isEmpty());
        if (!set.isEmpty()) {
          assertThat(heap.first())
              .as("seed %d, %s", seed, Arrays.toString(keys))
              .isEqualTo(set.first());
        }
      }
    }
  }
}
