package io.trimtab.contract.secure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.clikit.ClusterChoice;
import io.trimtab.contract.EngineContract;
import io.trimtab.contract.HBaseCluster;
import io.trimtab.contract.TestCluster;
import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.connect.ConnectionStep;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.hbase.HBaseCheck;
import io.trimtab.hbase.HBaseContact;
import io.trimtab.hbase.HBaseEngine;
import io.trimtab.hbase.security.Kerberos;
import io.trimtab.hbase.security.Protection;
import io.trimtab.hbase.zookeeper.ClusterZooKeeper;
import io.trimtab.lab.cluster.HBaseLab;
import io.trimtab.lab.setup.HBaseKeys;
import io.trimtab.lab.setup.HBaseUsers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.security.access.Permission.Action;
import org.apache.zookeeper.data.ACL;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The HBase engine on a real cluster with Kerberos for HDFS, HBase and ZooKeeper, and with a user
 * that has the permissions of {@code docs/connections.md} only. The user's tickets last for three
 * minutes, so that the whole of it outlives several.
 */
@Tag("kerberos")
class HBaseSecureIT extends EngineContract {
  private static final String NAME = "hbase-secure";

  @TempDir static Path home;
  private static HBaseCluster cluster;
  private static HBaseLab lab;

  @BeforeAll
  static void up() throws IOException, EngineException {
    cluster = HBaseCluster.up(NAME, home, Map.of(), config -> config.withSecure(true));
    lab = cluster.lab();
  }

  @AfterAll
  static void down() throws IOException {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Override
  protected TestCluster cluster() {
    return cluster;
  }

  @Override
  public Set<Capability> can() {
    return Set.of(Capability.PLACEMENT, Capability.ONLINE_PROFILES);
  }

  @Override
  protected String[] controllerArguments() {
    String file = lab.dir().secure().resolve("connections.yaml").toString();
    return new String[] {"--cluster", NAME, "--connections", file};
  }

  /** One that serves users' partitions. */
  @Override
  protected NodeId victim(ClusterSnapshot now) {
    return now.partitions().stream()
        .map(PartitionState::node)
        .flatMap(Optional::stream)
        .findFirst()
        .orElseGet(() -> now.nodes().get(0).id());
  }

  private static HBaseKeys keys() {
    return new HBaseKeys(lab.dir(), lab.state());
  }

  private static List<ConnectionStep> steps(HBaseContact contact) {
    List<ConnectionStep> steps = new ArrayList<>();
    new HBaseCheck(contact, steps::add).run();
    return steps;
  }

  private static List<String> failed(HBaseContact contact) {
    return steps(contact).stream().filter(s -> !s.works()).map(ConnectionStep::text).toList();
  }

  @Test
  void theClusterIsReachedByItsNameInTheFileOfConnections() throws EngineException {
    try (Engine engine = ClusterChoice.of(List.of(controllerArguments())).connect()) {
      assertThat(engine.snapshot().gaps()).isEmpty();
    }
  }

  @Test
  void theClusterIsReachedByOptionsAlone() throws EngineException {
    Path secure = lab.dir().secure();
    Kerberos user = keys().kerberos("trimtab");
    List<String> options =
        List.of(
            "--hbase-conf=" + secure.resolve("conf"),
            "--kerberos-principal=" + user.principal().orElseThrow(),
            "--kerberos-keytab=" + user.proof(),
            "--kerberos-krb5=" + user.krb5().orElseThrow());
    try (Engine engine = ClusterChoice.of(options).connect()) {
      assertThat(engine.snapshot().gaps()).isEmpty();
    }
  }

  /** But for {@code krb5.conf}, of which a process has one: the lab's own is named. */
  @Test
  void theDocumentsCommandsLeadToAPlan(@TempDir Path folder) throws IOException {
    Path secure = lab.dir().secure();
    Path file = secure.resolve("connections.yaml");
    String written = Files.readString(file);
    Files.writeString(
        file, written.replace("krb5: krb5.conf", "krb5: " + secure.resolve("krb5.conf")));
    try {
      DocumentedCommands.run("logs", NAME, secure, folder, UnaryOperator.identity(), List.of());
    } finally {
      Files.writeString(file, written);
    }
  }

  @Test
  void theCheckFindsNothingToMend() {
    assertThat(failed(lab.client())).isEmpty();
    assertThat(steps(lab.client()))
        .extracting(ConnectionStep::what)
        .contains("ZooKeeper knows the user", "version");
  }

  /** And that is not taken for a failure of ZooKeeper, which would hide the master. */
  @Test
  void anotherUsersZnodeIsTold() throws EngineException {
    try (ControlLock lock = engine().takeControl("owner")) {
      assertThat(lock.held()).isTrue();
    }
    HBaseContact operator =
        lab.client()
            .with(
                new Protection(
                    Optional.of(keys().kerberos("operator")), Optional.empty(), Optional.empty()));
    assertThat(failed(operator))
        .anyMatch(step -> step.contains("znode /trimtab is the controllers' own: it is another"));
    assertThat(steps(operator)).extracting(ConnectionStep::what).contains("HBase's master");
  }

  @Test
  void aConnectionOutlivesItsTickets() throws Exception {
    keys().kdc().limitTickets("trimtab", "1m");
    try (HBaseEngine engine = HBaseEngine.connect(lab.client())) {
      for (int look = 0; look < 6; look++) {
        assertThat(gapsAfterAWhile(engine)).isEmpty();
        // New connections are made with new tickets: a server that was asked before is not enough.
        lab.restartMaster(LIMIT);
        pause(20_000);
      }
      whole(s -> s.liveNodes().size() == 3);
    } finally {
      keys().kdc().limitTickets("trimtab", "3m");
    }
  }

  /** A master that was restarted is not known to all for some seconds. */
  private static List<String> gapsAfterAWhile(Engine engine) throws EngineException {
    List<String> gaps = engine.snapshot().gaps();
    for (int i = 0; i < 60 && !gaps.isEmpty(); i++) {
      pause(1_000);
      gaps = engine.snapshot().gaps();
    }
    return gaps;
  }

  @Test
  void withoutAdminTheCheckNamesItAndTheEngineSaysSo() throws IOException {
    HBaseUsers users = new HBaseUsers(keys());
    users.take("trimtab");
    try {
      Predicate<String> mend = step -> step.endsWith("in hbase shell: grant 'trimtab', 'A'");
      assertThat(failedSoon(failed -> failed.stream().anyMatch(mend))).anyMatch(mend);
    } finally {
      users.give("trimtab", Action.ADMIN);
      assertThat(failedSoon(List::isEmpty)).isEmpty();
    }
  }

  /** Servers hear of a change of permissions a moment after whoever made it. */
  private static List<String> failedSoon(Predicate<List<String>> expected) {
    List<String> failed = failed(lab.client());
    for (int i = 0; i < 30 && !expected.test(failed); i++) {
      pause(1_000);
      failed = failed(lab.client());
    }
    return failed;
  }

  @Test
  void whatControllersKeepIsTheirUsersOnly() throws EngineException {
    try (ControlLock lock = engine().takeControl("owner");
        ClusterZooKeeper zookeeper = ClusterZooKeeper.open(lab.client())) {
      assertThat(lock.held()).isTrue();
      List<ACL> acl = zookeeper.acl("/trimtab").orElseThrow();
      assertThat(acl).allMatch(entry -> entry.getId().getScheme().equals("sasl"));
      assertThat(acl).anyMatch(entry -> entry.getId().getId().startsWith("trimtab"));
    }
  }

  @Test
  void aKeytabOfAnotherUserIsNamedInOneLine() {
    Kerberos right = keys().kerberos("trimtab");
    Kerberos wrong =
        new Kerberos(
            right.principal(),
            keys().kerberos("operator").keytab(),
            Optional.empty(),
            right.krb5(),
            true);
    HBaseContact contact =
        lab.client().with(new Protection(Optional.of(wrong), Optional.empty(), Optional.empty()));

    assertThatThrownBy(() -> HBaseEngine.connect(contact))
        .isInstanceOf(EngineException.class)
        .message()
        .doesNotContain("\n");
    assertThat(failed(contact)).singleElement().asString().contains("keytab");
  }
}
