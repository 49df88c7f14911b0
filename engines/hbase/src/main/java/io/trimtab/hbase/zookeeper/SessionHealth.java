package io.trimtab.hbase.zookeeper;

import java.time.Duration;
import org.apache.zookeeper.Watcher.Event.KeeperState;

/**
 * Whether a ZooKeeper session can still be relied on: for two thirds of its timeout after the last
 * request that the server has answered, counted from when it was sent. After all of the timeout the
 * server may have given the session up, and a process that was frozen has not heard of it yet.
 * Thread-safe.
 */
final class SessionHealth {
  private final long trustNs;
  private long askedAtNs;
  private boolean lost;

  /**
   * @param timeout what the server agreed to
   * @param askedAtNs monotonic time after the session was opened and before its next request, in
   *     nanoseconds
   */
  SessionHealth(Duration timeout, long askedAtNs) {
    this.trustNs = timeout.toNanos() * 2 / 3;
    this.askedAtNs = askedAtNs;
  }

  /** A request that was sent at this time has been answered. */
  synchronized void answered(long sentAtNs) {
    askedAtNs = Math.max(askedAtNs, sentAtNs);
  }

  /** An ended session does not come back. */
  synchronized void follow(KeeperState state) {
    lost |=
        state == KeeperState.Expired
            || state == KeeperState.Closed
            || state == KeeperState.AuthFailed;
  }

  synchronized boolean alive(long nowNs) {
    return !lost && nowNs - askedAtNs < trustNs;
  }
}
