package io.trimtab.simulator.replicas;

/** A server's disk with a limit of its reads; first come, first served. */
final class Disk {
  /** Of the limits of Linux's control groups. */
  private static final long SLICE_NS = 100_000_000;

  private final long offset;
  private double readsPerSecond;
  private long slice;
  private long used;

  /**
   * @param offset nanoseconds by which its slices begin later than others'
   */
  Disk(double readsPerSecond, long offset) {
    this.readsPerSecond = readsPerSecond;
    this.offset = offset;
  }

  static long slice() {
    return SLICE_NS;
  }

  void limit(double now) {
    readsPerSecond = now;
  }

  /** Nanoseconds that a read would wait that comes now. */
  long ahead(long now) {
    long current = (now + offset) / SLICE_NS;
    if (current > slice) {
      return 0;
    }
    return Math.max(0, (slice + (isFull() ? 1 : 0)) * SLICE_NS - offset - now);
  }

  private boolean isFull() {
    return used >= Math.round(readsPerSecond * SLICE_NS / 1e9);
  }

  /** The same for one that does come. */
  long delay(long now) {
    long current = (now + offset) / SLICE_NS;
    if (current > slice) {
      slice = current;
      used = 0;
    } else if (isFull()) {
      slice++;
      used = 0;
    }
    used++;
    return Math.max(0, slice * SLICE_NS - offset - now);
  }
}
