package io.trimtab.hbase.zookeeper;

import io.trimtab.engineapi.ControlAccess;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.SharedState;
import io.trimtab.hbase.HBaseContact;
import org.apache.hadoop.hbase.ClusterId;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.apache.hadoop.hbase.zookeeper.ZKMetadata;

/** What an HBase cluster keeps about its controllers: only ZooKeeper is asked, not the master. */
public final class ZooKeeperControl implements ControlAccess {
  private final ZooKeeperAccess access;
  private final String clusterId;
  private final ZooKeeperState shared;

  private ZooKeeperControl(ZooKeeperAccess access, String clusterId) {
    this.access = access;
    this.clusterId = clusterId;
    this.shared = new ZooKeeperState(access, clusterId);
  }

  /**
   * @throws EngineException when no ZooKeeper answers within {@link HBaseContact#connectLimit()},
   *     or no HBase was ever started with it
   */
  public static ZooKeeperControl connect(HBaseContact target) throws EngineException {
    ZooKeeperAccess access = new ZooKeeperAccess(target);
    boolean known = false;
    try {
      ZooKeeperControl control = new ZooKeeperControl(access, clusterId(target, access));
      known = true;
      return control;
    } finally {
      if (!known) {
        access.close();
      }
    }
  }

  /** The master writes it at its first start, and it stays. */
  private static String clusterId(HBaseContact target, ZooKeeperAccess access)
      throws EngineException {
    String path = target.znodeParent() + "/hbaseid";
    byte[] id =
        access
            .get()
            .read(path)
            .map(ClusterZooKeeper.ZNode::data)
            .orElseThrow(
                () ->
                    new EngineException(
                        target.zookeeper() + ": no HBase cluster is registered under " + path));
    try {
      return ClusterId.parseFrom(ZKMetadata.removeMetaData(id)).toString();
    } catch (DeserializationException e) {
      throw new EngineException(target.zookeeper() + ": " + path + " is no cluster's id", e);
    }
  }

  @Override
  public String clusterId() {
    return clusterId;
  }

  @Override
  public SharedState shared() {
    return shared;
  }

  @Override
  public void close() {
    access.close();
  }
}
