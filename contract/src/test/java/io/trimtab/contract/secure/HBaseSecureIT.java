package io.trimtab.contract.secure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.cli.Main;
import io.trimtab.clikit.ClusterChoice;
import io.trimtab.contract.EngineContract;
import io.trimtab.contract.HBaseCluster;
import io.trimtab.contract.TestCluster;
import io.trimtab.contract.autopilot.LeftPlan;
import io.trimtab.contract.hbase.HBaseRights;
import io.trimtab.engineapi.ControlLock;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.connect.ConnectionStep;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.hbase.HBaseContact;
import io.trimtab.hbase.HBaseEngine;
import io.trimtab.hbase.security.Kerberos;
import io.trimtab.hbase.security.Protection;
import io.trimtab.hbase.zookeeper.ClusterZooKeeper;
import io.trimtab.lab.cluster.HBaseLab;
import io.trimtab.lab.setup.HBaseKeys;
import io.trimtab.lab.setup.HBaseUsers;
import io.trimtab.runtime.control.ControlDocuments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.zookeeper.data.ACL;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The HBase engine on a real cluster with Kerberos for HDFS, HBase and ZooKeeper, and with a user
 * that has the permissions of {@code docs/connections.md} only. The user's tickets last for three
 * minutes, so that the whole of it outlives several.
 */
@Tag("kerberos")
class HBaseSecureIT extends EngineContract {
  private static final String NAME = "hbase-secure";

  @TempDir static Path home;
  @AutoClose private static HBaseCluster cluster;
  private static HBaseLab lab;

  @BeforeAll
  static void up() throws IOException, EngineException {
    cluster = HBaseCluster.up(NAME, home, Map.of(), config -> config.withSecure(true));
    lab = cluster.lab();
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

  /** With the lab's realm and files in place of the document's, and nothing else. */
  @Test
  void theDocumentsCommandsLeadToAPlan(@TempDir Path folder) throws Exception {
    DocumentedCommands.run(
        "logs",
        lab.dir().secure(),
        folder,
        text ->
            text.replace("/etc/hbase/conf,/etc/hadoop/conf", "conf")
                .replace("@EXAMPLE.COM", "@TRIMTAB.LAB")
                .replace("/etc/trimtab/trimtab.keytab", "trimtab.keytab")
                .replace("/etc/krb5.conf", "krb5.conf"),
        Map.of(),
        "");
  }

  private static EditedConnections connections(String name, UnaryOperator<String> edit)
      throws IOException {
    Path own = lab.dir().secure().resolve("connections.yaml");
    return EditedConnections.write(own, NAME, name, edit);
  }

  @Test
  void theCheckFindsNothingToMend() {
    assertThat(Checks.failed(lab.client())).isEmpty();
    assertThat(Checks.steps(lab.client()))
        .extracting(ConnectionStep::what)
        .contains("ZooKeeper knows the user", "version");
  }

  /** And that is not taken for a failure of ZooKeeper, which would hide the master. */
  @Test
  void anotherUsersZnodeIsTold() throws EngineException {
    try (ControlLock lock = engine().takeControl("owner")) {
      assertThat(lock.held()).isTrue();
    }
    HBaseContact operator = lab.client().with(only(keys().kerberos("operator")));
    assertThat(Checks.failed(operator))
        .anyMatch(step -> step.contains("znode /trimtab is the controllers' own: it is another"));
    assertThat(Checks.steps(operator)).extracting(ConnectionStep::what).contains("HBase's master");
  }

  @Test
  void aConnectionOutlivesItsTickets() throws Exception {
    keys().kdc().limitTickets("trimtab", "1m");
    try (HBaseEngine engine = HBaseEngine.connect(lab.client())) {
      for (int look = 0; look < 6; look++) {
        assertThat(Checks.gapsAfterAWhile(engine)).isEmpty();
        // New connections are made with new tickets: a server that was asked before is not enough.
        lab.restartMaster(LIMIT);
        pause(20_000);
      }
      whole(s -> s.liveNodes().size() == 3);
    } finally {
      keys().kdc().limitTickets("trimtab", "3m");
    }
  }

  @Test
  void withoutAdminTheCheckNamesItAndTheEngineSaysSo() throws IOException {
    HBaseUsers users = new HBaseUsers(keys());
    users.take("trimtab");
    try {
      Predicate<String> mend = step -> step.endsWith("in hbase shell: grant 'trimtab', 'A'");
      assertThat(failedSoon(failed -> failed.stream().anyMatch(mend))).anyMatch(mend);
    } finally {
      users.give("trimtab", Permission.Action.ADMIN);
      assertThat(failedSoon(List::isEmpty)).isEmpty();
    }
  }

  /** Servers hear of a change of permissions a moment after whoever made it. */
  private static List<String> failedSoon(Predicate<List<String>> expected) {
    List<String> failed = Checks.failed(lab.client());
    for (int i = 0; i < 30 && !expected.test(failed); i++) {
      pause(1_000);
      failed = Checks.failed(lab.client());
    }
    return failed;
  }

  /**
   * Moves and profiles under load. A controller is killed between two actions, and the next one
   * takes longer than a ticket lasts. What both have written has no key and no password, nor has
   * any command line meanwhile.
   */
  @Test
  void theAutopilotActsByTheNameOfAConnectionForLongerThanATicketLasts(@TempDir Path own)
      throws Exception {
    String table = "contract_named";
    Secrets secrets = Secrets.of(lab.dir().secure());
    String clusterId = engine().snapshot().clusterId();
    keys().kdc().limitTickets("trimtab", "1m");
    try {
      underLoad(
          table,
          () -> {
            ClusterSnapshot before = whole(s -> Changes.ofTable(s, table).size() == 4);
            LeftPlan.forget(engine(), clusterId);
            List<Action> actions = Changes.movesAndProfiles(before, table);
            LeftPlan.begin(engine(), before, before.balancer(), actions);
            try (Secrets.Watch watch = secrets.watchCommandLines()) {
              try (LiveController killed = controller(own, "action-performed-1", 0)) {
                assertThat(killed.ended()).as("%s", killed.said()).isEqualTo(NamedController.DIED);
              }
              assertThat(ControlDocuments.read(engine().shared()).open()).isPresent();
              try (LiveController next = controller(own, NamedController.NOWHERE, 12_000)) {
                assertThat(next.ended()).as("%s", next.said()).isZero();
              }
            }
            Changes.assertDone(whole(s -> s.liveNodes().size() == size()), actions);
          });
      assertThat(ControlDocuments.read(engine().shared()).open()).isEmpty();
      assertThat(secrets.assertNotBelow(own, Set.of()))
          .contains(own.resolve("logs").resolve("trimtab.log"))
          .anyMatch(found -> found.startsWith(own.resolve("clusters")));
      assertThat(own.resolve("logs").resolve("trimtab.log")).isNotEmptyFile();
    } finally {
      keys().kdc().limitTickets("trimtab", "3m");
      // Servers refuse epochs before those of the controllers above.
      LeftPlan.forget(engine(), clusterId);
    }
  }

  private LiveController controller(Path own, String end, int leastMs) throws IOException {
    List<String> arguments = new ArrayList<>(List.of(end, Integer.toString(leastMs)));
    arguments.addAll(List.of(controllerArguments()));
    return LiveController.start(NamedController.class, own, Map.of(), arguments);
  }

  /** What {@code docs/connections.md} asks for is needed, each verb says what it lacks. */
  @ParameterizedTest
  @EnumSource
  void aVerbWithoutItsPermissionIsRefusedInOneLineAndChangesNothing(ForbiddenVerb verb)
      throws Exception {
    load(tenant("contract_guest", "read: 1.0", 1, LOAD_RATE));
    try (ControlLock lock = engine().takeControl("owner")) {
      // So that there is something that belongs to the controllers' user.
      assertThat(lock.held()).isTrue();
    }
    ClusterSnapshot before = whole(s -> Changes.ofTable(s, "contract_guest").size() == 4);
    PartitionState partition =
        Changes.ofTable(before, "contract_guest").stream()
            .filter(p -> !p.range().start().isEmpty())
            .findFirst()
            .orElseThrow();
    try (HBaseEngine guest = HBaseEngine.connect(keys().contact("guest"))) {
      assertThatThrownBy(() -> verb.on(guest, before, partition))
          .isInstanceOf(EngineException.class)
          .message()
          .contains(verb.refusal())
          .doesNotContain("\n");
    }
    assertThat(Changes.state(whole(s -> true))).isEqualTo(Changes.state(before));
    assertThat(engine().shared().holder()).isEmpty();
  }

  @Test
  void adminIsEnoughForTablesAndSplitsAndReadForKeysOnly() throws Exception {
    String table = "contract_rights";
    load(tenant(table, "read: 1.0", 1, LOAD_RATE));
    ClusterSnapshot now = whole(s -> Changes.ofTable(s, table).size() == 4);
    HBaseRights rights = new HBaseRights(cluster.engine(), cluster.connection());
    rights.assertKeysNeedRead(table, 4);
    rights.split(Changes.ofTable(now, table), LIMIT);
    whole(s -> Changes.ofTable(s, table).size() == 5);
    rights.assertTablesAreMadeAndDeleted(table);
  }

  /** Nothing is planned on what was not read, and the reason names the permission. */
  @Test
  void whoMayDoNothingSeesNoPlanAndNoStatus(@TempDir Path own) throws Exception {
    try (HBaseEngine guest = HBaseEngine.connect(keys().contact("guest"))) {
      assertThat(guest.snapshot().unreadNodes())
          .hasSize(size())
          .allSatisfy(
              node ->
                  assertThat(node.read().failure().orElseThrow())
                      .contains("ADMIN")
                      .doesNotContain("\n"));
    }
    EditedConnections asGuest =
        connections(
            "guest",
            text ->
                text.replace("principal: trimtab@", "principal: guest@")
                    .replace("trimtab.keytab", "guest.keytab"));
    for (String problem :
        List.of(
            LiveController.refused(own, asGuest.arguments("plan")),
            LiveController.refused(own, asGuest.arguments("run", "--plans", "1")))) {
      assertThat(problem).contains("no node could be read; ").contains("ADMIN");
    }
    assertThat(engine().shared().holder()).isEmpty();
    try (ControlLock held = engine().takeControl("owner")) {
      assertThat(LiveController.refused(own, asGuest.arguments("status")))
          .contains("NoAuth for /trimtab");
      // Whichever comes first: a request to stop that somebody has left, or the first look.
      assertThat(LiveController.refused(own, asGuest.arguments("run", "--act")))
          .containsAnyOf("NoAuth for /trimtab", "no node could be read; ");
      assertThat(held.held()).isTrue();
    }
  }

  /** The first ticket ends while the engine goes on with the one that took its place. */
  @Test
  void aTicketCacheIsExchangedAndItsEndIsToldInOneLine(@TempDir Path folder) throws Exception {
    Path cache = folder.resolve("cache");
    Path next = folder.resolve("next");
    keys().kdc().ticket("trimtab", cache, "60s", "1h");
    Kerberos keytab = keys().kerberos("trimtab");
    Kerberos byCache =
        new Kerberos(keytab.principal(), Optional.empty(), Optional.of(cache), keytab.krb5(), true);
    HBaseContact contact = lab.client().with(only(byCache));
    try (HBaseEngine engine = HBaseEngine.connect(contact)) {
      assertThat(Checks.gapsAfterAWhile(engine)).isEmpty();
      pause(30_000);
      keys().kdc().ticket("trimtab", next, "130s", "130s");
      Files.move(next, cache, StandardCopyOption.ATOMIC_MOVE);
      pause(45_000);
      // New connections are made with new tickets.
      lab.restartMaster(LIMIT);
      assertThat(Checks.gapsAfterAWhile(engine)).isEmpty();
    }
    assertThat(Checks.failed(contact)).isEmpty();
    pause(120_000);

    assertThatThrownBy(() -> HBaseEngine.connect(contact))
        .isInstanceOf(EngineException.class)
        .message()
        .contains(cache + ": no valid ticket")
        .doesNotContain("\n");
    assertThat(Checks.failed(contact)).singleElement().asString().contains("kinit -R");
    EditedConnections named =
        connections(
            "cache", text -> text.replace("keytab: trimtab.keytab", "ticketCache: " + cache));
    try (LiveController plan = LiveController.command(folder, named.arguments("plan"))) {
      assertThat(plan.ended()).as("%s", plan.said()).isEqualTo(Main.REFUSED);
      assertThat(plan.problem()).contains(cache + ": no valid ticket");
    }
  }

  private static Protection only(Kerberos how) {
    return new Protection(Optional.of(how), Optional.empty(), Optional.empty());
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
    HBaseContact contact = lab.client().with(only(wrong));

    assertThatThrownBy(() -> HBaseEngine.connect(contact))
        .isInstanceOf(EngineException.class)
        .message()
        .doesNotContain("\n");
    assertThat(Checks.failed(contact)).singleElement().asString().contains("keytab");
  }
}
