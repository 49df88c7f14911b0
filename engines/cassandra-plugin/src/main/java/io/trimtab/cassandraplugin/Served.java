package io.trimtab.cassandraplugin;

import io.trimtab.plugincore.ranking.Told;

/** The read that a thread of the read stage works on. */
final class Served {
  private static final ThreadLocal<Served> CURRENT = ThreadLocal.withInitial(Served::new);

  private boolean serving;
  private long enqueued;
  private long began;
  private long ended;

  static Served current() {
    return CURRENT.get();
  }

  void begin(long itsEnqueued, long now) {
    serving = true;
    enqueued = itsEnqueued;
    began = now;
  }

  void end() {
    serving = false;
  }

  /** The same, for {@link #ended}. */
  void end(long now) {
    serving = false;
    ended = now;
  }

  /** When the thread's last read ended; 0 if that is not known. */
  long ended() {
    return ended;
  }

  boolean isServing() {
    return serving;
  }

  /** When it came, while {@link #isServing}. */
  long came() {
    return enqueued;
  }

  /** Says how long it waited and was worked on until now. */
  void tell(long now, Told told) {
    told.waited = Math.max(0, began - enqueued);
    told.service = Math.max(0, now - began);
  }
}
