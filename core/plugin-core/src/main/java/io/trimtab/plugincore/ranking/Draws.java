package io.trimtab.plugincore.ranking;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Random numbers of a seed for many threads, without allocation (SplitMix64, Steele 2014). Threads
 * meet once for each order: what it needs besides follows from the number that it takes.
 */
final class Draws {
  private static final long STEP = 0x9E3779B97F4A7C15L;

  private final AtomicLong state;

  Draws(long seed) {
    state = new AtomicLong(seed);
  }

  private static long mixed(long number) {
    long z = number;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }

  /** A random number. */
  long next() {
    return mixed(state.addAndGet(STEP));
  }

  /** The number that follows another one. */
  static long after(long number) {
    return mixed(number + STEP);
  }

  /** A number as a fraction, between 0 and 1, both excluded. */
  static double fraction(long number) {
    return ((number >>> 11) + 0.5) * 0x1.0p-53;
  }

  /**
   * Puts the first numbers into a random order.
   *
   * @return a random number that has had no part in it
   */
  static long shuffle(int[] numbers, int count, long drawn) {
    long random = drawn;
    for (int i = count - 1; i > 0; i--) {
      int j = (int) ((random >>> 33) % (i + 1));
      int number = numbers[i];
      numbers[i] = numbers[j];
      numbers[j] = number;
      random = after(random);
    }
    return random;
  }
}
