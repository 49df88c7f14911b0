package io.trimtab.cassandraplugin;

import java.util.function.Supplier;
import org.apache.cassandra.service.ClientWarn;

/**
 * Reads of this node's own data where the read stage can't be wrapped. One begins where this node
 * comes first for a partition, and ends where Cassandra tells its latency, which it does in the
 * read's thread. Both are matched by the state of the client's request that Cassandra hands on to
 * that thread. What does not match is not counted: all partitions of a request but one, parts of
 * ranges, and reads for which this node comes second.
 */
final class OwnReads {
  private static final int SELF = 0;

  private final Outstanding begun = new Outstanding();

  /** The request for which this thread has begun a read last. */
  private final ThreadLocal<Object> last = new ThreadLocal<>();

  private final TimedReadStage.LocalReads reads;
  private final Supplier<?> request;

  OwnReads(TimedReadStage.LocalReads reads) {
    this(reads, ClientWarn.instance::get);
  }

  /**
   * @param request that this thread works for; null where that can't be told
   */
  OwnReads(TimedReadStage.LocalReads reads, Supplier<?> request) {
    this.reads = reads;
    this.request = request;
  }

  /** This node comes first for a partition, and is about to read it. */
  void begins(long now) {
    Object its = request.get();
    // The end of a request's read may be told after the request has begun the next one.
    if (its != null && its != last.get()) {
      last.set(its);
      reads.sent(now);
      begun.sent(System.identityHashCode(its), SELF, now, (self, after) -> reads.untold(now));
    }
  }

  /** A read of this node's own data has ended in this thread. */
  void ended(long now) {
    Object its = request.get();
    long took = its == null ? -1 : begun.took(System.identityHashCode(its), SELF, now);
    Served served = Served.current();
    if (took >= 0) {
      // Where reads wait, a thread goes from one to the next.
      long came = now - took;
      served.begin(came, Math.max(came, served.ended()));
      reads.ended(now, took);
    }
    served.end(now);
  }

  /** Forgets what has not ended in time: it failed, or never began. */
  void sweep(long now) {
    begun.sweep(now, reads.limit(), (self, after) -> reads.untold(now));
  }
}
