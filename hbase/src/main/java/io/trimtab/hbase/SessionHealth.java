package io.trimtab.hbase;

import java.time.Duration;
import org.apache.zookeeper.Watcher.Event.KeeperState;

/** Whether a ZooKeeper session can still be relied on. Thread-safe. */
final class SessionHealth {
  private final long trustNs;
  private boolean lost;
  private boolean disconnected;
  private long disconnectedAtNs;

  /**
   * @param trust for how long a disconnected session counts as alive; less than its time-out, as it
   *     may be over without our having heard of it
   */
  SessionHealth(Duration trust) {
    this.trustNs = trust.toNanos();
  }

  synchronized void follow(KeeperState state, long nowNs) {
    switch (state) {
      case SyncConnected -> disconnected = false;
      case Expired, Closed, AuthFailed -> lost = true;
      case Disconnected -> {
        if (!disconnected) {
          disconnected = true;
          disconnectedAtNs = nowNs;
        }
      }
      default -> {}
    }
  }

  synchronized boolean alive(long nowNs) {
    return !lost && (!disconnected || nowNs - disconnectedAtNs < trustNs);
  }
}
