package io.trimtab.cassandraplugin;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntSupplier;
import org.apache.cassandra.concurrent.ExecutionFailure;

/**
 * Local reads in the thread of the client's request instead of the read stage (Wu 2018, §4.3): of
 * single partitions, while no read waits, and so many at a time. While one runs its request does
 * nothing else: it can't be hedged.
 */
final class InlineReads {
  /** JVM property: whether they are on at the start. */
  static final String ON = "trimtab.inlineReads";

  /** Why they stay off. */
  static final String IMPOSSIBLE =
      "reads in the thread of the request need Cassandra 5.0: this one has no hook for them";

  private final IntSupplier waiting;
  private final IntSupplier most;
  private final AtomicInteger running = new AtomicInteger();
  private final LongAdder done = new LongAdder();
  private final boolean possible;
  private volatile boolean on;

  /**
   * @param waiting reads that wait in the read stage
   * @param most reads that may run in requests' threads at a time
   */
  InlineReads(IntSupplier waiting, IntSupplier most, boolean on) {
    this.waiting = waiting;
    this.most = most;
    this.possible = true;
    this.on = on;
  }

  /** Where Cassandra has no hook for them: off for ever. */
  InlineReads() {
    this.waiting = () -> 0;
    this.most = () -> 0;
    this.possible = false;
  }

  boolean isOn() {
    return on;
  }

  /**
   * @throws IllegalStateException if they can't be
   */
  void on(boolean now) {
    if (now && !possible) {
      throw new IllegalStateException(IMPOSSIBLE);
    }
    on = now;
  }

  /** Reads that were run in requests' threads. */
  long done() {
    return done.sum();
  }

  /** Runs a read at once, as the read stage would; false if it has to wait its turn there. */
  boolean ran(Runnable read) {
    if (!on || waiting.getAsInt() > 0) {
      return false;
    }
    if (running.incrementAndGet() > most.getAsInt()) {
      running.decrementAndGet();
      return false;
    }
    try {
      read.run();
    } catch (Throwable t) {
      // Whoever waits for it has been told.
      ExecutionFailure.handle(t);
    } finally {
      running.decrementAndGet();
    }
    done.increment();
    return true;
  }
}
