package io.trimtab.engineapi.snapshot;

import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;

/**
 * The moment at which a snapshot was read.
 *
 * @param wall when reading it began, by the wall clock, which may jump
 * @param ns when reading its counters began, by a clock that does not jump, in nanoseconds; empty
 *     in older files
 */
public record ReadTime(Instant wall, OptionalLong ns) {

  /**
   * Seconds since an earlier moment, for rates; by the wall clock only if one of the two has no
   * other time. Not positive if the other is not earlier.
   */
  public double secondsSince(ReadTime earlier) {
    return ns.isPresent() && earlier.ns.isPresent()
        ? (ns.getAsLong() - earlier.ns.getAsLong()) / 1e9
        : Duration.between(earlier.wall, wall).toMillis() / 1e3;
  }
}
