package io.trimtab.lab.setup;

import io.trimtab.cassandra.CassandraContact;
import io.trimtab.cassandra.CassandraContact.Credentials;
import io.trimtab.cassandra.CassandraContact.Protection;
import io.trimtab.cassandra.Keyspaces;
import io.trimtab.config.PrivateFiles;
import io.trimtab.config.UserError;
import io.trimtab.host.tls.Tls;
import io.trimtab.host.tls.Tls.HostNames;
import io.trimtab.host.tls.Tls.Store;
import io.trimtab.lab.cluster.LabDir;
import io.trimtab.lab.cluster.LabState;
import io.trimtab.workload.admin.CqlScript;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
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
  private static final String STORE = "store.password";
  private static final String CQL = "cql.password";
  private static final String JMX = "jmx.password";
  private static final String OPERATOR = "operator.password";
  private static final String USER = "trimtab";

  /** Nodes are numbered on and on; one certificate has the addresses of all that may ever be. */
  private static final int NODES_EVER = 200;

  /** One for each folder: stores are read when they have changed, and not for each connection. */
  private static final Map<Path, Tls> TLS = new ConcurrentHashMap<>();

  private final LabDir dir;
  private final LabState state;
  private final SecretFiles files;

  public CassandraKeys(LabDir dir, LabState state) {
    this.dir = dir;
    this.state = state;
    this.files = new SecretFiles(dir.secure());
  }

  /** Makes keys, certificates and passwords, before the first node starts. */
  public void create() {
    files.create();
    for (String name : List.of(STORE, CQL, JMX, OPERATOR)) {
      files.password(name);
    }
    String addresses =
        IntStream.rangeClosed(1, NODES_EVER)
            .mapToObj(i -> "ip:" + state.addresses().node(i))
            .collect(Collectors.joining(","));
    key("node", "san=" + addresses + ",ip:127.0.0.1,dns:localhost");
    key("client", "san=dns:localhost");
    for (String name : List.of("node", "client")) {
      String certificate = files.file(name + ".cer").toString();
      keytool("-exportcert", "-alias", name, "-keystore", store(name), "-file", certificate);
      keytool(
          "-importcert",
          "-noprompt",
          "-alias",
          name,
          "-file",
          certificate,
          "-keystore",
          store("trust"));
    }
    files.write("jmxremote.password", USER + " " + files.read(JMX) + "\n");
    files.write("jmxremote.access", USER + " readwrite\n");
    files.write(
        "jmxremote.ssl",
        "javax.net.ssl.keyStore=%s\njavax.net.ssl.keyStorePassword=%s\n"
                .formatted(store("node"), files.read(STORE))
            + "javax.net.ssl.trustStore=%s\njavax.net.ssl.trustStorePassword=%s\n"
                .formatted(store("trust"), files.read(STORE)));
    files.write("first.conf", driver("cassandra", "cassandra"));
    files.write("driver.conf", driver("operator", files.read(OPERATOR)));
    files.write("connections.yaml", connections());
    try {
      for (String name : List.of("node", "client", "trust")) {
        Files.setPosixFilePermissions(Path.of(store(name)), PrivateFiles.PERMISSIONS);
      }
    } catch (IOException e) {
      throw new UserError(dir.secure() + ": can't be written: " + e.getMessage(), e);
    }
  }

  private String store(String name) {
    return files.file(name + ".p12").toString();
  }

  private void key(String name, String extension) {
    keytool(
        "-genkeypair",
        "-alias",
        name,
        "-keyalg",
        "EC",
        "-groupname",
        "secp256r1",
        "-validity",
        "3650",
        "-dname",
        "CN=" + name + ",O=trimtab-lab",
        "-ext",
        extension,
        "-keystore",
        store(name));
  }

  /** The JDK's own program; the password is in a file, and so in no list of processes. */
  private void keytool(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of(arguments));
    command.addAll(
        List.of("-storetype", "PKCS12", "-storepass:file", files.file(STORE).toString()));
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new UserError("keytool " + arguments[0] + ": " + said.strip().split("\n", 2)[0]);
      }
    } catch (IOException e) {
      throw new UserError("keytool can't be run: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UserError("interrupted", e);
    }
  }

  /** Keys of every cassandra.yaml. */
  public Map<String, String> settings() {
    String stores =
        "keystore: %s, keystore_password: %s, truststore: %s, truststore_password: %s"
            .formatted(store("node"), files.read(STORE), store("trust"), files.read(STORE));
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
            + stores
            + "}");
    settings.put(
        "server_encryption_options",
        // Where there is a key store, the default takes connections without TLS as well.
        "{internode_encryption: all, optional: false, require_client_auth: true,"
            + " store_type: PKCS12, "
            + stores
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
            user, password, store("trust"), files.read(STORE), store("client"), files.read(STORE));
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
    Optional<Tls> tls = Optional.of(TLS.computeIfAbsent(dir.secure(), folder -> tls()));
    return open.with(
            Optional.of(new Credentials(USER, () -> files.read(CQL))),
            Optional.of(new Credentials(USER, () -> files.read(JMX))))
        .with(new Protection(tls, tls, Optional.empty()));
  }

  private Tls tls() {
    Store trust = new Store(files.file("trust.p12"), () -> files.read(STORE));
    Store key = new Store(files.file("client.p12"), () -> files.read(STORE));
    return new Tls(Optional.of(trust), Optional.of(key), HostNames.ADDRESS);
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
