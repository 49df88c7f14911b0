package io.trimtab.contract.secure;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.contract.autopilot.CutConnection;
import io.trimtab.host.tls.Tls;
import io.trimtab.host.tls.Tls.HostNames;
import io.trimtab.host.tls.Tls.Store;
import io.trimtab.testkit.tls.Keytool;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLSocket;

/**
 * A client that takes no node's certificate: it trusts one that no node has, or the nodes show one
 * that names another host.
 *
 * @param connections a lab's own file
 * @param cluster its name there
 * @param folder of strange certificates, an empty one
 */
record StrangeTrust(Path connections, String cluster, Path folder) {
  private static final String PASSWORD = "hunter2hunter2";
  private static final String NODES = "127.77.";
  private static final String OTHER = "elsewhere";
  private static final String LABS =
      "trustStore: trust.p12, trustPassword: \"file:store.password\"";

  /**
   * Checks that each command ends with exit code 2 and says in a line where, what, and what mends
   * it.
   *
   * @param way {@code cql} or {@code jmx}; the other one has the lab's store
   * @param port every node's for that
   */
  void assertRefused(String way, int port) throws IOException, InterruptedException {
    Keytool keytool = new Keytool(folder, PASSWORD);
    keytool.key(way);
    Path strange = keytool.trust(way);
    assertRefused(
        edited("strange-" + way, text -> trusting(text, way, strange)),
        NODES,
        "; to mend it: add the certificate of the authority that signed the server's to "
            + way
            + ".tls.trustStore",
        ":" + port + ": PKIX path");
  }

  /** The same of a node that is asked by an address which its certificate does not have. */
  void assertOtherHostRefusedByCql(InetSocketAddress node) throws IOException {
    String host = "127.0.0.2";
    InetSocketAddress to = new InetSocketAddress(node.getHostString(), node.getPort());
    try (CutConnection forwarded = new CutConnection(InetAddress.getByName(host), to)) {
      String hosts = "hosts: " + host + ":" + forwarded.port();
      assertOtherHostRefused(
          edited("other-cql", text -> text.replaceFirst("hosts: .*", hosts)),
          "cql",
          host,
          forwarded.port());
    }
  }

  /**
   * The same of servers at the nodes' own addresses that show the certificate of another host, and
   * the client trusts that. They are not the nodes themselves, which would have to be restarted;
   * nothing comes after the handshake.
   *
   * @param port every node's for JMX
   */
  void assertOtherHostRefusedByJmx(int port) throws IOException, InterruptedException {
    Keytool keytool = new Keytool(folder, PASSWORD);
    Store key = new Store(keytool.key(OTHER, "127.0.0.9"), () -> PASSWORD);
    Path trust = keytool.trust(OTHER);
    Tls shown = new Tls(Optional.empty(), Optional.of(key), HostNames.NONE);
    // On every address of this machine, and so on each node's.
    try (ServerSocket server = shown.context().getServerSocketFactory().createServerSocket(0)) {
      int others = server.getLocalPort();
      Thread answers = new Thread(() -> shakeHands(server), "other-host");
      answers.setDaemon(true);
      answers.start();
      assertOtherHostRefused(
          edited(
              "other-jmx",
              text -> trusting(text, "jmx", trust).replace("port: " + port, "port: " + others)),
          "jmx",
          NODES,
          others);
    }
  }

  /** Until the server is closed. */
  private static void shakeHands(ServerSocket server) {
    while (!server.isClosed()) {
      try (SSLSocket accepted = (SSLSocket) server.accept()) {
        accepted.startHandshake();
      } catch (IOException e) {
        // The client has refused it, or this is the end.
      }
    }
  }

  private static void assertOtherHostRefused(
      EditedConnections file, String way, String host, int port) {
    assertRefused(
        file,
        host,
        ", or set " + way + ".tls.hostNames to dns",
        ":" + port + ": ",
        "No subject alternative names matching IP address " + host,
        "; to mend it: give the server a certificate that names " + host);
  }

  /**
   * Of each command.
   *
   * @param host with which the address of each node begins
   * @param end of what each of them says
   * @param said what else is in it
   */
  private static void assertRefused(
      EditedConnections file, String host, String end, String... said) {
    assertThat(Refused.command(file.arguments("connect", "check")).out().lines())
        .filteredOn(line -> line.startsWith("FAILED"))
        .isNotEmpty()
        .allSatisfy(
            line ->
                assertThat(line)
                    .startsWith("FAILED  TLS with " + host)
                    .contains(said)
                    .endsWith(end));
    for (List<String> words :
        List.of(file.arguments("plan"), file.arguments("run", "--act", "--plans", "1"))) {
      assertThat(Refused.command(words).line())
          .startsWith("trimtab: Cassandra at " + host)
          .contains("TLS with " + host)
          .contains(said)
          .endsWith(end);
    }
  }

  private EditedConnections edited(String name, UnaryOperator<String> edit) throws IOException {
    return EditedConnections.write(connections, cluster, name, edit);
  }

  /** The file's text with a store of this class's password in place of the lab's. */
  private static String trusting(String text, String way, Path store) {
    String strange =
        "trustStore: \"%s\", trustPassword: \"command:echo %s\"".formatted(store, PASSWORD);
    return text.replaceFirst(
        "(?s)(" + way + ":.*?)" + Pattern.quote(LABS), "$1" + Matcher.quoteReplacement(strange));
  }
}
