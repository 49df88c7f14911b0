package io.trimtab.plugincore.ranking;

import java.util.concurrent.atomic.AtomicIntegerArray;

/** This coordinator's requests that have not been answered, by replica. */
final class Outstanding {
  private final AtomicIntegerArray numbers;

  Outstanding(int replicas) {
    numbers = new AtomicIntegerArray(replicas);
  }

  void sent(int replica) {
    numbers.incrementAndGet(replica);
  }

  void ended(int replica) {
    // An answer after a timeout would be counted twice.
    numbers.accumulateAndGet(replica, 1, (number, one) -> Math.max(0, number - one));
  }

  int of(int replica) {
    return numbers.get(replica);
  }
}
