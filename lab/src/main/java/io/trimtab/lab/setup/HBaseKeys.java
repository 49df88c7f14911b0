package io.trimtab.lab.setup;

import io.trimtab.hbase.HBaseContact;
import io.trimtab.hbase.security.Kerberos;
import io.trimtab.hbase.security.Protection;
import io.trimtab.lab.cluster.LabDir;
import io.trimtab.lab.cluster.LabSlot;
import io.trimtab.lab.cluster.LabState;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What makes an HBase lab secure: Kerberos for HDFS, HBase and ZooKeeper, and HBase's permissions.
 * All services of a kind have one principal, because a lab's addresses have no names. {@code
 * trimtab} has the permissions that a controller needs and no others, {@code operator} has all.
 */
public final class HBaseKeys {
  private static final String CONTROLLER =
      "org.apache.hadoop.hbase.security.access.AccessController";
  private static final String TOKENS = "org.apache.hadoop.hbase.security.token.TokenProvider";

  /** Of the controller's tickets: short, so that each longer test renews some. */
  private static final String TICKET = "3m";

  private final LabState state;
  private final LabSlot slot;
  private final SecretFiles files;
  private final Kdc kdc;

  public HBaseKeys(LabDir dir, LabState state) {
    this.state = state;
    this.slot = state.addresses();
    this.files = new SecretFiles(dir.secure());
    this.kdc = new Kdc(files, slot.coordinator(), slot.zookeeperPort());
  }

  public Kdc kdc() {
    return kdc;
  }

  /** Makes the realm and all keys, before the first process starts. */
  public void create() {
    files.create();
    kdc.create();
    for (String service : List.of("hdfs", "hbase", "HTTP", "zookeeper")) {
      kdc.add(service + "/lab", "services.keytab");
    }
    kdc.add("operator", "operator.keytab");
    kdc.add("trimtab", "trimtab.keytab");
    kdc.limitTickets("trimtab", TICKET);
    files.write("jaas.conf", section("Server", "zookeeper/lab") + section("Client", "hbase/lab"));
    SecretFiles client = new SecretFiles(files.file("conf"));
    client.create();
    client.write("core-site.xml", SiteFiles.xml(core()));
    client.write("hbase-site.xml", SiteFiles.xml(client()));
    files.write("connections.yaml", connections());
  }

  private String keytab() {
    return files.file("services.keytab").toString();
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
    String zookeeper = "hbase.zookeeper.property.";
    properties.put(
        zookeeper + "authProvider.1",
        "org.apache.zookeeper.server.auth.SASLAuthenticationProvider");
    properties.put(zookeeper + "kerberos.removeHostFromPrincipal", "true");
    properties.put(zookeeper + "kerberos.removeRealmFromPrincipal", "true");
    return properties;
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
    properties.put("hbase.zookeeper.property.clientPort", Integer.toString(slot.zookeeperPort()));
    // The principal has no address in it, by which ZooKeeper's client would look for one.
    properties.put("hbase.zookeeper.property.server.principal", kdc.principal("zookeeper/lab"));
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
        .formatted(state.config().name(), kdc.principal("trimtab"));
  }

  /** The contact of the controller's user. */
  public HBaseContact contact() {
    return HBaseContact.ofFolders(List.of(files.file("conf")))
        .with(new Protection(Optional.of(kerberos("trimtab")), Optional.empty(), Optional.empty()));
  }

  /** How a user of the lab logs in: {@code trimtab} or {@code operator}. */
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
