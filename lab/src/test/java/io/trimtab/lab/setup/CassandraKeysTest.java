package io.trimtab.lab.setup;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.cassandra.CassandraContact;
import io.trimtab.config.PrivateFiles;
import io.trimtab.engineapi.Profile;
import io.trimtab.lab.cluster.CassandraSettings;
import io.trimtab.lab.cluster.LabConfig;
import io.trimtab.lab.cluster.LabDir;
import io.trimtab.lab.cluster.LabState;
import io.trimtab.lab.cluster.Owner;
import io.trimtab.lab.process.CassandraCommand;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A secure lab's keys, made once by the JDK's own program. */
class CassandraKeysTest {
  @TempDir static Path home;
  private static LabDir dir;
  private static LabState state;
  private static CassandraKeys keys;

  @BeforeAll
  static void create() {
    LabConfig config =
        LabConfig.defaults()
            .withName("keys")
            .withNodes(1)
            .withCassandra(CassandraSettings.DEFAULTS)
            .withSecure(true);
    dir = new LabDir(home);
    List<LabState.Node> nodes = List.of(new LabState.Node(1, Profile.HOMOGENEOUS));
    state = new LabState(config, 3, Owner.NONE, true, false, "none", false, 1, nodes);
    keys = new CassandraKeys(dir, state);
    keys.create();
  }

  private static List<String> passwords() throws IOException {
    List<String> passwords = new ArrayList<>();
    for (String name : List.of("store", "cql", "jmx", "operator", "reader")) {
      passwords.add(Files.readString(dir.secure().resolve(name + ".password")).strip());
    }
    return passwords;
  }

  @Test
  void onlyTheUserMayReadThem() throws IOException {
    assertThat(passwords()).doesNotHaveDuplicates().allMatch(p -> p.matches("[0-9a-f]{32}"));
    try (Stream<Path> files = Files.list(dir.secure())) {
      for (Path file : files.filter(f -> !f.toString().endsWith(".cer")).toList()) {
        assertThat(Files.getPosixFilePermissions(file))
            .as("%s", file)
            .isEqualTo(PrivateFiles.PERMISSIONS);
      }
    }
    LabState.Node node = state.nodes().get(0);
    new CassandraFiles(dir, state).write(node);
    Path yaml = dir.conf(node.cassandra()).resolve("cassandra.yaml");
    assertThat(Files.getPosixFilePermissions(yaml)).isEqualTo(PrivateFiles.PERMISSIONS);
    assertThat(Files.readString(yaml))
        .contains("authenticator: {class_name: PasswordAuthenticator}")
        .contains("client_encryption_options: {enabled: true, optional: false,")
        .contains("server_encryption_options: {internode_encryption: all, optional: false,")
        .contains("auth_read_consistency_level: QUORUM")
        .contains("auth_write_consistency_level: QUORUM");
  }

  @Test
  void noPasswordIsOnACommandLineOrInAText() throws IOException {
    List<String> arguments = CassandraCommand.arguments(dir, state, state.nodes().get(0));
    assertThat(arguments)
        .contains("-Dcom.sun.management.jmxremote.registry.ssl=true")
        .contains("-Dcassandra.superuser_setup_delay_ms=1000")
        .doesNotContain("-Dcom.sun.management.jmxremote.authenticate=false");
    CassandraContact contact = keys.protect(CassandraContact.of("127.77.3.11:1", 1));
    String connections = Files.readString(dir.secure().resolve("connections.yaml"));
    for (String password : passwords()) {
      assertThat(arguments).noneMatch(argument -> argument.contains(password));
      assertThat(contact.toString() + contact.protection()).doesNotContain(password);
      assertThat(connections).doesNotContain(password);
    }
    assertThat(connections).contains("password: file:cql.password");
  }

  @Test
  void storesAreNotReadForEachLookAtANode() {
    CassandraContact open = CassandraContact.of("127.77.3.11:1", 1);
    assertThat(new CassandraKeys(dir, state).protect(open).protection().cql().orElseThrow())
        .isSameAs(keys.protect(open).protection().cql().orElseThrow());
  }

  /** Also of nodes that are added later: their addresses are checked. */
  @Test
  void oneCertificateNamesTheAddressesOfAllNodes() throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(
        new ByteArrayInputStream(Files.readAllBytes(dir.secure().resolve("node.p12"))),
        passwords().get(0).toCharArray());
    X509Certificate certificate = (X509Certificate) store.getCertificate("node");
    List<String> names =
        certificate.getSubjectAlternativeNames().stream()
            .map(name -> String.valueOf(name.get(1)))
            .toList();
    assertThat(names).contains(state.addresses().node(1), state.addresses().node(100), "127.0.0.1");
  }
}
