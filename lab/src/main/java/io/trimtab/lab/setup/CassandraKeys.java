package io.trimtab.lab.setup;

import io.trimtab.cassandra.CassandraContact;
import io.trimtab.cassandra.CassandraContact.Credentials;
import io.trimtab.cassandra.CassandraContact.Protection;
import io.trimtab.cassandra.Keyspaces;
import io.trimtab.host.tls.Tls;
import io.trimtab.lab.cluster.LabDir;
import io.trimtab.lab.cluster.LabState;
import io.trimtab.workload.admin.CqlScript;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What makes a Cassandra lab secure: TLS with certificates on both sides for clients, between nodes
 * and for JMX; users with passwords; permissions. {@code trimtab} has those that a controller needs
 * and no others, {@code operator} has all.
 */
public final class CassandraKeys {
  private static final Logger LOG = LoggerFactory.getLogger(CassandraKeys.class);
  private static final String CQL = "cql.password";
  private static final String JMX = "jmx.password";
  private static final String OPERATOR = "operator.password";
  private static final String USER = "trimtab";

  /** By JMX, to whom a plan may be shown, but who may not act. */
  private static final String READER = "reader";

  private static final String READER_JMX = "reader.password";

  /** Nodes are numbered on and on; one certificate has the addresses of all that may ever be. */
  private static final int NODES_EVER = 200;

  /** One for each folder: stores are read when they have changed, and not for each connection. */
  private static final Map<Path, Tls> TLS = new ConcurrentHashMap<>();

  private final LabDir dir;
  private final LabState state;
  private final SecretFiles files;
  private final KeyStores stores;

  public CassandraKeys(LabDir dir, LabState state) {
    this.dir = dir;
    this.state = state;
    this.files = new SecretFiles(dir.secure());
    this.stores = new KeyStores(files);
  }

  /** Makes keys, certificates and passwords, before the first node starts. */
  public void create() {
    files.create();
    for (String name : List.of(CQL, JMX, OPERATOR, READER_JMX)) {
      files.password(name);
    }
    stores.create(IntStream.rangeClosed(1, NODES_EVER).mapToObj(state.addresses()::node));
    files.write(
        "jmxremote.password",
        "%s %s\n%s %s\n".formatted(USER, files.read(JMX), READER, files.read(READER_JMX)));
    files.write("jmxremote.access", USER + " readwrite\n" + READER + " readonly\n");
    files.write(
        "jmxremote.ssl",
        "javax.net.ssl.keyStore=%s\njavax.net.ssl.keyStorePassword=%s\n"
                .formatted(stores.store(KeyStores.NODE), stores.password())
            + "javax.net.ssl.trustStore=%s\njavax.net.ssl.trustStorePassword=%s\n"
                .formatted(stores.store(KeyStores.TRUST), stores.password()));
    files.write("first.conf", driver("cassandra", "cassandra"));
    files.write("driver.conf", driver("operator", files.read(OPERATOR)));
    files.write("connections.yaml", connections());
  }

  /** Keys of every cassandra.yaml. */
  public Map<String, String> settings() {
    String password = stores.password();
    String both =
        "keystore: %s, keystore_password: %s, truststore: %s, truststore_password: %s"
            .formatted(
                stores.store(KeyStores.NODE), password, stores.store(KeyStores.TRUST), password);
    Map<String, String> settings = new TreeMap<>();
    settings.put("authenticator", "{class_name: PasswordAuthenticator}");
    settings.put("authorizer", "{class_name: CassandraAuthorizer}");
    // A permission that is taken away holds soon; tests wait for it.
    settings.put("permissions_validity", "1000ms");
    settings.put("roles_validity", "1000ms");
    settings.put("credentials_validity", "1000ms");
    settings.put(
        "client_encryption_options",
        "{enabled: true, optional: false, require_client_auth: true, store_type: PKCS12, "
            + both
            + "}");
    settings.put(
        "server_encryption_options",
        // Where there is a key store, the default takes connections without TLS as well.
        "{internode_encryption: all, optional: false, require_client_auth: true,"
            + " store_type: PKCS12, "
            + both
            + "}");
    // The defaults ask one data centre's replicas, but those of users are anywhere on the ring.
    settings.put("auth_read_consistency_level", "QUORUM");
    settings.put("auth_write_consistency_level", "QUORUM");
    return settings;
  }

  /** Options of every node's JVM. */
  public List<String> jvmOptions() {
    String jmx = "-Dcom.sun.management.jmxremote.";
    return List.of(
        jmx + "ssl=true",
        jmx + "registry.ssl=true",
        jmx + "ssl.need.client.auth=true",
        jmx + "ssl.config.file=" + files.file("jmxremote.ssl"),
        jmx + "authenticate=true",
        // All nodes share the file, and would write it at the same time.
        jmx + "password.toHashes=false",
        jmx + "password.file=" + files.file("jmxremote.password"),
        jmx + "access.file=" + files.file("jmxremote.access"),
        // Users would be lost with the one node that has them.
        "-Dcassandra.system_auth.default_rf=" + Math.min(3, state.config().nodes()));
  }

  /** Options of the driver, for an operator's clients and for loads. */
  public Path driver() {
    return files.file("driver.conf");
  }

  private String driver(String user, String password) {
    return """
        datastax-java-driver.advanced {
          auth-provider {
            class = PlainTextAuthProvider
            username = "%s"
            password = "%s"
          }
          ssl-engine-factory {
            class = DefaultSslEngineFactory
            hostname-validation = true
            truststore-path = "%s"
            truststore-password = "%s"
            keystore-path = "%s"
            keystore-password = "%s"
          }
        }
        """
        .formatted(
            user,
            password,
            stores.store(KeyStores.TRUST),
            stores.password(),
            stores.store(KeyStores.CLIENT),
            stores.password());
  }

  private String connections() {
    String tls =
        "{trustStore: trust.p12, trustPassword: \"file:store.password\","
            + " keyStore: client.p12, keyPassword: \"file:store.password\"}";
    String hosts =
        state.nodes().stream()
            .limit(3)
            .map(n -> state.addresses().node(n.index()) + ":" + state.addresses().cqlPort())
            .collect(Collectors.joining(","));
    int jmxPort = state.addresses().jmxPort();
    return """
        clusters:
          %s:
            cassandra:
              hosts: %s
              cql:
                user: %s
                password: file:cql.password
                tls: %s
              jmx:
                port: %d
                user: %s
                password: file:jmx.password
                tls: %s
        """
        .formatted(state.config().name(), hosts, USER, tls, jmxPort, USER, tls);
  }

  /** The contact of the controller's user. */
  public CassandraContact protect(CassandraContact open) {
    Optional<Tls> tls = Optional.of(TLS.computeIfAbsent(dir.secure(), folder -> stores.client()));
    return open.with(
            Optional.of(new Credentials(USER, () -> files.read(CQL))),
            Optional.of(new Credentials(USER, () -> files.read(JMX))))
        .with(new Protection(tls, tls, Optional.empty()));
  }

  /**
   * Makes the users; the one that every new cluster has may not log in any more.
   *
   * @return whether that is done; not while the nodes have not made their first user
   */
  public boolean admit(List<InetSocketAddress> points) {
    String copies =
        IntStream.rangeClosed(1, state.config().cassandra().datacenters())
            .mapToObj(i -> "'datacenter" + i + "': " + Math.min(3, nodesIn(i)))
            .collect(Collectors.joining(", "));
    try {
      CqlScript.run(
          points,
          files.file("first.conf"),
          List.of(role("operator", OPERATOR) + " AND SUPERUSER = true"));
    } catch (IOException e) {
      // Not yet; or no more, where the answer of the last statement below was lost.
      LOG.info("Cassandra's first user is not let in: {}", e.getMessage());
    }
    try {
      CqlScript.run(
          points,
          driver(),
          List.of(
              role(USER, CQL),
              "CREATE KEYSPACE IF NOT EXISTS "
                  + Keyspaces.CONTROL
                  + " WITH replication = {'class': 'NetworkTopologyStrategy', "
                  + copies
                  + "}",
              granted("CREATE"),
              granted("ALTER"),
              granted("SELECT"),
              granted("MODIFY"),
              "GRANT SELECT ON KEYSPACE system_views TO trimtab",
              "ALTER ROLE cassandra WITH LOGIN = false"));
      return true;
    } catch (IOException e) {
      LOG.info("the users can't be made yet: {}", e.getMessage());
      return false;
    }
  }

  private static String granted(String permission) {
    return "GRANT " + permission + " ON KEYSPACE " + Keyspaces.CONTROL + " TO " + USER;
  }

  private String role(String name, String password) {
    return "CREATE ROLE IF NOT EXISTS "
        + name
        + " WITH LOGIN = true AND PASSWORD = '"
        + files.read(password)
        + "'";
  }

  private long nodesIn(int datacenter) {
    return state.nodes().stream()
        .filter(
            n -> state.config().cassandra().datacenter(n.index()).equals("datacenter" + datacenter))
        .count();
  }
}
