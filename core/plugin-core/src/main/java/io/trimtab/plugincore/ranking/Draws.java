package io.trimtab.plugincore.ranking;

import java.util.concurrent.atomic.AtomicLong;

/** Random numbers of a seed for many threads, without allocation (SplitMix64, Steele 2014). */
final class Draws {
  private static final long STEP = 0x9E3779B97F4A7C15L;

  private final AtomicLong state;

  Draws(long seed) {
    state = new AtomicLong(seed);
  }

  private long next() {
    long z = state.addAndGet(STEP);
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** From 0 to {@code bound} - 1; the bound is small. */
  int below(int bound) {
    return (int) ((next() >>> 33) % bound);
  }

  /** Between 0 and 1, both excluded. */
  double fraction() {
    return ((next() >>> 11) + 0.5) * 0x1.0p-53;
  }

  /** Puts the first numbers into a random order. */
  void shuffle(int[] numbers, int count) {
    for (int i = count - 1; i > 0; i--) {
      int j = below(i + 1);
      int number = numbers[i];
      numbers[i] = numbers[j];
      numbers[j] = number;
    }
  }
}
