package io.trimtab.hbase.zookeeper;

import io.trimtab.engineapi.EngineException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.ServerName;

/**
 * Which servers were emptied on purpose. HBase forgets that when such a server stops, and lists it
 * among the dead from then on; without this record a node that was removed by plan would look like
 * one that broke. Kept in ZooKeeper, so that it outlives the controller.
 */
public final class DrainedServers {
  private final ZooKeeperAccess zookeeper;
  private final String folder;
  private final Set<ServerName> known = ConcurrentHashMap.newKeySet();

  public DrainedServers(ZooKeeperAccess zookeeper, String clusterId) {
    this.zookeeper = zookeeper;
    this.folder = "/trimtab/" + clusterId + "/drained";
  }

  public void add(ServerName server) throws EngineException {
    zookeeper.get().ensure(folder + "/" + server, "");
    known.add(server);
  }

  public void remove(ServerName server) throws EngineException {
    zookeeper.get().delete(folder + "/" + server);
    known.remove(server);
  }

  /** The dead servers that broke: a server that was drained and then stopped is not missed. */
  public List<ServerName> broken(List<ServerName> dead) throws EngineException {
    if (!known.containsAll(dead)) {
      zookeeper.get().children(folder).stream().map(ServerName::valueOf).forEach(known::add);
    }
    return dead.stream().filter(server -> !known.contains(server)).toList();
  }
}
