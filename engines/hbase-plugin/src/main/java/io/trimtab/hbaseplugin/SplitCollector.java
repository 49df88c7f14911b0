package io.trimtab.hbaseplugin;

import io.trimtab.plugincore.KeyImage;
import io.trimtab.plugincore.SplitAdvice;
import io.trimtab.plugincore.SplitTracker;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Takes the requests of a partition from many threads. None of them ever waits for another: each
 * leaves its request in one of a few small buffers, and whoever fills a buffer empties it into the
 * {@link SplitTracker}. A request that finds every buffer in use, or full while another thread has
 * the tracker, is not counted; those are few, and no key more than any other. Thread-safe.
 */
public final class SplitCollector {
  private static final int STRIPES = 4;
  private static final int ROOM = 32;

  /** A buffer; the flag says that a thread is at it. */
  private static final class Stripe {
    private final AtomicBoolean taken = new AtomicBoolean();
    private final long[] numbers = new long[ROOM];
    private KeyImage by;
    private int count;
  }

  private final SplitTracker tracker;
  private final ReentrantLock trackerLock = new ReentrantLock();
  private final Stripe[] stripes = new Stripe[STRIPES];
  private final LongAdder missed = new LongAdder();

  /**
   * @param start of the partition, inclusive; empty where it is open
   * @param end of the partition, exclusive; empty where it is open
   */
  public SplitCollector(byte[] start, byte[] end) {
    this(new SplitTracker(start, end));
  }

  private SplitCollector(SplitTracker tracker) {
    this.tracker = tracker;
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new Stripe();
    }
  }

  /** A read or write of one key; the array is not kept. */
  public void add(byte[] array, int offset, int length) {
    KeyImage images = tracker.images();
    if (images == null || !images.covers(array, offset, length)) {
      rare(Arrays.copyOfRange(array, offset, offset + length));
      return;
    }
    long number = images.image(array, offset, length);
    int first = (int) Thread.currentThread().getId();
    for (int i = 0; i < STRIPES; i++) {
      Stripe stripe = stripes[(first + i) & (STRIPES - 1)];
      if (!stripe.taken.get() && stripe.taken.compareAndSet(false, true)) {
        try {
          add(stripe, images, number);
        } finally {
          stripe.taken.set(false);
        }
        return;
      }
    }
    missed.increment();
  }

  private void add(Stripe stripe, KeyImage by, long number) {
    if (stripe.by != by) {
      // What is left of the numbers before means nothing any more.
      missed.add(stripe.count);
      stripe.by = by;
      stripe.count = 0;
    }
    if (stripe.count == ROOM && !empty(stripe)) {
      missed.increment();
      return;
    }
    stripe.numbers[stripe.count++] = number;
    if (stripe.count == ROOM) {
      empty(stripe);
    }
  }

  private boolean empty(Stripe stripe) {
    if (!trackerLock.tryLock()) {
      return false;
    }
    try {
      tracker.add(stripe.by, stripe.numbers, stripe.count);
      stripe.count = 0;
      return true;
    } finally {
      trackerLock.unlock();
    }
  }

  /** The first keys, and a key that changes how keys become numbers. */
  private void rare(byte[] key) {
    if (!trackerLock.tryLock()) {
      missed.increment();
      return;
    }
    try {
      tracker.add(key);
    } finally {
      trackerLock.unlock();
    }
  }

  /**
   * A call of a scan, one request.
   *
   * @param from lowest key that it returned
   * @param to highest key that it returned
   */
  public void addScanCall(byte[] from, byte[] to) {
    if (!trackerLock.tryLock()) {
      missed.increment();
      return;
    }
    try {
      tracker.addScanCall(from, to);
    } finally {
      trackerLock.unlock();
    }
  }

  /** What is known now; may wait for a thread that is at the tracker. */
  public SplitAdvice advice() {
    trackerLock.lock();
    try {
      return tracker.advice();
    } finally {
      trackerLock.unlock();
    }
  }

  /** A collector for a daughter of this partition, which starts with the parent's counts. */
  public SplitCollector part(byte[] from, byte[] to) {
    trackerLock.lock();
    try {
      return new SplitCollector(tracker.part(from, to));
    } finally {
      trackerLock.unlock();
    }
  }

  /** Requests that were not counted because too many came at once. */
  public long missed() {
    return missed.sum();
  }
}
