package io.trimtab.cli.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.cassandra.CassandraContact;
import io.trimtab.clikit.ClusterHandle;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.connect.ConnectionStep;
import io.trimtab.formats.connections.Connections;
import io.trimtab.hbase.HBaseContact;
import io.trimtab.sources.MetricsConfig;
import io.trimtab.sources.SourceConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NamedClustersTest {
  private static final String PASSWORD = "hunter2hunter2";

  @TempDir private Path folder;

  private ClusterHandle named(String name, String text) throws IOException {
    return new NamedClusters(new ConnectionFile(file(text))).named(name);
  }

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("connections.yaml"), text);
  }

  private void password() throws IOException {
    Path file = Files.writeString(folder.resolve("pw"), PASSWORD + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  private static List<String> failed(ClusterHandle cluster) {
    List<ConnectionStep> steps = new ArrayList<>();
    cluster.check(steps::add);
    return steps.stream().filter(s -> !s.works()).map(ConnectionStep::text).toList();
  }

  @Test
  void aPasswordIsReadWhenItIsNeededAndIsInNoText() throws IOException {
    ClusterHandle shop =
        named(
            "shop",
            """
            clusters:
              shop:
                cassandra:
                  hosts: 127.0.0.1:1
                  cql: {user: ann, password: "file:pw"}
                  jmx: {user: ann, password: "file:pw"}
            """);
    // It is not there yet.
    assertThatThrownBy(shop::connect)
        .isInstanceOf(UserError.class)
        .hasMessageContaining(folder.resolve("pw") + ": no such file");
    password();
    assertThatThrownBy(shop::connect)
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("Cassandra at 127.0.0.1:1");
    assertThat(shop.toString() + shop.label()).doesNotContain(PASSWORD);
  }

  /** All that has to do with a connection and may end up in a log. */
  @Test
  void noRecordOfAConnectionShowsAPassword() throws IOException {
    password();
    Files.createDirectories(folder.resolve("conf"));
    Files.writeString(
        folder.resolve("conf/hbase-site.xml"),
        "<configuration>"
            + "<property><name>hbase.zookeeper.quorum</name><value>zk1</value></property>"
            + "<property><name>hbase.zookeeper.property.ssl.keyStore.password</name><value>"
            + PASSWORD
            + "</value></property></configuration>");
    Path file =
        file(
            """
            clusters:
              shop:
                cassandra:
                  hosts: 127.0.0.1:1
                  cql:
                    user: ann
                    password: file:pw
                    tls: {keyStore: k.p12, keyPassword: "file:pw"}
              logs:
                hbase: {conf: conf}
            """);
    CassandraContact shop = ((CassandraHandle) database(file, "shop")).contact();
    HBaseContact logs = ((HBaseHandle) database(file, "logs")).target();
    assertThat(logs.client()).containsValue(PASSWORD);
    assertThat(
            List.of(
                Connections.read(file).toString(),
                shop.toString(),
                shop.protection().toString(),
                shop.cql().orElseThrow().toString(),
                logs.toString(),
                database(file, "logs").toString(),
                database(file, "logs").address().toString(),
                database(file, "shop").address().toString()))
        .noneMatch(text -> text.contains(PASSWORD));
  }

  private static ClusterHandle database(Path file, String name) {
    return new NamedClusters(new ConnectionFile(file)).named(name);
  }

  @Test
  void siteFilesAreTakenAsTheyAre() throws IOException {
    Files.createDirectories(folder.resolve("a"));
    Files.createDirectories(folder.resolve("b"));
    Files.writeString(
        folder.resolve("a/core-site.xml"),
        "<configuration><property><name>x.y</name><value>from-core</value></property>"
            + "</configuration>");
    Files.writeString(
        folder.resolve("b/hbase-site.xml"),
        """
        <configuration>
          <property><name>hbase.zookeeper.quorum</name><value>zk1,zk2</value></property>
          <property><name>hbase.zookeeper.property.clientPort</name><value>2281</value></property>
          <property><name>zookeeper.znode.parent</name><value>/hbase-secure</value></property>
          <property><name>both</name><value>${x.y}!</value></property>
        </configuration>
        """);
    Path file = file("clusters: {logs: {hbase: {conf: \"a, b\"}}}");
    HBaseContact logs = ((HBaseHandle) database(file, "logs")).target();
    assertThat(logs.zookeeper()).isEqualTo("zk1:2281,zk2:2281");
    assertThat(logs.znodeParent()).isEqualTo("/hbase-secure");
    assertThat(logs.client()).containsEntry("both", "from-core!");
  }

  @Test
  void aFolderWithoutSiteFilesIsNamed() {
    assertThatThrownBy(() -> named("logs", "clusters: {logs: {hbase: {conf: none}}}"))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("connections.yaml: clusters.logs: ")
        .hasMessageContaining("none: no such folder");
  }

  @Test
  void badHostsAreNamedWithFileAndCluster() {
    assertThatThrownBy(() -> named("a", "clusters: {a: {cassandra: {hosts: \"h:x\"}}}"))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("connections.yaml: clusters.a: not a port: x");
  }

  @Test
  void aClusterHasTheProviderOfItsSection() throws IOException {
    String fleet =
        """
        clusters:
          a:
            cassandra: {hosts: h}
            provider: {manual: {spare: 3}}
          b:
            cassandra: {hosts: h}
        """;
    NodeProvider provider = named("a", fleet).provider(line -> {}).orElseThrow();
    assertThatThrownBy(provider::machines)
        .hasMessage("a is not connected, so its provider can't look at it");
    assertThat(named("a", fleet).nodeWord()).isEqualTo("Cassandra node");
    assertThat(named("a", fleet).address()).isEqualTo(named("b", fleet).address());
    assertThat(named("b", fleet).provider(line -> {})).isEmpty();
  }

  @Test
  void aProvidersFilesAreOfTheFilesFolder() throws IOException {
    ClusterHandle a =
        named("a", "clusters: {a: {cassandra: {hosts: h}, provider: {exec: {program: n.py}}}}");
    assertThatThrownBy(() -> a.provider(line -> {}))
        .isInstanceOf(UserError.class)
        .hasMessageContaining(folder.resolve("n.py") + ": no such file");
  }

  @Test
  void aClusterHasTheMetricSourcesOfItsSection() throws IOException {
    String fleet =
        """
        clusters:
          a:
            hbase: {zookeeper: z}
            provider: {manual: {}}
            metrics:
              sources: [{type: prometheus, url: "http://p:9090", tokenFile: token}]
              period: 5s
          b:
            cassandra: {hosts: h}
            metrics: {sources: [{type: jolokia}]}
          c:
            hbase: {zookeeper: z}
        """;
    MetricsConfig metrics = named("a", fleet).metrics().orElseThrow();
    assertThat(metrics.period()).isEqualTo(Duration.ofSeconds(5));
    assertThat(metrics.sources())
        .singleElement()
        .extracting(SourceConfig::tokenFile)
        .isEqualTo(folder.resolve("token").toString());
    assertThat(named("b", fleet).metrics().orElseThrow().sources())
        .extracting(SourceConfig::name)
        .containsExactly("jolokia");
    assertThat(named("c", fleet).metrics()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "provider: {exce: {}} | :4: clusters.a.provider.exce: is no kind of provider",
        "provider: {manual: {spare: -1}} | :4: clusters.a.provider.manual.spare: must be from 0",
        "metrics: {perod: 5s} | :4: clusters.a.metrics.perod: unknown key; did you mean period?",
        "metrics: {period: 1ms} | :4: clusters.a.metrics.period: must be in [1s, 1h]",
      })
  void aBadSectionIsNamedWithLineAndKey(String section, String says) throws IOException {
    Path file = file("clusters:\n  a:\n    hbase: {zookeeper: z}\n    " + section.strip() + "\n");
    assertThatThrownBy(() -> ConnectionFile.read(file))
        .isInstanceOf(UserError.class)
        .hasMessageStartingWith(file + says.strip());
  }

  @Test
  void aPortThatNobodyListensOnIsToldWithWhatMendsIt() throws IOException {
    assertThat(failed(named("a", "clusters: {a: {cassandra: {hosts: \"127.0.0.1:1\"}}}")))
        .singleElement()
        .asString()
        .startsWith("FAILED  port 127.0.0.1:1: ")
        .contains("to mend it: ");
    assertThat(failed(named("b", "clusters: {b: {hbase: {zookeeper: \"127.0.0.1:1\"}}}")))
        .singleElement()
        .asString()
        .startsWith("FAILED  port 127.0.0.1:1: ");
  }

  @Test
  void aNameThatNobodyKnowsIsTold() throws IOException {
    assertThat(failed(named("a", "clusters: {a: {hbase: {zookeeper: no-such-host.invalid}}}")))
        .singleElement()
        .asString()
        .startsWith("FAILED  name no-such-host.invalid: nobody knows it");
  }
}
