package io.trimtab.cassandraplugin;

import io.trimtab.plugincore.ranking.Told;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;

/**
 * Of what the time of each read consists, by what replicas say of themselves: counts in bins, each
 * 1/{@value #PARTS} of a power of two wide. Off until it is switched on; thread-safe.
 */
final class Components {
  /** Bins of a power of two. */
  static final int PARTS = 32;

  private static final int PART_BITS = 5;
  private static final int BINS = Long.SIZE * PARTS;

  /** Of an answer. Times are nanoseconds. */
  enum Component {
    /** Reads that waited or ran at the replica when it answered. */
    QUEUE,
    /** Time that the read waited there. */
    WAITING,
    /** Time that the replica worked on it. */
    SERVICE,
    /** All the rest between the coordinator and the replica, there and back. */
    NETWORK,
    /** From sending to receiving. */
    RESPONSE
  }

  private volatile AtomicLongArray[] counts;

  boolean isOn() {
    return counts != null;
  }

  /** Counts from zero on, or no more. */
  void on(boolean now) {
    if (!now) {
      counts = null;
      return;
    }
    AtomicLongArray[] fresh = new AtomicLongArray[Component.values().length];
    for (int i = 0; i < fresh.length; i++) {
      fresh[i] = new AtomicLongArray(BINS);
    }
    counts = fresh;
  }

  /** An answer that took so long, and what it told. */
  void record(Told told, long took) {
    AtomicLongArray[] its = counts;
    if (its == null || !told.isKnown()) {
      return;
    }
    add(its, Component.QUEUE, told.queued);
    add(its, Component.WAITING, told.waited);
    add(its, Component.SERVICE, told.service);
    add(its, Component.NETWORK, Math.max(0, took - told.waited - told.service));
    add(its, Component.RESPONSE, took);
  }

  private static void add(AtomicLongArray[] counts, Component component, long value) {
    counts[component.ordinal()].incrementAndGet(bin(value));
  }

  static int bin(long value) {
    long its = Math.max(0, value);
    if (its < PARTS) {
      return (int) its;
    }
    int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(its);
    return (power - PART_BITS + 1) * PARTS + (int) (its >>> (power - PART_BITS)) - PARTS;
  }

  /** The least value of a bin. */
  static long least(int bin) {
    if (bin < PARTS) {
      return bin;
    }
    int power = bin / PARTS + PART_BITS - 1;
    return (long) (PARTS + bin % PARTS) << (power - PART_BITS);
  }

  /**
   * What has been counted: the least value of each bin that has any, and how many.
   *
   * @throws IllegalArgumentException if there is no such component
   */
  long[][] counted(String component) {
    AtomicLongArray[] its = counts;
    int which = Component.valueOf(component).ordinal();
    if (its == null) {
      return new long[0][];
    }
    return IntStream.range(0, BINS)
        .filter(bin -> its[which].get(bin) > 0)
        .mapToObj(bin -> new long[] {least(bin), its[which].get(bin)})
        .toArray(long[][]::new);
  }
}
