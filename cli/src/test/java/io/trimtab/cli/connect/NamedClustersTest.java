package io.trimtab.cli.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.cassandra.CassandraContact;
import io.trimtab.clikit.ClusterHandle;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.connect.ConnectionStep;
import io.trimtab.formats.connections.Connections;
import io.trimtab.hbase.HBaseContact;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NamedClustersTest {
  private static final String PASSWORD = "hunter2hunter2";

  @TempDir private Path folder;

  private ClusterHandle named(String name, String text) throws IOException {
    return new NamedClusters(file(text)).named(name);
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
    return new NamedClusters(file).database(name);
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

  /** Until there are any, a section is refused and not overlooked. */
  @Test
  void aProviderIsRefused() {
    assertThatThrownBy(
            () -> named("a", "clusters: {a: {cassandra: {hosts: h}, provider: {kind: ec2}}}"))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("clusters.a.provider");
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
