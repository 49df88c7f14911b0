package io.trimtab.hbaseplugin;

import io.trimtab.hbasewire.ResizeRequest;

/**
 * Changes a memory split in an order that never lets cache and memstore together exceed the limit,
 * not even in between: what shrinks does so first, and nothing grows before there is room.
 *
 * <p>A memstore limit below what the memstores hold would block all updates until they are flushed.
 * So the flushes are started first and the step is left {@code pending}; the caller asks again, and
 * the limit falls when the memstores fit under it, or when he insists. That needs no thread of the
 * plug-in's own, and a caller that dies leaves a split that is smaller than allowed, never a larger
 * one.
 */
final class MemoryResizer {
  /** HBase refuses to start when the two take more of the heap than this. */
  static final double FRACTIONS_MAX = 0.8;

  /** Less would leave a server that can hardly work; HBase's own tuner stops here too. */
  static final double FRACTION_MIN = 0.05;

  /** Memstores must fit with this much room, or the next updates would block again. */
  static final double ROOM = 0.9;

  private static final double EPSILON = 1e-9;

  private final ServerMemory memory;

  MemoryResizer(ServerMemory memory) {
    this.memory = memory;
  }

  /**
   * Does what can be done now.
   *
   * @return whether the rest must be asked for again
   * @throws IllegalArgumentException a one-line refusal; nothing has changed then
   */
  synchronized boolean resize(ResizeRequest request) {
    check(request);
    long heap = memory.heapMaxBytes();
    long cache = (long) (heap * request.cacheFraction());
    long memstore = (long) (heap * request.memstoreFraction());
    if (cache < memory.cacheMaxBytes()) {
      memory.setCacheMaxBytes(cache);
    }
    if (memstore < memory.memstoreMaxBytes()) {
      if (memory.memstoreUsedBytes() > ROOM * memstore && !request.force()) {
        memory.flushDownTo((long) (ROOM * memstore));
        return true;
      }
      memory.setMemstoreMaxBytes(memstore);
    }
    if (cache > memory.cacheMaxBytes()) {
      memory.setCacheMaxBytes(cache);
    }
    if (memstore > memory.memstoreMaxBytes()) {
      memory.setMemstoreMaxBytes(memstore);
    }
    return false;
  }

  private void check(ResizeRequest request) {
    fraction("cache_fraction", request.cacheFraction());
    fraction("memstore_fraction", request.memstoreFraction());
    double sum = request.cacheFraction() + request.memstoreFraction();
    if (sum > FRACTIONS_MAX + EPSILON) {
      throw new IllegalArgumentException(
          "cache and memstore together may take at most "
              + FRACTIONS_MAX
              + " of the heap, not "
              + sum);
    }
    String reason = memory.notResizable();
    if (!reason.isEmpty()) {
      throw new IllegalArgumentException(reason);
    }
  }

  private static void fraction(String name, double value) {
    // Also refuses NaN.
    if (!(value >= FRACTION_MIN && value <= FRACTIONS_MAX)) {
      throw new IllegalArgumentException(
          name + " must be in [" + FRACTION_MIN + ", " + FRACTIONS_MAX + "], not " + value);
    }
  }
}
