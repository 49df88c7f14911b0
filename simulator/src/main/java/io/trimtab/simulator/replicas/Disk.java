package io.trimtab.simulator.replicas;

/**
 * A server's disk with a limit of its reads, as Linux's control groups limit them; first come,
 * first served.
 */
final class Disk {
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
    return used >= share();
  }

  private long share() {
    return Math.round(readsPerSecond * SLICE_NS / 1e9);
  }

  /**
   * What slices have left over comes to the next, but not more than one slice's: the kernel does
   * not forget the last one.
   */
  private void begin(long current) {
    long left = share() * (current - slice) - used;
    used = -Math.max(0, Math.min(share(), left));
    slice = current;
  }

  /** The same for one that does come. */
  long delay(long now) {
    long current = (now + offset) / SLICE_NS;
    if (current > slice) {
      begin(current);
    } else if (isFull()) {
      slice++;
      used = 0;
    }
    used++;
    return Math.max(0, slice * SLICE_NS - offset - now);
  }
}
