package io.trimtab.cassandraplugin;

import io.trimtab.plugincore.ranking.Told;
import io.trimtab.plugincore.ranking.Views;
import java.nio.ByteBuffer;

/**
 * What this node knows of replicas, as messages carry it: entries of {@link Views} of eight bytes
 * each, in which a replica has the number that all nodes use.
 */
final class Hearsay {
  /** Entries of a message. */
  static final int ENTRIES = 25;

  private static final int REPLICA_AT = 48;
  private static final long REST = (1L << REPLICA_AT) - 1;
  private static final byte[] NOTHING = {};

  private final Peers peers;
  private final Views views;
  private final ThreadLocal<long[]> entries = ThreadLocal.withInitial(() -> new long[ENTRIES]);

  Hearsay(Peers peers, Views views) {
    this.peers = peers;
    this.views = views;
  }

  /** How a replica is, to be passed on. */
  void learn(int peer, long now, Told told) {
    views.learn(peer, now, told.queued, told.recentService);
  }

  /** How many reads wait or run here now, to be passed on with each message. */
  void refresh(int self, long now, int queued) {
    views.refresh(self, now, queued);
  }

  /** Empty if nothing new is known. */
  byte[] tell(long now) {
    long[] some = entries.get();
    int count = views.tell(now, peers.count(), some);
    int kept = 0;
    for (int i = 0; i < count; i++) {
      int shared = peers.shared((int) (some[i] >>> REPLICA_AT));
      if (shared != Peers.NONE) {
        some[kept++] = (long) shared << REPLICA_AT | some[i] & REST;
      }
    }
    if (kept == 0) {
      return NOTHING;
    }
    ByteBuffer bytes = ByteBuffer.allocate(kept * Long.BYTES);
    for (int i = 0; i < kept; i++) {
      bytes.putLong(some[i]);
    }
    return bytes.array();
  }

  /**
   * Takes over what is newer; replicas that this node does not know are skipped, and so is what is
   * no entry.
   *
   * @param bytes null where a node says nothing
   * @param travelled that they were on their way, in nanoseconds
   */
  void hear(byte[] bytes, long now, long travelled) {
    if (bytes == null || bytes.length % Long.BYTES != 0) {
      return;
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    long[] some = entries.get();
    int count = 0;
    while (in.hasRemaining() && count < ENTRIES) {
      long entry = in.getLong();
      int own = peers.own((int) (entry >>> REPLICA_AT));
      if (own != Peers.NONE) {
        some[count++] = (long) own << REPLICA_AT | entry & REST;
      }
    }
    views.hear(now, travelled, some, count);
  }
}
