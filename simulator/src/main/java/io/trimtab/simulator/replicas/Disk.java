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

  /** Nanoseconds until a read that comes now is let through. */
  long delay(long now) {
    long current = (now + offset) / SLICE_NS;
    if (current > slice) {
      slice = current;
      used = 0;
    }
    if (used >= Math.max(1, Math.round(readsPerSecond * SLICE_NS / 1e9))) {
      slice++;
      used = 0;
    }
    used++;
    return Math.max(0, slice * SLICE_NS - offset - now);
  }
}
