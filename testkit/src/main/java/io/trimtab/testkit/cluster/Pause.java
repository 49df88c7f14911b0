package io.trimtab.testkit.cluster;

import java.time.Duration;

/** How verbs take their time: {@code clock::advance}, or what schedules several at once. */
@FunctionalInterface
public interface Pause {
  /**
   * Returns when so much virtual time has passed.
   *
   * @throws InterruptedException if what was asked for is given up and changes nothing; after any
   *     other exception the cluster goes on with it, and nobody waits for it
   */
  void sleep(Duration time) throws InterruptedException;
}
