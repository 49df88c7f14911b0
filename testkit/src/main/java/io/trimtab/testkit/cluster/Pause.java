package io.trimtab.testkit.cluster;

import java.time.Duration;

/** How verbs take their time: {@code clock::advance}, or what schedules several at once. */
@FunctionalInterface
public interface Pause {
  /** Returns when so much virtual time has passed. */
  void sleep(Duration time) throws InterruptedException;
}
