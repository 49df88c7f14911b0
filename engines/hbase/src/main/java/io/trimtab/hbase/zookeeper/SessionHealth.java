package io.trimtab.hbase.zookeeper;

import java.time.Duration;
import org.apache.zookeeper.Watcher.Event.KeeperState;

/** Whether a ZooKeeper session can still be relied on. Thread-safe. */
final class SessionHealth {
  private long trustNs;
  private boolean lost;
  private boolean disconnected;
  private long disconnectedAtNs;

  /**
   * What the server agreed to. A disconnected session counts as alive for two thirds of it: after
   * all of it the server may have given it up, and we would not have heard of it.
   */
  synchronized void agreed(Duration timeout) {
    trustNs = timeout.toNanos() * 2 / 3;
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
