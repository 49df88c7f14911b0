package io.trimtab.models;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.models.cache.AccessHistogram;
import io.trimtab.models.cache.LruModel;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;

/**
 * The model against a simulated LRU cache. The error is the model's and the simulation's own chance
 * together, in points.
 */
class LruAccuracyTest {
  private static final double MEAN_MAX = 0.2;
  private static final double WORST_MAX = 1.0;

  @Test
  void theModelIsNearASimulatedCache() {
    double sum = 0;
    int cases = 0;
    for (int n : new int[] {10_000, 100_000}) {
      for (var distribution : distributions(n).entrySet()) {
        for (double share : new double[] {0.01, 0.05, 0.2, 0.5, 0.9}) {
          double error = error(n, distribution.getValue(), share, 1_000_000);
          assertThat(error)
              .as("%s, %d blocks, cache %.2f", distribution.getKey(), n, share)
              .isLessThan(WORST_MAX);
          sum += error;
          cases++;
        }
      }
    }
    assertThat(sum / cases).isLessThan(MEAN_MAX);
  }

  @Test
  void alsoWithAMillionBlocks() {
    int n = 1_000_000;
    assertThat(error(n, i -> Math.pow(i + 1, -0.8), 0.1, 2_000_000)).isLessThan(MEAN_MAX);
  }

  private static Map<String, IntToDoubleFunction> distributions(int n) {
    Map<String, IntToDoubleFunction> all = new LinkedHashMap<>();
    all.put("uniform", i -> 1);
    for (double s : new double[] {0.6, 0.99, 1.2}) {
      all.put("Zipf " + s, i -> Math.pow(i + 1, -s));
    }
    all.put("hotspot", i -> i < n / 10 ? 9 : 1);
    all.put("mixture", i -> i % 2 == 0 ? Math.pow(i / 2 + 1, -0.99) : 4.0 / n);
    return all;
  }

  /** In points. */
  private static double error(int n, IntToDoubleFunction rate, double share, int requests) {
    double[] upTo = new double[n];
    double[] rates = new double[n];
    double all = 0;
    for (int i = 0; i < n; i++) {
      rates[i] = rate.applyAsDouble(i);
      all += rates[i];
      upTo[i] = all;
    }
    int capacity = (int) (n * share);
    double model = LruModel.ofBlocks(AccessHistogram.ofCounts(rates), capacity).hitRatio();
    double simulated = simulate(upTo, capacity, requests, new Random(n + capacity));
    return 100 * Math.abs(model - simulated);
  }

  /** Hit ratio from the steady state on. */
  private static double simulate(double[] upTo, int capacity, int requests, Random random) {
    Lru cache = new Lru(upTo.length, capacity);
    warm(cache, upTo, random);
    int hits = 0;
    for (int i = 0; i < requests; i++) {
      double u = random.nextDouble() * upTo[upTo.length - 1];
      int block = java.util.Arrays.binarySearch(upTo, u);
      hits += cache.ask(block < 0 ? -block - 1 : block) ? 1 : 0;
    }
    return (double) hits / requests;
  }

  /**
   * After an endless past the time since a block's last request is exponential with its rate; so
   * asking for all of them once, the longest ago first, makes the cache what it then is.
   */
  private static void warm(Lru cache, double[] upTo, Random random) {
    int n = upTo.length;
    double[] age = new double[n];
    Integer[] order = new Integer[n];
    for (int i = 0; i < n; i++) {
      age[i] = -Math.log(1 - random.nextDouble()) / (upTo[i] - (i == 0 ? 0 : upTo[i - 1]));
      order[i] = i;
    }
    java.util.Arrays.sort(order, java.util.Comparator.comparingDouble(i -> -age[i]));
    for (int block : order) {
      cache.ask(block);
    }
  }

  /** A doubly linked list over block numbers. */
  private static final class Lru {
    private final int[] next;
    private final int[] previous;
    private final boolean[] in;
    private final int capacity;
    private final int end;
    private int size;

    Lru(int blocks, int capacity) {
      this.capacity = capacity;
      end = blocks;
      next = new int[blocks + 1];
      previous = new int[blocks + 1];
      in = new boolean[blocks];
      next[end] = end;
      previous[end] = end;
    }

    boolean ask(int block) {
      boolean hit = in[block];
      if (hit) {
        unlink(block);
      } else {
        if (size == capacity) {
          int oldest = previous[end];
          unlink(oldest);
          in[oldest] = false;
          size--;
        }
        in[block] = true;
        size++;
      }
      next[block] = next[end];
      previous[block] = end;
      previous[next[end]] = block;
      next[end] = block;
      return hit;
    }

    private void unlink(int block) {
      next[previous[block]] = next[block];
      previous[next[block]] = previous[block];
    }
  }
}
