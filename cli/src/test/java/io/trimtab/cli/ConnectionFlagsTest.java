package io.trimtab.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.cassandra.CassandraContact;
import io.trimtab.cassandra.CassandraContact.Credentials;
import io.trimtab.cli.connect.CassandraHandle;
import io.trimtab.cli.connect.HBaseHandle;
import io.trimtab.clikit.ClusterChoice;
import io.trimtab.clikit.ClusterNaming;
import io.trimtab.config.UserError;
import io.trimtab.formats.connections.CassandraConnection;
import io.trimtab.formats.connections.HBaseConnection;
import io.trimtab.hbase.HBaseContact;
import io.trimtab.hbase.security.Kerberos;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Connections that are given by options, for one use. */
class ConnectionFlagsTest {
  private static final String PASSWORD = "hunter2hunter2";

  @TempDir private Path folder;

  private static <T extends ClusterNaming> T parsed(T naming, String... arguments) {
    new CommandLine(naming.options()).parseArgs(arguments);
    return naming;
  }

  private CassandraContact cassandra(String... arguments) {
    return ((CassandraHandle) parsed(new CassandraNaming(), arguments).cluster()).contact();
  }

  private HBaseContact hbase(String... arguments) {
    return ((HBaseHandle) parsed(new HBaseNaming(), arguments).cluster()).target();
  }

  private Path password() throws IOException {
    Path file = Files.writeString(folder.resolve("pw"), PASSWORD + "\n");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  /** The keys of a record of the file and of the records in it, as the options are called. */
  private static Set<String> optionsOf(String prefix, Class<?> type) {
    Set<String> found = new TreeSet<>();
    for (RecordComponent key : type.getRecordComponents()) {
      String name = key.getName().replaceAll("[A-Z]", "-$0").toLowerCase(Locale.ROOT);
      String option = prefix + "-" + name;
      if (key.getType().isRecord()) {
        found.addAll(optionsOf(option, key.getType()));
      } else {
        found.add(option);
      }
    }
    return found;
  }

  @Test
  void everyKeyOfTheFileIsAnOptionWithItsName() {
    Set<String> cassandra = optionsOf("-", CassandraConnection.class);
    assertThat(cassandra.remove("--hosts")).isTrue();
    cassandra.add("--cassandra");
    assertThat(new CassandraNaming().options().optionsMap().keySet())
        .containsExactlyInAnyOrderElementsOf(cassandra);

    Set<String> hbase = optionsOf("-", HBaseConnection.class);
    assertThat(hbase.remove("--conf")).isTrue();
    hbase.add("--hbase-conf");
    assertThat(new HBaseNaming().options().optionsMap().keySet())
        .containsExactlyInAnyOrderElementsOf(hbase);
  }

  @Test
  void aSecuredRingNeedsNoFile() throws IOException {
    CassandraContact shop =
        cassandra(
            "--cassandra=10.0.0.1,10.0.0.2:9142",
            "--cql-user=ann",
            "--cql-password=file:" + password(),
            "--cql-tls-trust-store=" + folder.resolve("trust.p12"),
            "--cql-tls-host-names=dns",
            "--jmx-port=7299",
            "--jmx-user=bob",
            "--jmx-password=command:echo " + PASSWORD,
            "--driver=" + folder.resolve("application.conf"));

    assertThat(shop.text()).isEqualTo("10.0.0.1:9042,10.0.0.2:9142");
    assertThat(shop.cql().map(Credentials::user)).contains("ann");
    assertThat(shop.cql().orElseThrow().password().get()).isEqualTo(PASSWORD);
    assertThat(shop.jmxPort()).isEqualTo(7299);
    assertThat(shop.jmx().map(Credentials::user)).contains("bob");
    assertThat(shop.jmx().orElseThrow().password().get()).isEqualTo(PASSWORD);
    assertThat(shop.protection().cql()).isPresent();
    assertThat(shop.protection().jmx()).isEmpty();
    assertThat(shop.protection().driver()).contains(folder.resolve("application.conf"));
    assertThat(shop + " " + shop.protection()).doesNotContain(PASSWORD);
  }

  @Test
  void aKerberizedHBaseNeedsNoFile() throws IOException {
    Files.writeString(
        folder.resolve("hbase-site.xml"),
        "<configuration><property><name>hbase.zookeeper.quorum</name><value>zk1</value></property>"
            + "</configuration>");
    HBaseContact logs =
        hbase(
            "--hbase-conf=" + folder,
            "--kerberos-principal=ann@EXAMPLE.COM",
            "--kerberos-keytab=" + folder.resolve("ann.keytab"),
            "--kerberos-zookeeper=false",
            "--pages-https=true",
            "--pages-tls-trust-store=" + folder.resolve("trust.p12"),
            "--name-node=nn1:9870");

    assertThat(logs.zookeeper()).isEqualTo("zk1:2181");
    assertThat(logs.protection().kerberos())
        .contains(
            new Kerberos(
                Optional.of("ann@EXAMPLE.COM"),
                Optional.of(folder.resolve("ann.keytab")),
                Optional.empty(),
                Optional.empty(),
                false));
    assertThat(logs.httpsPages()).isTrue();
    assertThat(logs.protection().pages()).isPresent();
    assertThat(logs.nameNode()).contains("nn1:9870");
  }

  @Test
  void relativePathsAreOfTheCurrentFolder() {
    assertThat(cassandra("--cassandra=h", "--driver=a.conf").protection().driver())
        .contains(Path.of("a.conf").toAbsolutePath());
  }

  /** Also where only its user is given, as it was before passwords had options. */
  @Test
  void aPasswordIsReadWhenItIsNeeded() {
    CassandraContact shop = cassandra("--cassandra=h", "--cql-user=ann", "--jmx-user=ann");
    assertThatThrownBy(() -> shop.cql().orElseThrow().password().get())
        .isInstanceOf(UserError.class)
        .hasMessageContaining("the environment variable TRIMTAB_CQL_PASSWORD");
    assertThatThrownBy(() -> shop.jmx().orElseThrow().password().get())
        .isInstanceOf(UserError.class)
        .hasMessageContaining("the environment variable TRIMTAB_JMX_PASSWORD");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "--cassandra h --cql-user ann --cql-password hunter2hunter2 | --cql-password: must be"
            + " env:NAME, file:PATH or command:LINE, never the password itself",
        "--cassandra h --jmx-tls-trust-store t --jmx-tls-trust-password hunter2hunter2 |"
            + " --jmx-tls-trust-password: must be env:NAME, file:PATH or command:LINE, never the"
            + " password itself",
        "--cassandra h --cql-password env:A |" + " --cql-password: is of no use without --cql-user",
        "--cassandra h --cql-tls-key-store k |"
            + " --cql-tls-key-store: needs --cql-tls-key-password",
        "--cassandra h --cql-tls-host-names off |"
            + " --cql-tls-host-names: must be one of address, dns, none, not 'off'",
        "--cassandra h --jmx-port 0 | --jmx-port: must be in [1, 65535], not 0",
        "--cassandra h:x | --cassandra: not a port: x",
        "--zookeeper z --hbase-conf c | hbase: has both --hbase-conf and --zookeeper",
        "--hbase-conf c --kerberos-keytab k | --kerberos-keytab: needs a --kerberos-principal",
        "--hbase-conf c --kerberos-principal p |"
            + " kerberos: needs either --kerberos-keytab or --kerberos-ticket-cache",
        "--zookeeper z --kerberos-ticket-cache t | kerberos: needs --hbase-conf: the site files"
            + " have the servers' principals",
        "--zookeeper z --pages-tls-host-names none |"
            + " --pages-tls-host-names can only be address",
        "--cluster shop --cassandra h | --cassandra and --cluster both name a cluster; give only"
            + " one of them",
        "--cluster shop --hbase-conf c | --hbase-conf and --cluster both name a cluster; give only"
            + " one of them",
        "--cluster shop --cql-user ann | --cql-user goes with --cassandra only",
        "--cluster shop --kerberos-keytab k |"
            + " --kerberos-keytab goes with --hbase-conf or --zookeeper only",
      })
  void badInputNamesTheOptionAndNoPassword(String arguments, String says) {
    assertThatThrownBy(() -> ClusterChoice.of(List.of(arguments.split(" "))).label())
        .isInstanceOf(UserError.class)
        .hasMessage(says)
        .message()
        .doesNotContain(PASSWORD);
  }

  @Test
  void aFolderWithoutSiteFilesIsNamed() {
    Path none = folder.resolve("none");
    assertThatThrownBy(() -> hbase("--hbase-conf=" + none))
        .isInstanceOf(UserError.class)
        .hasMessage("--hbase-conf: " + none + ": no such folder");
  }

  @Test
  void aNameAndAnOptionBothNameACluster() {
    ClusterChoice choice = ClusterChoice.of(List.of("--cassandra", "h"));
    assertThatThrownBy(() -> choice.take("shop"))
        .isInstanceOf(UserError.class)
        .hasMessage("shop and --cassandra both name a cluster; give only one of them");
  }
}
