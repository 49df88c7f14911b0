package io.trimtab.hbase;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;

/**
 * Which cluster to connect to.
 *
 * @param client properties of a client's {@code hbase-site.xml}; {@code hbase.zookeeper.quorum} at
 *     least
 * @param nameNode HDFS's {@code host:port} for HTTP; empty asks the master's configuration
 * @param connectLimit approximate time limit for an unreachable cluster, 1 s to 5 min
 */
public record HBaseContact(
    Map<String, String> client, Optional<String> nameNode, Duration connectLimit) {

  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(10);

  /**
   * HBase's own defaults retry for many minutes. Verbs have time limits and retry by themselves.
   */
  private static final Map<String, String> CALM =
      Map.of(
          "hbase.client.retries.number", "4",
          "hbase.client.pause", "200",
          "hbase.rpc.timeout", "15000",
          "hbase.client.operation.timeout", "30000",
          "hbase.client.meta.operation.timeout", "30000",
          "zookeeper.recovery.retry", "1",
          "hbase.client.sync.wait.timeout.msec", "600000");

  public HBaseContact {
    client = Map.copyOf(client);
    if (client.getOrDefault("hbase.zookeeper.quorum", "").isBlank()) {
      throw new IllegalArgumentException("hbase.zookeeper.quorum is missing");
    }
    if (connectLimit.compareTo(Duration.ofSeconds(1)) < 0
        || connectLimit.compareTo(Duration.ofMinutes(5)) > 0) {
      throw new IllegalArgumentException("connectLimit must be 1 s to 5 min, not " + connectLimit);
    }
  }

  public static HBaseContact of(Map<String, String> client) {
    return new HBaseContact(client, Optional.empty(), CONNECT_LIMIT);
  }

  /**
   * @param quorum {@code host[,host…][:port]} or {@code host:port[,host:port…]}
   */
  public static HBaseContact of(String quorum) {
    Map<String, String> client = new HashMap<>();
    client.put("hbase.zookeeper.quorum", quorum);
    int colon = quorum.lastIndexOf(':');
    if (colon > 0) {
      // HBase takes ports inside the quorum, and needs this one for those without.
      client.put("hbase.zookeeper.property.clientPort", quorum.substring(colon + 1));
    }
    return of(client);
  }

  Configuration configuration() {
    Configuration conf = HBaseConfiguration.create();
    CALM.forEach(conf::set);
    client.forEach(conf::set);
    return conf;
  }

  /** For a connection that sends each request once, whatever the client's own settings say. */
  Configuration unretried() {
    Configuration conf = configuration();
    conf.set("hbase.client.retries.number", "0");
    return conf;
  }

  /** ZooKeeper's servers, as its own client takes them. */
  public String zookeeper() {
    String port = client.getOrDefault("hbase.zookeeper.property.clientPort", "2181");
    StringBuilder servers = new StringBuilder();
    for (String server : client.get("hbase.zookeeper.quorum").split(",")) {
      String name = server.strip();
      servers
          .append(servers.isEmpty() ? "" : ",")
          .append(name.contains(":") ? name : name + ":" + port);
    }
    return servers.toString();
  }

  public String znodeParent() {
    return client.getOrDefault("zookeeper.znode.parent", "/hbase");
  }
}
