package io.trimtab.testkit;

import java.util.Random;

/** Runs a property over many seeds, and says which one failed. */
public final class Seeds {
  /** The system property that replays a single seed. */
  public static final String PROPERTY = "trimtab.seed";

  private Seeds() {}

  /** A property of the case that a seed makes. */
  @FunctionalInterface
  public interface Property {
    void check(long seed) throws Exception;
  }

  /**
   * Checks seeds 0 … {@code cases} − 1, or only the one that {@code -Dtrimtab.seed} names.
   *
   * @throws AssertionError that names the seed, at the first failure
   */
  public static void forEach(int cases, Property property) {
    Long only = Long.getLong(PROPERTY);
    long from = only == null ? 0 : only;
    long to = only == null ? cases : only + 1;
    for (long seed = from; seed < to; seed++) {
      try {
        property.check(seed);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted", e);
      } catch (Exception | AssertionError e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage() + replay(seed), e);
      }
    }
  }

  /**
   * Random numbers for a seed; {@link Random} by itself begins alike for seeds next to each other.
   */
  public static Random random(long seed) {
    return new Random(seed * 0x9E3779B97F4A7C15L);
  }

  public static String replay(long seed) {
    return "\nreplay with -D" + PROPERTY + "=" + seed;
  }
}
