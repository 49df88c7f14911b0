package io.trimtab.hbase.zookeeper;

import io.trimtab.engineapi.EngineException;
import io.trimtab.hbase.HBaseContact;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.ServerName;

/**
 * Which RegionServers have registered with ZooKeeper: they live and serve, whether there is a
 * master or not. Thread-safe.
 */
public final class LivingServers {
  private final ZooKeeperAccess zookeeper;
  private final String folder;

  public LivingServers(ZooKeeperAccess zookeeper, HBaseContact target) {
    this.zookeeper = zookeeper;
    this.folder = folder(target);
  }

  /** Where HBase has them registered. */
  static String folder(HBaseContact target) {
    return target.znodeParent() + "/rs";
  }

  /** One for each name: of one that was started again the process before may be listed, too. */
  public List<ServerName> list() throws EngineException {
    Map<String, ServerName> latest = new TreeMap<>();
    for (String name : zookeeper.get().children(folder)) {
      ServerName server = ServerName.valueOf(name);
      latest.merge(
          server.getAddress().toString(),
          server,
          (a, b) -> a.getStartcode() > b.getStartcode() ? a : b);
    }
    return List.copyOf(latest.values());
  }
}
