package io.trimtab.testkit.cluster;

import java.time.Duration;

/**
 * How long verbs take in virtual time.
 *
 * @param move of a partition, and of other verbs that only close and open
 * @param change of a setting or a profile while the node runs
 * @param restart until the node serves again
 * @param start until a new node serves, without the data it streams
 * @param recovery from a node's death until others serve its partitions
 * @param balance between two moves of the native balancer
 * @param compactBytesPerSecond that a compaction or cleanup rewrites
 * @param streamBytesPerSecond that a joining or leaving node of a ring streams
 */
public record VerbTimes(
    Duration move,
    Duration change,
    Duration restart,
    Duration start,
    Duration recovery,
    Duration balance,
    double compactBytesPerSecond,
    double streamBytesPerSecond) {
  public static final VerbTimes DEFAULTS =
      new VerbTimes(
          Duration.ofMillis(500),
          Duration.ofMillis(200),
          Duration.ofSeconds(20),
          Duration.ofSeconds(31),
          Duration.ofSeconds(30),
          Duration.ofSeconds(60),
          100e6,
          200e6);

  Duration compaction(double bytes) {
    return Duration.ofMillis((long) (1000 * bytes / compactBytesPerSecond));
  }

  Duration streaming(double bytes) {
    return Duration.ofMillis((long) (1000 * bytes / streamBytesPerSecond));
  }
}
