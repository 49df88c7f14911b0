package io.trimtab.cassandraplugin;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * When reads were sent that have not been answered. Nothing is allocated, and nothing is kept for
 * ever: a newer read takes the place of an older one that happens to have the same, and that one
 * counts as lost.
 */
final class Outstanding {
  private static final int SLOTS = 1 << 16;
  private static final int PEER_BITS = 10;
  private static final long EMPTY = 0;

  /** Gets a peer whose answer is not waited for any more, and for how long it was. */
  interface Lost {
    void of(int peer, long after);
  }

  private final AtomicLongArray keys = new AtomicLongArray(SLOTS);
  private final AtomicLongArray times = new AtomicLongArray(SLOTS);

  private static long key(long id, int peer) {
    return (id << PEER_BITS | peer) + 1;
  }

  private static int peer(long key) {
    return (int) (key - 1 & (1 << PEER_BITS) - 1);
  }

  private static int slot(long key) {
    return (int) (key * 0x9E3779B97F4A7C15L >>> 48);
  }

  /**
   * @param id of the message; several nodes may get the same one
   * @param lost gets the peer of a read whose place it takes
   */
  void sent(long id, int peer, long now, Lost lost) {
    long key = key(id, peer);
    int slot = slot(key);
    long then = times.getAndSet(slot, now);
    long before = keys.getAndSet(slot, key);
    if (before != EMPTY) {
      lost.of(peer(before), now - then);
    }
  }

  /** Nanoseconds since it was sent; negative if that is not known, or was asked before. */
  long took(long id, int peer, long now) {
    long key = key(id, peer);
    int slot = slot(key);
    // Before the place is free for another one.
    long then = times.get(slot);
    return keys.compareAndSet(slot, key, EMPTY) ? now - then : -1;
  }

  /** Forgets what is older, of which nobody waits for an answer. */
  void sweep(long now, long olderThan, Lost lost) {
    for (int slot = 0; slot < SLOTS; slot++) {
      long key = keys.get(slot);
      long age = now - times.get(slot);
      if (key != EMPTY && age > olderThan && keys.compareAndSet(slot, key, EMPTY)) {
        lost.of(peer(key), age);
      }
    }
  }

  /** How many reads are waited for. */
  int count() {
    int count = 0;
    for (int slot = 0; slot < SLOTS; slot++) {
      count += keys.get(slot) == EMPTY ? 0 : 1;
    }
    return count;
  }
}
