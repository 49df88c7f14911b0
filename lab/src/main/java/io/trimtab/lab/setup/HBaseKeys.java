package io.trimtab.lab.setup;

import io.trimtab.hbase.HBaseContact;
import io.trimtab.hbase.pages.HttpJmx;
import io.trimtab.hbase.security.Kerberos;
import io.trimtab.hbase.security.KerberosLogin;
import io.trimtab.hbase.security.Protection;
import io.trimtab.lab.cluster.LabDir;
import io.trimtab.lab.cluster.LabState;
import io.trimtab.lab.slot.LabSlot;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What makes an HBase lab secure: Kerberos for HDFS, HBase and ZooKeeper, and HBase's permissions.
 * All services of a kind have one principal, because a lab's addresses have no names, but for the
 * pages, whose principals are named by addresses. {@code trimtab} has the permissions that a
 * controller needs and no others, {@code operator} has all, {@code guest} none.
 */
public final class HBaseKeys {
  private static final String CONTROLLER =
      "org.apache.hadoop.hbase.security.access.AccessController";
  private static final String TOKENS = "org.apache.hadoop.hbase.security.token.TokenProvider";

  /** Of the controller's tickets: short, so that each longer test renews some. */
  private static final String TICKET = "3m";

  private static final String SERVICES = "services.keytab";
  private static final String OF_ZOOKEEPER = "hbase.zookeeper.property.";

  /** Nodes that are added to a lab later have pages, too. */
  private static final int NODES_EVER = 100;

  /** For each folder: a login for each look at a page would be many. */
  private static final Map<Path, HttpJmx> PAGES = new ConcurrentHashMap<>();

  private static final String TRUSTED_PAGES =
      """
            pages:
              tls: {trustStore: trust.p12, trustPassword: "file:store.password"}
      """;

  private final LabState state;
  private final LabSlot slot;
  private final SecretFiles files;
  private final Kdc kdc;
  private final KeyStores stores;

  public HBaseKeys(LabDir dir, LabState state) {
    this.state = state;
    this.slot = state.addresses();
    this.files = new SecretFiles(dir.secure());
    this.kdc = new Kdc(files, slot.coordinator(), slot.zookeeperPort());
    this.stores = new KeyStores(files);
  }

  public Kdc kdc() {
    return kdc;
  }

  /** Makes the realm and all keys, before the first process starts. */
  public void create() {
    files.create();
    PAGES.remove(files.folder());
    kdc.create();
    for (String service : List.of("hdfs", "hbase", "HTTP", "zookeeper")) {
      kdc.add(service + "/lab", SERVICES);
    }
    for (String user : List.of("operator", "trimtab", "guest")) {
      kdc.add(user, user + ".keytab");
    }
    if (state.config().tls()) {
      stores.create(addresses(NODES_EVER));
      // A page for each node that there may be without removing any.
      addresses(state.config().nodes() + state.config().spareNodes())
          .forEach(address -> kdc.add("HTTP/" + address, SERVICES));
    }
    kdc.limitTickets("trimtab", TICKET);
    files.write("jaas.conf", section("Server", "zookeeper/lab") + section("Client", "hbase/lab"));
    SecretFiles client = new SecretFiles(files.file("conf"));
    client.create();
    client.write("core-site.xml", SiteFiles.xml(core()));
    client.write("hbase-site.xml", SiteFiles.xml(client()));
    files.write("connections.yaml", connections());
  }

  /** Of the master and of the first nodes. */
  private Stream<String> addresses(int nodes) {
    return Stream.concat(
        Stream.of(slot.coordinator()), IntStream.rangeClosed(1, nodes).mapToObj(slot::node));
  }

  private String keytab() {
    return files.file(SERVICES).toString();
  }

  private String section(String name, String principal) {
    return """
        %s {
          com.sun.security.auth.module.Krb5LoginModule required
          useKeyTab=true storeKey=true useTicketCache=false doNotPrompt=true
          keyTab="%s"
          principal="%s";
        };
        """
        .formatted(name, keytab(), kdc.principal(principal));
  }

  /** Options of every process. */
  public List<String> jvmOptions() {
    return List.of(
        "-Djava.security.krb5.conf=" + kdc.krb5(),
        "-Djava.security.auth.login.config=" + files.file("jaas.conf"),
        "-Dzookeeper.server.principal=" + kdc.principal("zookeeper/lab"));
  }

  /** For every core-site.xml, a client's too. */
  Map<String, String> core() {
    return Map.of("hadoop.security.authentication", "kerberos");
  }

  /** For every hdfs-site.xml. */
  Map<String, String> hdfs() {
    String hdfs = kdc.principal("hdfs/lab");
    Map<String, String> properties = new TreeMap<>();
    properties.put("dfs.block.access.token.enable", "true");
    properties.put("dfs.namenode.kerberos.principal", hdfs);
    properties.put("dfs.namenode.keytab.file", keytab());
    properties.put("dfs.namenode.kerberos.internal.spnego.principal", kdc.principal("HTTP/lab"));
    properties.put("dfs.web.authentication.kerberos.principal", kdc.principal("HTTP/lab"));
    properties.put("dfs.web.authentication.kerberos.keytab", keytab());
    properties.put("dfs.datanode.kerberos.principal", hdfs);
    properties.put("dfs.datanode.keytab.file", keytab());
    properties.put("dfs.data.transfer.protection", "authentication");
    // A lab's ports are those of an ordinary user.
    properties.put("ignore.secure.ports.for.testing", "true");
    if (state.config().tls()) {
      properties.put("dfs.http.policy", "HTTPS_ONLY");
    }
    return properties;
  }

  /** For ssl-server.xml, with which HDFS's servers serve their pages by HTTPS. */
  Map<String, String> hdfsPages() {
    return shown(KeyStores.HDFS);
  }

  /** The certificate that a server of pages shows. */
  private Map<String, String> shown(String store) {
    Map<String, String> properties = new TreeMap<>();
    properties.put("ssl.server.keystore.type", "pkcs12");
    properties.put("ssl.server.keystore.location", stores.store(store));
    properties.put("ssl.server.keystore.password", stores.password());
    properties.put("ssl.server.keystore.keypassword", stores.password());
    return properties;
  }

  /** For every server's hbase-site.xml. */
  Map<String, String> hbase() {
    Map<String, String> properties = new TreeMap<>(shared());
    properties.put("hbase.security.authorization", "true");
    properties.put("hbase.superuser", "operator");
    properties.put("hbase.master.keytab.file", keytab());
    properties.put("hbase.regionserver.keytab.file", keytab());
    properties.put("hbase.coprocessor.master.classes", CONTROLLER);
    properties.put("hbase.coprocessor.region.classes", TOKENS + "," + CONTROLLER);
    properties.put("hbase.coprocessor.regionserver.classes", CONTROLLER);
    properties.put(
        OF_ZOOKEEPER + "authProvider.1",
        "org.apache.zookeeper.server.auth.SASLAuthenticationProvider");
    properties.put(OF_ZOOKEEPER + "kerberos.removeHostFromPrincipal", "true");
    properties.put(OF_ZOOKEEPER + "kerberos.removeRealmFromPrincipal", "true");
    if (state.config().tls()) {
      properties.putAll(guardedPages());
      properties.putAll(zookeeperTls(KeyStores.NODE));
      properties.put(
          OF_ZOOKEEPER + "serverCnxnFactory", "org.apache.zookeeper.server.NettyServerCnxnFactory");
      properties.put(OF_ZOOKEEPER + "secureClientPort", Integer.toString(slot.zookeeperTlsPort()));
      properties.put(OF_ZOOKEEPER + "secureClientPortAddress", slot.zookeeper());
    }
    return properties;
  }

  /** Served by HTTPS only, and to who shows a ticket; each server has a principal by address. */
  private Map<String, String> guardedPages() {
    String spnego = "hbase.security.authentication.spnego.kerberos.";
    Map<String, String> properties = new TreeMap<>(shown(KeyStores.NODE));
    properties.put("hbase.ssl.enabled", "true");
    properties.put("hbase.security.authentication.ui", "kerberos");
    properties.put(spnego + "principal", kdc.principal("HTTP/_HOST"));
    properties.put(spnego + "keytab", keytab());
    return properties;
  }

  /** The stores of one end of a connection with ZooKeeper, and where their password is. */
  private Map<String, String> zookeeperTls(String own) {
    String password = files.file(KeyStores.PASSWORD).toString();
    return Map.of(
        OF_ZOOKEEPER + "ssl.keyStore.location",
        stores.store(own),
        OF_ZOOKEEPER + "ssl.keyStore.passwordPath",
        password,
        OF_ZOOKEEPER + "ssl.trustStore.location",
        stores.store(KeyStores.TRUST),
        OF_ZOOKEEPER + "ssl.trustStore.passwordPath",
        password);
  }

  private Map<String, String> shared() {
    Map<String, String> properties = new TreeMap<>();
    properties.put("hbase.security.authentication", "kerberos");
    properties.put("hbase.master.kerberos.principal", kdc.principal("hbase/lab"));
    properties.put("hbase.regionserver.kerberos.principal", kdc.principal("hbase/lab"));
    properties.put("zookeeper.znode.parent", "/hbase-secure");
    return properties;
  }

  /** As operators give it to clients. */
  private Map<String, String> client() {
    Map<String, String> properties = new TreeMap<>(shared());
    properties.put("hbase.zookeeper.quorum", slot.zookeeper());
    boolean tls = state.config().tls();
    int port = tls ? slot.zookeeperTlsPort() : slot.zookeeperPort();
    properties.put(OF_ZOOKEEPER + "clientPort", Integer.toString(port));
    // The principal has no address in it, by which ZooKeeper's client would look for one.
    properties.put(OF_ZOOKEEPER + "server.principal", kdc.principal("zookeeper/lab"));
    if (tls) {
      properties.putAll(zookeeperTls(KeyStores.CLIENT));
      properties.put(OF_ZOOKEEPER + "client.secure", "true");
      properties.put(
          OF_ZOOKEEPER + "clientCnxnSocket", "org.apache.zookeeper.ClientCnxnSocketNetty");
      properties.put("hbase.ssl.enabled", "true");
    }
    return properties;
  }

  private String connections() {
    return """
        clusters:
          %s:
            hbase:
              conf: conf
              kerberos:
                principal: %s
                keytab: trimtab.keytab
                krb5: krb5.conf
        """
            .formatted(state.config().name(), kdc.principal("trimtab"))
        + (state.config().tls() ? TRUSTED_PAGES : "");
  }

  /** The contact of the controller's user. */
  public HBaseContact contact() {
    return contact("trimtab");
  }

  /** The contact of a user of the lab. */
  public HBaseContact contact(String user) {
    return HBaseContact.ofFolders(List.of(files.file("conf")))
        .with(
            new Protection(
                Optional.of(kerberos(user)),
                Optional.empty(),
                state.config().tls() ? Optional.of(stores.client()) : Optional.empty()));
  }

  /**
   * Reads pages of HBase's and HDFS's servers as the operator, where they are protected.
   *
   * @throws IOException while the operator can't log in
   */
  HttpJmx pages() throws IOException {
    HttpJmx known = PAGES.get(files.folder());
    if (known == null) {
      KerberosLogin login =
          KerberosLogin.open(kerberos("operator"), contact("operator").configuration());
      known = new HttpJmx(true, Optional.of(stores.client()), Optional.of(login));
      PAGES.put(files.folder(), known);
    }
    return known;
  }

  /** How a user of the lab logs in: {@code trimtab}, {@code operator} or {@code guest}. */
  public Kerberos kerberos(String user) {
    return kerberos(user, user);
  }

  /** How HDFS itself does, who alone may take a DataNode out of it. */
  public Kerberos hdfsUser() {
    return kerberos("hdfs/lab", "services");
  }

  private Kerberos kerberos(String user, String keytab) {
    return new Kerberos(
        Optional.of(kdc.principal(user)),
        Optional.of(files.file(keytab + ".keytab")),
        Optional.empty(),
        Optional.of(Path.of(kdc.krb5())),
        true);
  }
}
