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

  private static final class Counts {
    private final AtomicLongArray[] of = new AtomicLongArray[Component.values().length];

    /** Of the reads in a bin of the response time: nanoseconds that they waited. */
    private final AtomicLongArray waited = new AtomicLongArray(BINS);

    /** The same for which they were served. */
    private final AtomicLongArray served = new AtomicLongArray(BINS);

    Counts() {
      for (int i = 0; i < of.length; i++) {
        of[i] = new AtomicLongArray(BINS);
      }
    }

    void add(Component component, long value) {
      of[component.ordinal()].incrementAndGet(bin(value));
    }
  }

  private volatile Counts counts;

  boolean isOn() {
    return counts != null;
  }

  /** Counts from zero on, or no more. */
  void on(boolean now) {
    counts = now ? new Counts() : null;
  }

  /** An answer that took so long, and what it told. */
  void record(Told told, long took) {
    Counts its = counts;
    if (its == null || !told.isKnown()) {
      return;
    }
    its.add(Component.QUEUE, told.queued);
    its.add(Component.WAITING, told.waited);
    its.add(Component.SERVICE, told.service);
    its.add(Component.NETWORK, Math.max(0, took - told.waited - told.service));
    its.add(Component.RESPONSE, took);
    int bin = bin(took);
    its.waited.addAndGet(bin, told.waited);
    its.served.addAndGet(bin, told.service);
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
    Counts its = counts;
    Component which = Component.valueOf(component);
    return its == null
        ? new long[0][]
        : rows(its, which, (of, bin) -> new long[] {least(bin), of.get(bin)});
  }

  /**
   * Of what the response time of the same reads consists: the least value of each bin that has any,
   * how many nanoseconds its reads waited, and how many they were served, together.
   */
  long[][] responseParts() {
    Counts its = counts;
    return its == null
        ? new long[0][]
        : rows(
            its,
            Component.RESPONSE,
            (of, bin) -> new long[] {least(bin), its.waited.get(bin), its.served.get(bin)});
  }

  /** What is said of a bin. */
  private interface RowOfBin {
    long[] of(AtomicLongArray counts, int bin);
  }

  private static long[][] rows(Counts counts, Component component, RowOfBin row) {
    AtomicLongArray of = counts.of[component.ordinal()];
    return IntStream.range(0, BINS)
        .filter(bin -> of.get(bin) > 0)
        .mapToObj(bin -> row.of(of, bin))
        .toArray(long[][]::new);
  }
}
