package io.trimtab.contract.secure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.cassandra.CassandraContact;
import io.trimtab.cassandra.CassandraContact.Credentials;
import io.trimtab.cassandra.CassandraContact.Protection;
import io.trimtab.cassandra.CassandraEngine;
import io.trimtab.cassandra.check.CassandraCheck;
import io.trimtab.clikit.ClusterChoice;
import io.trimtab.contract.CassandraCluster;
import io.trimtab.contract.EngineContract;
import io.trimtab.contract.TestCluster;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.connect.ConnectionStep;
import io.trimtab.lab.cluster.CassandraLab;
import io.trimtab.lab.cluster.CassandraSettings;
import io.trimtab.workload.admin.CqlScript;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The Cassandra engine on a real cluster with TLS on both sides for CQL, between nodes and for JMX,
 * and with users that have only the permissions of {@code docs/connections.md}.
 */
@Tag("beside-others")
class CassandraSecureIT extends EngineContract {
  private static final String NAME = "cassandra-secure";

  @TempDir static Path home;
  private static CassandraCluster cluster;
  private static CassandraLab lab;

  @BeforeAll
  static void up() throws IOException, EngineException {
    cluster =
        CassandraCluster.up(
            NAME, home, 3, CassandraSettings.DEFAULTS, config -> config.withSecure(true));
    lab = cluster.lab();
  }

  @AfterAll
  static void down() {
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
    return Set.of(Capability.ONLINE_PROFILES, Capability.NODE_SETTINGS);
  }

  private static String connections() {
    return lab.dir().secure().resolve("connections.yaml").toString();
  }

  @Override
  protected String[] controllerArguments() {
    return new String[] {"--cluster", NAME, "--connections", connections()};
  }

  private static List<ConnectionStep> check(CassandraContact contact) {
    List<ConnectionStep> steps = new ArrayList<>();
    new CassandraCheck(contact, steps::add).run();
    return steps;
  }

  private static List<String> failed(CassandraContact contact) {
    return check(contact).stream().filter(s -> !s.works()).map(ConnectionStep::text).toList();
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

  @Test
  void theDocumentsCommandsLeadToAPlan(@TempDir Path folder) throws IOException {
    // The lab's file names its first nodes, and other tests have let some of them go.
    String hosts = hosts();
    DocumentedCommands.run(
        "shop",
        NAME,
        lab.dir().secure(),
        folder,
        text -> text.replaceFirst("hosts: .*", "hosts: " + hosts),
        // As many samples as by default, six times as often.
        List.of("--period", "5s"));
  }

  @Test
  void theCheckFindsNothingToMend() {
    assertThat(failed(lab.client())).isEmpty();
    assertThat(check(lab.client())).hasSizeGreaterThan(10);
  }

  @Test
  void aWrongPasswordIsNamedAndNotShown() {
    Optional<Credentials> wrong = Optional.of(new Credentials("trimtab", () -> "not-the-password"));
    CassandraContact contact = lab.client().with(wrong, lab.client().jmx());

    assertThatThrownBy(() -> CassandraEngine.connect(contact))
        .isInstanceOf(EngineException.class)
        .message()
        .startsWith("Cassandra at 127.77.")
        .doesNotContain("not-the-password")
        .doesNotContain("\n");
    assertThat(failed(contact)).singleElement().asString().contains("user trimtab");
  }

  @Test
  void aClientWithoutTlsOrCertificateIsToldWhatToSet() {
    CassandraContact open = lab.client().with(Protection.NONE);
    assertThat(failed(open)).anyMatch(step -> step.contains("cql.tls"));
  }

  /** As {@code docs/connections.md} lists them: without any of them a step of the check fails. */
  @Test
  void eachPermissionIsNeededAndMissedByName() throws IOException {
    Path operator = lab.dir().secure().resolve("driver.conf");
    for (String permission :
        List.of(
            "CREATE ON KEYSPACE trimtab_control",
            "ALTER ON KEYSPACE trimtab_control",
            "SELECT ON KEYSPACE trimtab_control",
            "MODIFY ON KEYSPACE trimtab_control",
            "SELECT ON KEYSPACE system_views")) {
      CqlScript.run(lab.points(), operator, List.of("REVOKE " + permission + " FROM trimtab"));
      try {
        assertThat(failed(lab.client()))
            .singleElement()
            .asString()
            .endsWith("GRANT " + permission + " TO trimtab");
      } finally {
        CqlScript.run(lab.points(), operator, List.of("GRANT " + permission + " TO trimtab"));
      }
    }
  }

  /** Logs, journals and state of the lab and of this process; keys and passwords have a folder. */
  @Test
  void noPasswordIsInAnyLogOrCommandLine() throws IOException {
    List<String> passwords = new ArrayList<>();
    for (String name : List.of("store", "cql", "jmx", "operator")) {
      passwords.add(Files.readString(lab.dir().secure().resolve(name + ".password")).strip());
    }
    List<Path> searched = searched();
    assertThat(searched).contains(lab.dir().root().resolve("state.json"));
    for (Path file : searched) {
      String text = Files.readString(file, StandardCharsets.ISO_8859_1);
      assertThat(passwords).as("%s", file).noneMatch(text::contains);
    }
    List<String> commands =
        ProcessHandle.allProcesses()
            .flatMap(process -> process.info().commandLine().stream())
            .toList();
    assertThat(commands).noneMatch(line -> passwords.stream().anyMatch(line::contains));
    assertThat(lab.client().toString() + lab.client().protection())
        .satisfies(text -> assertThat(passwords).noneMatch(text::contains));
  }

  /** Not the nodes' data, whose files come and go while this looks. */
  private static List<Path> searched() throws IOException {
    Set<Path> kept = Set.of(lab.dir().secure(), lab.dir().root().resolve("data"));
    List<Path> found = new ArrayList<>();
    Files.walkFileTree(
        home,
        new SimpleFileVisitor<Path>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            return kept.contains(folder) ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (attributes.isRegularFile() && !file.endsWith("cassandra.yaml")) {
              found.add(file);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) {
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, IOException e) {
            return FileVisitResult.CONTINUE;
          }
        });
    return found;
  }
}
