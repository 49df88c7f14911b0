package io.trimtab.host.control;

import io.trimtab.engineapi.SharedState.Life;
import java.time.Duration;

/**
 * Tells whether the holder of a lock lives by a sign that it changes with each renewal: by the
 * watcher's own clock, so that no two clocks are compared. Thread-safe.
 */
public final class HolderWatch {
  private final Duration lease;
  private Object seen;
  private long sinceNs;
  private boolean changed;

  /**
   * @param lease after this much silence the lock is given away
   */
  public HolderWatch(Duration lease) {
    this.lease = lease;
  }

  /**
   * Takes note of what was just read.
   *
   * @param sign equal as long as the holder has not renewed its lock
   * @param sentAtNs when the read was sent, by a clock that goes on while the machine is suspended
   * @param answeredAtNs when it was answered
   */
  public synchronized Life look(Object sign, long sentAtNs, long answeredAtNs) {
    // The times of the reads are not known exactly: the shortest silence that they allow counts.
    boolean over = sentAtNs - sinceNs >= lease.toNanos();
    if (!sign.equals(seen)) {
      // A change since a look that is long past does not tell that it lives now.
      changed = seen != null && !over;
      seen = sign;
      sinceNs = answeredAtNs;
    } else if (over) {
      return Life.GONE;
    }
    return changed ? Life.LIVES : Life.UNKNOWN;
  }

  /** How long it takes until a holder that was silent at the last look is known to be gone. */
  public synchronized Duration left(long nowNs) {
    long leftNs = lease.toNanos() - (nowNs - sinceNs);
    return leftNs > 0 ? Duration.ofNanos(leftNs) : Duration.ZERO;
  }
}
