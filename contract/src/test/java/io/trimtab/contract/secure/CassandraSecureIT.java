package io.trimtab.contract.secure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import io.trimtab.cassandra.CassandraContact;
import io.trimtab.cassandra.CassandraContact.Credentials;
import io.trimtab.cassandra.CassandraContact.Protection;
import io.trimtab.cassandra.CassandraEngine;
import io.trimtab.cli.Main;
import io.trimtab.clikit.ClusterChoice;
import io.trimtab.contract.CassandraCluster;
import io.trimtab.contract.CassandraContract;
import io.trimtab.contract.autopilot.LeftPlan;
import io.trimtab.contract.secure.cql.DriverFile;
import io.trimtab.contract.secure.cql.ExchangedStore;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeSetting;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.plan.Action;
import io.trimtab.engineapi.plan.Plan;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.lab.cluster.CassandraLab;
import io.trimtab.lab.cluster.CassandraSettings;
import io.trimtab.runtime.control.ControlDocuments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The Cassandra engine on a real cluster with TLS on both sides for CQL, between nodes and for JMX,
 * and with users that have only the permissions of {@code docs/connections.md}.
 */
@Tag("beside-others")
@TestMethodOrder(OrderAnnotation.class)
class CassandraSecureIT extends CassandraContract {
  private static final String NAME = "cassandra-secure";

  @TempDir static Path home;
  @AutoClose private static CassandraCluster cluster;
  private static CassandraLab lab;

  @BeforeAll
  static void up() throws IOException, EngineException {
    cluster =
        CassandraCluster.up(
            NAME, home, 3, CassandraSettings.DEFAULTS, config -> config.withSecure(true));
    lab = cluster.lab();
  }

  @Override
  protected CassandraCluster cluster() {
    return cluster;
  }

  @Override
  @Test
  @Tag(REPEATED)
  protected void aKilledNodeIsDeadTheLoadIsServedAndItComesBack() throws Exception {
    super.aKilledNodeIsDeadTheLoadIsServedAndItComesBack();
  }

  /** Then one of the nodes is gone that the lab's file of connections names. */
  @Override
  @Test
  @Order(Integer.MAX_VALUE)
  @Tag(REPEATED)
  protected void aNodeComesAndAnotherGoesUnderLoad() throws Exception {
    super.aNodeComesAndAnotherGoesUnderLoad();
  }

  private static String connections() {
    return lab.dir().secure().resolve("connections.yaml").toString();
  }

  @Override
  protected String[] controllerArguments() {
    return new String[] {"--cluster", NAME, "--connections", connections()};
  }

  @Test
  void theClusterIsReachedByItsNameInTheFileOfConnections() throws EngineException {
    ClusterChoice choice = ClusterChoice.of(List.of(controllerArguments()));
    try (Engine engine = choice.connect()) {
      assertThat(engine.snapshot().gaps()).isEmpty();
    }
  }

  private static String hosts() {
    return lab.points().stream()
        .map(p -> p.getHostString() + ":" + p.getPort())
        .collect(Collectors.joining(","));
  }

  @Test
  void theClusterIsReachedByOptionsAlone() throws EngineException {
    Path secure = lab.dir().secure();
    int jmxPort = lab.client().jmxPort();
    List<String> options =
        new ArrayList<>(List.of("--cassandra=" + hosts(), "--jmx-port=" + jmxPort));
    for (String way : List.of("--cql-", "--jmx-")) {
      options.add(way + "user=trimtab");
      options.add(way + "password=file:" + secure.resolve(way.replace("-", "") + ".password"));
      options.add(way + "tls-trust-store=" + secure.resolve("trust.p12"));
      options.add(way + "tls-trust-password=file:" + secure.resolve("store.password"));
      options.add(way + "tls-key-store=" + secure.resolve("client.p12"));
      options.add(way + "tls-key-password=file:" + secure.resolve("store.password"));
    }
    try (Engine engine = ClusterChoice.of(options).connect()) {
      assertThat(engine.snapshot().gaps()).isEmpty();
    }
  }

  /** With this ring's addresses in place of the document's, and nothing else. */
  @Test
  void theDocumentsCommandsLeadToAPlan(@TempDir Path folder) throws Exception {
    String hosts = hosts();
    DocumentedCommands.run(
        "shop",
        lab.dir().secure(),
        folder,
        text ->
            text.replaceFirst("hosts: .*", "hosts: " + hosts)
                .replaceFirst("port: 7199", "port: " + lab.client().jmxPort()),
        Map.of("SHOP_JMX_PASSWORD", password("jmx")),
        // As many samples as by default, fifteen times as often.
        " --period 2s");
  }

  private static String password(String name) throws IOException {
    return Files.readString(lab.dir().secure().resolve(name + ".password")).strip();
  }

  private static EditedConnections connections(String name, UnaryOperator<String> edit)
      throws IOException {
    return EditedConnections.write(Path.of(connections()), NAME, name, edit);
  }

  @Test
  void aWrongPasswordIsNamedAndNotShown() throws Exception {
    Optional<Credentials> wrong = Optional.of(new Credentials("trimtab", () -> "not-the-password"));
    CassandraContact contact = lab.client().with(wrong, lab.client().jmx());

    assertThatThrownBy(() -> CassandraEngine.connect(contact))
        .isInstanceOf(EngineException.class)
        .message()
        .startsWith("Cassandra at 127.77.")
        .doesNotContain("not-the-password")
        .doesNotContain("\n");
    assertThat(Checks.failed(contact)).singleElement().asString().contains("user trimtab");

    EditedConnections file = wrongPassword("cql");
    Refused check = Refused.command(file.arguments("connect", "check"));
    assertThat(check.failed()).contains("user trimtab");
    assertThat(check.out() + check.err()).doesNotContain("not-the-password");
    assertRefused(file, "trimtab: Cassandra at 127.77.");
    assertRefused(wrongPassword("jmx"), "trimtab: no node could be read; ");
  }

  private static EditedConnections wrongPassword(String of) throws IOException {
    String ours = "file:" + of + ".password";
    return connections("wrong", text -> text.replace(ours, "\"command:echo not-the-password\""));
  }

  /** Nothing is planned or done, and why is told without the password. */
  private void assertRefused(EditedConnections file, String start) throws EngineException {
    for (List<String> words :
        List.of(file.arguments("plan"), file.arguments("run", "--act", "--plans", "1"))) {
      assertThat(Refused.command(words).line())
          .startsWith(start)
          .contains("127.77.")
          .doesNotContain("not-the-password");
    }
    assertThat(engine().shared().holder()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void aStoreIsExchangedWhileAnEngineIsOpen(ExchangedStore.Kind kind, @TempDir Path folder)
      throws Exception {
    new ExchangedStore(kind, lab, folder).assertExchanged();
  }

  @Test
  void userAndTlsMayStandInTheDriversOwnFileAlone(@TempDir Path folder) throws Exception {
    DriverFile file = new DriverFile(lab, folder);
    file.assertSuffices();
    file.assertMissedByName(cluster.target().session());
    file.assertWrongPasswordRefused();
  }

  @Test
  void noObjectOfAnOpenEngineShowsASecret() throws Exception {
    ClusterChoice choice = ClusterChoice.of(List.of(controllerArguments()));
    try (Engine engine = choice.connect()) {
      // Also of connections with each node.
      assertThat(engine.snapshot().gaps()).isEmpty();
      Secrets.of(lab.dir().secure())
          .assertNotShownBy(
              List.of(choice, engine),
              "io.trimtab.cassandra.NodeJmx",
              "io.trimtab.cassandra.cql.ReadCredentials",
              "io.trimtab.cassandra.cql.TlsEngines",
              "io.trimtab.config.Secret");
    }
  }

  @Test
  void nodesWhoseCertificatesAreNotTrustedAreRefused(@TempDir Path folder) throws Exception {
    Map<NodeId, Map<NodeSetting, Integer>> before = settings();
    StrangeTrust trust = new StrangeTrust(Path.of(connections()), NAME, folder);
    trust.assertRefused("cql", lab.points().get(0).getPort());
    trust.assertRefused("jmx", lab.client().jmxPort());
    assertThat(settings()).isEqualTo(before);
    assertThat(engine().shared().holder()).isEmpty();
  }

  @Test
  void aClientWithoutTlsOrCertificateIsToldWhatToSet() {
    CassandraContact open = lab.client().with(Protection.NONE);
    assertThat(Checks.failed(open)).anyMatch(step -> step.contains("cql.tls"));
  }

  /** As {@code docs/connections.md} lists them: the check names it, and so does what needs it. */
  @ParameterizedTest
  @EnumSource
  void eachPermissionIsNeededAndMissedByName(CassandraPermission permission) throws Exception {
    // So that there are tables.
    engine().takeControl("owner").close();
    CqlSession operator = cluster.target().session();
    permission.takeAway(operator);
    try {
      assertThat(Checks.failed(lab.client()))
          .singleElement()
          .asString()
          .endsWith("; to mend it: " + permission.grant());
      assertThat(permission.told(lab, operator)).contains(permission.refusal());
    } finally {
      permission.giveBack(operator);
    }
    permission.assertDone(lab, operator);
  }

  @Test
  void whatMakingAndDeletingTablesNeedsIsMissedByName() throws Exception {
    TableRights rights = new TableRights(lab.client(), cluster.target().session());
    rights.assertMissedByName();
    rights.assertEnough();
  }

  /**
   * A controller is killed between two actions, and the next one, the product's own command, goes
   * on. Their passwords come from a command and from the environment. Then no password is in what
   * either of them has written, nor has one been in the list of processes.
   */
  @Test
  void theAutopilotActsByTheNameOfAConnectionAndShowsNoPassword(@TempDir Path own)
      throws Exception {
    Secrets secrets = Secrets.of(lab.dir().secure());
    String shown = "command:cat " + lab.dir().secure().resolve("cql.password");
    EditedConnections file =
        connections(
            "autopilot",
            text ->
                text.replace("file:cql.password", '"' + shown + '"')
                    .replace("file:jmx.password", "env:RING_JMX_PASSWORD"));
    Map<String, String> variables = Map.of("RING_JMX_PASSWORD", password("jmx"));
    ClusterSnapshot before = whole(s -> s.liveNodes().size() == size());
    LeftPlan.forget(engine(), before.clusterId());
    NodeState changed = before.nodes().get(0);
    int keyCache = changed.settings().get(NodeSetting.KEY_CACHE);
    Plan plan = LeftPlan.begin(engine(), before, before.balancer(), changes(before));
    try (Secrets.Watch watch = secrets.watchCommandLines()) {
      try (LiveController killed =
          LiveController.start(
              NamedController.class, own, variables, file.arguments("action-performed-1", "0"))) {
        assertThat(killed.ended()).as("%s", killed.said()).isEqualTo(NamedController.DIED);
      }
      assertThat(ControlDocuments.read(engine().shared()).open()).isPresent();
      try (LiveController next =
          LiveController.start(
              Main.class,
              own,
              variables,
              file.arguments(
                  "run", "--debug", "--act", "--plans", "1", "--period", "1s", "--samples", "2"))) {
        assertThat(next.ended()).as("%s", next.said()).isZero();
        assertThat(next.said()).contains("step %1$d of %1$d".formatted(plan.actions().size()));
      }
    }
    ClusterSnapshot after = whole(s -> s.liveNodes().size() == size());
    NodeState now = after.node(changed.id()).orElseThrow();
    assertThat(now.settings()).containsEntry(NodeSetting.KEY_CACHE, keyCache + 3);
    assertThat(now.profile().orElseThrow().sameCache(Profile.READ)).isTrue();
    assertThat(ControlDocuments.read(engine().shared()).open()).isEmpty();
    assertKeptNoSecret(secrets, own);
    engine().set(changed.id(), NodeSetting.KEY_CACHE, keyCache, LIMIT);
    engine().applyProfile(changed.id(), changed.profile().orElseThrow(), LIMIT);
  }

  /** Of one node, and cheap. */
  private static List<Action> changes(ClusterSnapshot before) {
    NodeState node = before.nodes().get(0);
    int keyCache = node.settings().get(NodeSetting.KEY_CACHE);
    return List.of(
        new Action.SetNode(node.id(), NodeSetting.KEY_CACHE, keyCache, keyCache + 3),
        new Action.Reconfigure(
            node.id(), node.profile().orElseThrow(), Profile.READ, Action.ApplyMode.ONLINE));
  }

  /** In its journal, its log, what it has printed, and what the lab and this process have. */
  private static void assertKeptNoSecret(Secrets secrets, Path own) throws IOException {
    List<Path> searched = secrets.assertNotBelow(own, Set.of());
    assertThat(searched)
        .contains(own.resolve("logs").resolve("trimtab.log"))
        .anyMatch(found -> found.startsWith(own.resolve("clusters")));
    assertThat(own.resolve("logs").resolve("trimtab.log")).isNotEmptyFile();
    Path root = lab.dir().root();
    assertThat(
            secrets.assertNotBelow(
                home,
                // Keys have a folder; the nodes' data come and go, and are what users have stored.
                Set.of(lab.dir().secure(), root.resolve("data"), Path.of("cassandra.yaml"))))
        .contains(root.resolve("state.json"));
    CassandraContact contact = lab.client();
    assertThat(contact.toString() + contact.protection())
        .satisfies(text -> assertThat(secrets.texts()).noneMatch(text::contains));
  }

  /** A user of JMX who may read sees a plan; one who is to act must be able to. */
  @Test
  void whoMayOnlyReadByJmxPlansAndIsRefusedBeforeAnythingIsDone(@TempDir Path own)
      throws Exception {
    EditedConnections file =
        connections(
            "reader",
            text ->
                text.replaceFirst("user: trimtab(\\s+password: file:)jmx", "user: reader$1reader"));
    Map<NodeId, Map<NodeSetting, Integer>> before = settings();
    try (LiveController plans =
        LiveController.command(own, file.arguments("plan", "--period", "1s", "--samples", "2"))) {
      assertThat(plans.ended()).as("%s", plans.said()).isZero();
    }
    try (LiveController acts =
        LiveController.command(
            own,
            file.arguments("run", "--act", "--plans", "1", "--period", "1s", "--samples", "2"))) {
      assertThat(acts.ended()).as("%s", acts.said()).isEqualTo(Main.REFUSED);
      assertThat(acts.problem()).contains("reader needs readwrite").contains("127.77.");
    }
    assertThat(settings()).isEqualTo(before);
    assertThat(engine().shared().holder()).isEmpty();
  }

  private Map<NodeId, Map<NodeSetting, Integer>> settings() throws EngineException {
    return whole(s -> s.liveNodes().size() == size()).nodes().stream()
        .collect(Collectors.toMap(NodeState::id, NodeState::settings));
  }

  @Test
  void certificatesOfOtherHostsAreRefusedByName(@TempDir Path folder) throws Exception {
    Map<NodeId, Map<NodeSetting, Integer>> before = settings();
    StrangeTrust trust = new StrangeTrust(Path.of(connections()), NAME, folder);
    trust.assertOtherHostRefusedByCql(lab.points().get(0));
    trust.assertOtherHostRefusedByJmx(lab.client().jmxPort());
    assertThat(settings()).isEqualTo(before);
    assertThat(engine().shared().holder()).isEmpty();
  }
}
