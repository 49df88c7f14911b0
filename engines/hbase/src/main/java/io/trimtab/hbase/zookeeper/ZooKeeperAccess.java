package io.trimtab.hbase.zookeeper;

import io.trimtab.engineapi.EngineException;
import io.trimtab.hbase.HBaseContact;

/** A connection with ZooKeeper that is opened when it is first needed. Thread-safe. */
public final class ZooKeeperAccess implements AutoCloseable {
  private final HBaseContact target;
  private ClusterZooKeeper zookeeper;
  private boolean closed;

  public ZooKeeperAccess(HBaseContact target) {
    this.target = target;
  }

  synchronized ClusterZooKeeper get() throws EngineException {
    if (closed) {
      throw new EngineException(target.zookeeper() + ": the connection was closed");
    }
    if (zookeeper == null) {
      zookeeper = ClusterZooKeeper.open(target);
    }
    return zookeeper;
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (zookeeper != null) {
      zookeeper.close();
      zookeeper = null;
    }
  }
}
