package io.trimtab.contract.secure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.cli.Main;
import io.trimtab.clikit.ClusterChoice;
import io.trimtab.contract.HBaseCluster;
import io.trimtab.contract.LiveCluster;
import io.trimtab.contract.TestCluster;
import io.trimtab.contract.autopilot.CutConnection;
import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.connect.ConnectionStep;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.hbase.HBaseContact;
import io.trimtab.hbase.pages.HttpJmx;
import io.trimtab.hbase.pages.RefusedPageException;
import io.trimtab.hbase.security.Protection;
import io.trimtab.hbase.zookeeper.ClusterZooKeeper;
import io.trimtab.lab.cluster.HBaseLab;
import io.trimtab.lab.slot.LabSlot;
import io.trimtab.testkit.tls.Keytool;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.zookeeper.data.ACL;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A hardened HBase: as {@link HBaseSecureIT}'s, and its pages are served by HTTPS to who shows a
 * ticket, HDFS's by HTTPS, and ZooKeeper is reached by TLS with certificates on both sides.
 */
@Tag("kerberos")
class HBaseTlsIT extends LiveCluster {
  private static final String NAME = "hbase-tls";
  private static final String OF_ZOOKEEPER = "hbase.zookeeper.property.";

  @TempDir static Path home;
  @AutoClose private static HBaseCluster cluster;
  private static HBaseLab lab;

  @BeforeAll
  static void up() throws IOException, EngineException {
    cluster =
        HBaseCluster.up(NAME, home, Map.of(), config -> config.withSecure(true).withTls(true));
    lab = cluster.lab();
  }

  @Override
  protected TestCluster cluster() {
    return cluster;
  }

  private static String masterPage() {
    LabSlot slot = lab.state().addresses();
    return slot.coordinator() + ":" + slot.masterInfoPort();
  }

  @Test
  void theCheckFindsNothingToMendAndReadsEachPageByHttps() {
    assertThat(Checks.failed(lab.client())).isEmpty();
    assertThat(Checks.steps(lab.client()))
        .extracting(ConnectionStep::text)
        .filteredOn(text -> text.contains("page of ") && text.contains("by HTTPS"))
        .hasSize(4);
    assertThat(lab.client().zookeeper())
        .isEqualTo("127.0.0.1:" + lab.state().addresses().zookeeperTlsPort());
  }

  /** Those of HBase, and the NameNode's, which alone tells of disks. */
  @Test
  void aSnapshotIsReadFromTheProtectedPages() throws EngineException {
    ClusterSnapshot seen =
        whole(
            s ->
                s.liveNodes().size() == 3
                    && s.nodes().stream().allMatch(node -> node.gauges().disk().known()));
    assertThat(seen.nodes())
        .allSatisfy(
            node -> {
              assertThat(node.readable()).isTrue();
              assertThat(node.gauges().heapMaxBytes()).isPositive();
              assertThat(node.gauges().disk().capacityBytes()).isPositive();
            });
  }

  @Test
  void theNameNodeServesItsPageByHttpsOnlyAndHasToBeTrusted() throws IOException {
    LabSlot slot = lab.state().addresses();
    String page = slot.coordinator() + ":" + slot.nameNodeHttpPort();
    String bean = "Hadoop:service=NameNode,name=NameNodeInfo";
    HttpJmx ours = new HttpJmx(true, lab.client().protection().pages(), Optional.empty());
    assertThat(ours.beans(page, bean)).hasSize(1);
    assertThatThrownBy(() -> ours.beans("http://" + page, bean)).isInstanceOf(IOException.class);
    HttpJmx distrusting = new HttpJmx(true, Optional.empty(), Optional.empty());
    assertThatThrownBy(() -> distrusting.beans(page, bean))
        .isInstanceOf(RefusedPageException.class)
        .message()
        .startsWith(page + ": ")
        .contains("PKIX path building failed");
  }

  /** Before a node goes, the same page tells whether HDFS has all copies. */
  @Test
  void aNodeIsEmptiedOnceTheNameNodeHasAllCopies() throws EngineException {
    NodeId node = whole(s -> s.liveNodes().size() == 3).liveNodes().get(0).id();
    try (ControlLock lock = engine().takeControl("tls")) {
      assertThat(lock.held()).isTrue();
      engine().vacate(node, LIMIT);
    }
  }

  @Test
  void aPageIsShownToNobodyWithoutATicket() {
    HttpJmx stranger = new HttpJmx(true, lab.client().protection().pages(), Optional.empty());
    assertThatThrownBy(() -> stranger.beans(masterPage(), "java.lang:type=Runtime"))
        .isInstanceOf(IOException.class)
        .message()
        .contains(masterPage())
        .contains("asks for a Kerberos ticket")
        .doesNotContain("\n");
  }

  @Test
  void aPageWhoseCertificateIsNotTrustedIsToldWithWhatMendsIt() {
    Protection ours = lab.client().protection();
    HBaseContact trusting =
        lab.client().with(new Protection(ours.kerberos(), ours.https(), Optional.empty()));
    assertThat(Checks.failed(trusting))
        .isNotEmpty()
        .allSatisfy(
            step -> assertThat(step).contains("page of ").contains("to pages.tls.trustStore"));
  }

  @Test
  void whoseCertificatesAreNotTrustedIsNeitherPlannedForNorActedOn(@TempDir Path own)
      throws Exception {
    EditedConnections distrusting =
        EditedConnections.write(
            labsFile(),
            NAME,
            "distrusting",
            text -> text.replaceFirst("\\s+pages:\\s+tls: \\{trustStore: [^}]*\\}", ""));
    assertRefused(
        own, distrusting, "PKIX path building failed", "; to mend it: ", "pages.tls.trustStore");
  }

  /**
   * Whatever needs the pages ends with exit code 2 before anything is done.
   *
   * @param own home of the commands
   * @param said in their one line
   */
  private void assertRefused(Path own, EditedConnections file, String... said) throws Exception {
    for (List<String> words :
        List.of(file.arguments("plan"), file.arguments("run", "--act", "--plans", "1"))) {
      try (LiveController refused = LiveController.command(own, words)) {
        assertThat(refused.ended()).as("%s", refused.said()).isEqualTo(Main.REFUSED);
        assertThat(refused.problem()).contains(said);
      }
    }
    assertThat(engine().shared().holder()).isEmpty();
  }

  /** The master's: it is told first, and each time. */
  @Test
  void aPageWithTheCertificateOfAnotherHostIsRefusedByName(@TempDir Path own) throws Exception {
    String where = masterPage() + ": ";
    String what = "No subject alternative names matching IP address ";
    String mend = "; to mend it: give the server a certificate that names the host of that address";
    try (MisnamedMaster master = new MisnamedMaster(lab, own, LIMIT)) {
      master.start();
      assertThat(master.failedStep()).contains("page of " + where, what).endsWith(mend);
      assertRefused(own, master.connections(NAME), where, what, mend);
    }
    whole(s -> s.liveNodes().size() == 3);
  }

  private static Path labsFile() {
    return lab.dir().secure().resolve("connections.yaml");
  }

  /** It trusts one that no server has, and all else is as the lab has it. */
  @Test
  void aZooKeeperWhoseCertificateIsNotTrustedIsRefused(@TempDir Path own) throws Exception {
    Keytool keytool = new Keytool(own, Secrets.storePassword(lab.dir().secure()));
    keytool.key("stranger");
    EditedConnections distrusting =
        EditedConnections.preferring(
            labsFile(),
            NAME,
            "strange-zookeeper",
            Map.of(OF_ZOOKEEPER + "ssl.trustStore.location", keytool.trust("stranger").toString()));
    assertZooKeeperRefused(
        own,
        distrusting,
        "127.0.0.1:" + lab.state().addresses().zookeeperTlsPort(),
        "PKIX path building failed",
        "; to mend it: add the certificate of the authority that signed the server's to "
            + OF_ZOOKEEPER
            + "ssl.trustStore");
  }

  /** The lab's is reached by an address that its certificate does not have. */
  @Test
  void aZooKeeperWithTheCertificateOfAnotherHostIsRefused(@TempDir Path own) throws Exception {
    String host = "127.0.0.2";
    InetSocketAddress to =
        new InetSocketAddress("127.0.0.1", lab.state().addresses().zookeeperTlsPort());
    try (CutConnection forwarded = new CutConnection(InetAddress.getByName(host), to)) {
      Map<String, String> elsewhere = new HashMap<>();
      elsewhere.put("hbase.zookeeper.quorum", host);
      elsewhere.put(OF_ZOOKEEPER + "clientPort", Integer.toString(forwarded.port()));
      assertZooKeeperRefused(
          own,
          EditedConnections.preferring(labsFile(), NAME, "other-zookeeper", elsewhere),
          host + ":" + forwarded.port(),
          "Failed to verify both host address and host name",
          "; to mend it: give the server a certificate that names "
              + host
              + ", or set "
              + OF_ZOOKEEPER
              + "ssl.hostnameVerification to false");

      elsewhere.put(OF_ZOOKEEPER + "ssl.hostnameVerification", "false");
      EditedConnections mended =
          EditedConnections.preferring(labsFile(), NAME, "mended-zookeeper", elsewhere);
      try (LiveController check =
          LiveController.command(own, mended.arguments("connect", "check"))) {
        assertThat(check.ended()).as("%s", check.said()).isZero();
      }
    }
  }

  /**
   * By each command, before anything is changed.
   *
   * @param own home of the commands
   * @param server with its port
   * @param what is wrong with its certificate
   * @param end of the line
   */
  private void assertZooKeeperRefused(
      Path own, EditedConnections file, String server, String what, String end) throws Exception {
    List<String> before = Changes.state(whole(s -> s.liveNodes().size() == 3));
    String tls = "TLS with " + server + ": " + what;
    try (LiveController check = LiveController.command(own, file.arguments("connect", "check"))) {
      assertThat(check.ended()).as("%s", check.said()).isEqualTo(Main.REFUSED);
      assertThat(check.said().lines().filter(line -> line.startsWith("FAILED")))
          .as("%s", check.said())
          .singleElement()
          .asString()
          .startsWith("FAILED  " + tls)
          .endsWith(end);
    }
    for (List<String> words :
        List.of(file.arguments("plan"), file.arguments("run", "--act", "--plans", "1"))) {
      assertThat(LiveController.refused(own, words))
          .startsWith("trimtab: ZooKeeper at " + server + ": " + tls)
          .endsWith(end);
    }
    assertThat(engine().shared().holder()).isEmpty();
    assertThat(Changes.state(whole(s -> s.liveNodes().size() == 3))).isEqualTo(before);
  }

  @Test
  void zooKeeperWithoutTlsIsToldWithWhereItIsSet() {
    Map<String, String> client = new HashMap<>(lab.client().client());
    client.remove(OF_ZOOKEEPER + "client.secure");
    client.remove(OF_ZOOKEEPER + "clientCnxnSocket");
    HBaseContact plain = HBaseContact.of(client).with(lab.client().protection());
    assertThat(Checks.failed(plain))
        .singleElement()
        .asString()
        .contains("session with ZooKeeper")
        .contains(OF_ZOOKEEPER + "* (TLS)");
  }

  @Test
  void regionsMoveAndWhatControllersKeepIsTheirUsersOnly() throws Exception {
    String table = "tls_moved";
    underLoad(
        table,
        () -> {
          ClusterSnapshot before = whole(s -> Changes.ofTable(s, table).size() == 4);
          PartitionState partition = Changes.ofTable(before, table).get(0);
          NodeId from = partition.node().orElseThrow();
          NodeId to =
              before.liveNodes().stream()
                  .map(NodeState::id)
                  .filter(node -> !node.equals(from))
                  .findFirst()
                  .orElseThrow();
          try (ControlLock lock = engine().takeControl("tls");
              ClusterZooKeeper zookeeper = ClusterZooKeeper.open(lab.client())) {
            assertThat(lock.held()).isTrue();
            engine().move(partition.id(), to, LIMIT);
            List<ACL> acl = zookeeper.acl("/trimtab").orElseThrow();
            // ZooKeeper knows the user by its certificate as well.
            assertThat(acl)
                .extracting(entry -> entry.getId().getScheme())
                .contains("sasl")
                .isSubsetOf("sasl", "x509");
          }
          whole(
              s ->
                  Changes.ofTable(s, table).stream()
                      .anyMatch(
                          p -> p.id().equals(partition.id()) && p.node().equals(Optional.of(to))));
        });
  }

  @Test
  void noSecretIsInWhatTheClusterLogs() throws IOException {
    Secrets secrets = Secrets.of(lab.dir().secure());
    assertThat(secrets.texts()).hasSizeGreaterThan(5);
    assertThat(
            secrets.assertNotBelow(
                home,
                Set.of(
                    lab.dir().secure(),
                    lab.dir().root().resolve("data"),
                    // Servers read the password of their stores there.
                    Path.of("hbase-site.xml"),
                    Path.of("ssl-server.xml"))))
        .contains(lab.dir().out("master"));
  }

  @Test
  void noObjectOfAnOpenEngineShowsASecret() throws Exception {
    String file = lab.dir().secure().resolve("connections.yaml").toString();
    ClusterChoice choice = ClusterChoice.of(List.of("--cluster", NAME, "--connections", file));
    try (Engine engine = choice.connect()) {
      // Also of the pages.
      assertThat(Checks.gapsAfterAWhile(engine)).isEmpty();
      Secrets.of(lab.dir().secure())
          .assertNotShownBy(
              List.of(choice, engine),
              "io.trimtab.config.Secret",
              "io.trimtab.hbase.HBaseContact",
              "io.trimtab.hbase.pages.HttpJmx",
              "io.trimtab.hbase.security.KerberosLogin",
              "io.trimtab.host.tls.Tls$Store");
    }
  }
}
