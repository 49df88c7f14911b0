package io.trimtab.engineapi;

import java.util.List;

/**
 * A named node configuration (Cruz 2016, Table 3.1).
 *
 * @param name the name shown to operators, for example {@code READ}
 * @param cacheFraction block cache as a share of the heap, in (0, 1)
 * @param memstoreFraction memstore limit as a share of the heap, in (0, 1)
 * @param blockSizeBytes store file block size in bytes, &gt; 0. It is a property of tables, so it
 *     is set for the tables served by nodes of this profile, and takes effect by compaction
 */
public record Profile(
    String name, double cacheFraction, double memstoreFraction, int blockSizeBytes) {

  /** HBase does not start if the sum of cache and memstore shares of the heap exceeds this. */
  public static final double FRACTIONS_MAX = 0.8;

  public static final Profile READ = new Profile("READ", 0.55, 0.10, 32 << 10);
  public static final Profile WRITE = new Profile("WRITE", 0.10, 0.55, 64 << 10);
  public static final Profile READ_WRITE = new Profile("READ_WRITE", 0.45, 0.20, 32 << 10);
  public static final Profile SCAN = new Profile("SCAN", 0.55, 0.10, 128 << 10);

  /**
   * The homogeneous baseline: the profiles' common cache budget of 65 % of the heap, split 60:40
   * between reads and writes (Cruz 2016, §3.1.3).
   */
  public static final Profile HOMOGENEOUS = new Profile("HOMOGENEOUS", 0.39, 0.26, 32 << 10);

  public static final List<Profile> STANDARD = List.of(READ, WRITE, READ_WRITE, SCAN, HOMOGENEOUS);

  /** Of shares of the heap as engines report them. */
  public static final double PRECISION = 0.01;

  public Profile {
    if (!(cacheFraction > 0 && cacheFraction < 1)) {
      throw new IllegalArgumentException(
          "profile " + name + ": cacheFraction must be in (0, 1), not " + cacheFraction);
    }
    if (!(memstoreFraction > 0 && memstoreFraction < 1)) {
      throw new IllegalArgumentException(
          "profile " + name + ": memstoreFraction must be in (0, 1), not " + memstoreFraction);
    }
    if (cacheFraction + memstoreFraction > FRACTIONS_MAX + 1e-9) {
      throw new IllegalArgumentException(
          "profile "
              + name
              + ": cacheFraction + memstoreFraction must be at most "
              + FRACTIONS_MAX
              + ", not "
              + (cacheFraction + memstoreFraction));
    }
    if (blockSizeBytes <= 0) {
      throw new IllegalArgumentException(
          "profile " + name + ": blockSizeBytes must be > 0, not " + blockSizeBytes);
    }
  }

  /** Whether two profiles have the same cache share, to the precision that engines report (1 %). */
  public boolean sameCache(Profile other) {
    return Math.abs(cacheFraction - other.cacheFraction) < PRECISION;
  }

  /**
   * Whether two profiles have the same memory split, to the precision that engines report (1 %).
   */
  public boolean sameMemory(Profile other) {
    return sameCache(other) && Math.abs(memstoreFraction - other.memstoreFraction) < PRECISION;
  }
}
