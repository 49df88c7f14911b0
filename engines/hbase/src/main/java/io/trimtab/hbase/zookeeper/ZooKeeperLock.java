package io.trimtab.hbase.zookeeper;

import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.EngineException;
import io.trimtab.hbase.HBaseContact;
import io.trimtab.host.ControllerId;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An ephemeral node in the cluster's ZooKeeper: there is one controller per cluster, wherever it
 * runs, and it stops being the one when its process or its connection dies, or stands still.
 */
public final class ZooKeeperLock implements ControlLock {
  private static final Logger LOG = LoggerFactory.getLogger(ZooKeeperLock.class);

  /** Interval of the requests that show that the session lives. */
  private static final int ASKED_S = 3;

  private final ZooKeeperSession session;
  private final SessionHealth health;
  private final LongSupplier nanos;
  private final ScheduledExecutorService asking;

  private ZooKeeperLock(
      ZooKeeperSession session, SessionHealth health, String path, LongSupplier nanos) {
    this.session = session;
    this.health = health;
    this.nanos = nanos;
    this.asking =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread thread = new Thread(work, "zookeeper-lock");
              thread.setDaemon(true);
              return thread;
            });
    asking.scheduleWithFixedDelay(() -> ask(path), ASKED_S, ASKED_S, TimeUnit.SECONDS);
  }

  /**
   * @param owner the requester, for display
   * @throws EngineException naming the holder, when there is one that lives
   */
  public static ZooKeeperLock take(
      HBaseContact target, String clusterId, String owner, LongSupplier nanos)
      throws EngineException {
    AtomicReference<SessionHealth> follower = new AtomicReference<>();
    ZooKeeperSession session =
        ZooKeeperSession.open(
            target, state -> Optional.ofNullable(follower.get()).ifPresent(h -> h.follow(state)));
    SessionHealth health = new SessionHealth(session.timeout(), nanos.getAsLong());
    follower.set(health);
    String path = path(clusterId);
    try {
      acquire(session, path, ControllerId.of(ProcessHandle.current(), owner), target);
      return new ZooKeeperLock(session, health, path, nanos);
    } catch (EngineException e) {
      session.close();
      throw e;
    }
  }

  private void ask(String path) {
    long sentAtNs = nanos.getAsLong();
    try {
      session.read(path);
      health.answered(sentAtNs);
    } catch (EngineException e) {
      LOG.warn("the controller's lock could not be checked", e);
    }
  }

  static String path(String clusterId) {
    return "/trimtab/" + clusterId + "/controller";
  }

  private static void acquire(
      ZooKeeperSession session, String path, ControllerId self, HBaseContact target)
      throws EngineException {
    while (!session.create(path, self.text(), CreateMode.EPHEMERAL)) {
      String text = session.read(path);
      if (text.isEmpty()) {
        // Released between the two calls.
        continue;
      }
      ControllerId holder = ControllerId.parse(text);
      if (!holder.diedBeside(self)) {
        throw new EngineException(
            target.zookeeper() + ": another controller is in charge of this cluster: " + holder);
      }
      // Its session would last for some seconds more, and its process is known to be gone.
      session.delete(path);
    }
  }

  @Override
  public boolean held() {
    return health.alive(nanos.getAsLong());
  }

  @Override
  public void close() {
    health.follow(KeeperState.Closed);
    asking.shutdownNow();
    session.close();
  }
}
