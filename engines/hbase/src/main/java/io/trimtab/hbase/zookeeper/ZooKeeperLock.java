package io.trimtab.hbase.zookeeper;

import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.EngineException;
import io.trimtab.hbase.HBaseContact;
import io.trimtab.host.ControllerId;
import java.util.function.LongSupplier;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Watcher.Event.KeeperState;

/**
 * An ephemeral node in the cluster's ZooKeeper: there is one controller per cluster, wherever it
 * runs, and it stops being the one when its process or its connection dies.
 */
public final class ZooKeeperLock implements ControlLock {
  private final ZooKeeperSession session;
  private final SessionHealth health;
  private final LongSupplier nanos;

  private ZooKeeperLock(ZooKeeperSession session, SessionHealth health, LongSupplier nanos) {
    this.session = session;
    this.health = health;
    this.nanos = nanos;
  }

  /**
   * @param owner the requester, for display
   * @throws EngineException naming the holder, when there is one that lives
   */
  public static ZooKeeperLock take(
      HBaseContact target, String clusterId, String owner, LongSupplier nanos)
      throws EngineException {
    SessionHealth health = new SessionHealth();
    ZooKeeperSession session =
        ZooKeeperSession.open(target, state -> health.follow(state, nanos.getAsLong()));
    health.agreed(session.timeout());
    try {
      acquire(session, path(clusterId), ControllerId.of(ProcessHandle.current(), owner), target);
      return new ZooKeeperLock(session, health, nanos);
    } catch (EngineException e) {
      session.close();
      throw e;
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
    health.follow(KeeperState.Closed, nanos.getAsLong());
    session.close();
  }
}
