package io.trimtab.hbase.zookeeper;

import io.trimtab.engineapi.EngineException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.net.Address;

/**
 * Which servers were emptied on purpose. HBase forgets that when such a server stops, and lists it
 * among the dead from then on; without this record a node that was removed by plan would look like
 * one that broke. Kept in ZooKeeper, so that it outlives the controller.
 */
public final class DrainedServers {
  /**
   * For how long a server must be seen to take regions, since it was recorded, to count as reopened
   * by somebody. It takes some until HBase was told to drain it, and the master's page, which may
   * be the source, is ten seconds old.
   */
  private static final Duration REOPENED = Duration.ofMinutes(1);

  private final ZooKeeperAccess zookeeper;
  private final String folder;
  private final LongSupplier uptimeNs;

  /** When servers were seen to take regions. Of a dead one, before it died. */
  private final Map<ServerName, Open> seen = new HashMap<>();

  private record Open(long sinceNs, long untilNs) {}

  /**
   * @param uptimeNs a clock that does not jump
   */
  public DrainedServers(ZooKeeperAccess zookeeper, String clusterId, LongSupplier uptimeNs) {
    this.zookeeper = zookeeper;
    this.folder = "/trimtab/" + clusterId + "/drained";
    this.uptimeNs = uptimeNs;
  }

  public void add(ServerName server) throws EngineException {
    synchronized (this) {
      seen.remove(server);
    }
    zookeeper.get().ensure(folder + "/" + server, "");
  }

  public void remove(ServerName server) throws EngineException {
    zookeeper.get().delete(folder + "/" + server);
  }

  /** For who takes control: another one may have drained what was seen to take regions here. */
  public synchronized void lookAnew() {
    seen.clear();
  }

  /**
   * Removes what is recorded of servers that are gone.
   *
   * @param address by which they were reached, {@code host:port}
   */
  public void removeAll(String address) throws EngineException {
    for (ServerName server : recorded()) {
      if (server.getAddress().toString().equals(address)) {
        remove(server);
      }
    }
  }

  private Set<ServerName> recorded() throws EngineException {
    return zookeeper.get().children(folder).stream()
        .map(ServerName::valueOf)
        .collect(Collectors.toSet());
  }

  /**
   * Servers that broke and have not come back under their address; one for each address. One that
   * was drained and then stopped is not missed, unless it was reopened meanwhile. To be asked at
   * every look.
   *
   * @param draining of those that live, at least
   */
  public List<ServerName> broken(
      Set<ServerName> live, List<ServerName> draining, List<ServerName> dead)
      throws EngineException {
    Set<Address> alive = live.stream().map(ServerName::getAddress).collect(Collectors.toSet());
    Map<Address, ServerName> latest = new TreeMap<>();
    for (ServerName server : dead) {
      if (!alive.contains(server.getAddress())) {
        latest.merge(
            server.getAddress(), server, (a, b) -> a.getStartcode() > b.getStartcode() ? a : b);
      }
    }
    Set<ServerName> open = new HashSet<>(live);
    draining.forEach(open::remove);
    Set<ServerName> reopened = reopened(open, latest.values());
    // Without a question where no answer would matter: most clusters have no dead server.
    Set<ServerName> recorded = reopened.containsAll(latest.values()) ? Set.of() : recorded();
    return latest.values().stream()
        .filter(server -> reopened.contains(server) || !recorded.contains(server))
        .toList();
  }

  /** Those of the dead servers that took regions until they died, whatever is recorded. */
  private synchronized Set<ServerName> reopened(Set<ServerName> open, Collection<ServerName> dead) {
    long now = uptimeNs.getAsLong();
    seen.keySet().removeIf(server -> !open.contains(server) && !dead.contains(server));
    for (ServerName server : open) {
      seen.merge(server, new Open(now, now), (before, look) -> new Open(before.sinceNs(), now));
    }
    return dead.stream()
        .filter(seen::containsKey)
        .filter(
            server -> seen.get(server).untilNs() - seen.get(server).sinceNs() >= REOPENED.toNanos())
        .collect(Collectors.toSet());
  }
}
