package io.trimtab.hbase;

import io.trimtab.engineapi.EngineException;
import io.trimtab.hbase.security.Kerberos;
import io.trimtab.hbase.security.KerberosLogin;
import io.trimtab.hbase.security.Protection;
import io.trimtab.hbase.security.SiteFolders;
import io.trimtab.hbase.security.ZooKeeperUser;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.zookeeper.ZKConfig;
import org.apache.zookeeper.client.ZKClientConfig;

/**
 * Which cluster to connect to.
 *
 * @param client properties of a client's {@code hbase-site.xml}; {@code hbase.zookeeper.quorum} at
 *     least
 * @param nameNode HDFS's {@code host:port} for HTTP; empty asks the master's configuration
 * @param connectLimit approximate time limit for an unreachable cluster, 1 s to 5 min
 * @param protection what protects the connections
 */
public record HBaseContact(
    Map<String, String> client,
    Optional<String> nameNode,
    Duration connectLimit,
    Protection protection) {

  private static final int PORT_MAX = 65_535;
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
    for (String server : servers(client).split(",")) {
      String port = server.substring(server.lastIndexOf(':') + 1);
      if (!port.matches("\\d{1,5}") || Integer.parseInt(port) > PORT_MAX) {
        throw new IllegalArgumentException("ZooKeeper server " + server + " has no valid port");
      }
    }
    if (connectLimit.compareTo(Duration.ofSeconds(1)) < 0
        || connectLimit.compareTo(Duration.ofMinutes(5)) > 0) {
      throw new IllegalArgumentException("connectLimit must be 1 s to 5 min, not " + connectLimit);
    }
  }

  /** Of a cluster whose connections are not protected. */
  public HBaseContact(
      Map<String, String> client, Optional<String> nameNode, Duration connectLimit) {
    this(client, nameNode, connectLimit, Protection.NONE);
  }

  /**
   * By the files that HBase's own clients read, taken as they are.
   *
   * @param folders each with some of {@code core-site.xml}, {@code hdfs-site.xml} and {@code
   *     hbase-site.xml}; later ones go first
   * @throws IllegalArgumentException naming a folder or file that is missing or can't be read
   */
  public static HBaseContact ofFolders(List<Path> folders) {
    return of(SiteFolders.read(folders));
  }

  public HBaseContact with(Protection another) {
    return new HBaseContact(client, nameNode, connectLimit, another);
  }

  /** With the address of HDFS's information page, {@code host:port}. */
  public HBaseContact withNameNode(Optional<String> address) {
    return new HBaseContact(client, address, connectLimit, protection);
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

  public Configuration configuration() {
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
    return servers(client);
  }

  private static String servers(Map<String, String> client) {
    String port = client.getOrDefault("hbase.zookeeper.property.clientPort", "2181").strip();
    StringBuilder servers = new StringBuilder();
    for (String server : client.get("hbase.zookeeper.quorum").split(",")) {
      String name = server.strip();
      servers
          .append(servers.isEmpty() ? "" : ",")
          .append(name.contains(":") ? name : name + ":" + port);
    }
    return servers.toString();
  }

  /** Whether HBase's information pages are served by HTTPS. */
  public boolean httpsPages() {
    return protection
        .https()
        .orElseGet(() -> Boolean.parseBoolean(client.getOrDefault("hbase.ssl.enabled", "false")));
  }

  /**
   * What ZooKeeper's client needs: TLS and the like as HBase takes it, from the settings that begin
   * with {@code hbase.zookeeper.property.}, and a user where there is Kerberos.
   *
   * @throws EngineException if this process can't be that user
   */
  public ZKClientConfig zookeeperClient() throws EngineException {
    ZKClientConfig config = ZKConfig.getZKClientConfig(configuration());
    if (knownToZooKeeper()) {
      Kerberos how = protection.kerberos().orElseThrow();
      try {
        // ZooKeeper's own client goes on as nobody where it can't log in.
        KerberosLogin.open(how, configuration()).close();
        ZooKeeperUser.logIn(how, config);
      } catch (IOException e) {
        throw HBaseErrors.failed("Kerberos, " + how, e);
      }
    }
    return config;
  }

  /** Whether this side has a user at ZooKeeper, to whom alone its znodes then belong. */
  public boolean knownToZooKeeper() {
    return protection.kerberos().filter(Kerberos::zookeeper).isPresent();
  }

  public String znodeParent() {
    return client.getOrDefault("zookeeper.znode.parent", "/hbase");
  }

  /** Without the properties, which may have passwords. */
  @Override
  public String toString() {
    return "HBase by " + zookeeper() + znodeParent() + ", " + protection;
  }
}
