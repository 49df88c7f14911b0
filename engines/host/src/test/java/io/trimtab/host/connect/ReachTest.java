package io.trimtab.host.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.connect.ConnectionStep;
import io.trimtab.host.tls.Tls;
import io.trimtab.host.tls.Tls.HostNames;
import io.trimtab.host.tls.Tls.Store;
import io.trimtab.testkit.tls.Keytool;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReachTest {
  private static final String PASSWORD = "hunter2hunter2";

  private final List<ConnectionStep> steps = new ArrayList<>();

  private boolean port(int port, Optional<Tls> tls) {
    return new Reach(steps::add).port("127.0.0.1", port, tls, "cql.tls");
  }

  private static ServerSocket listening() throws IOException {
    return new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
  }

  @Test
  void whatAnswersIsFine() throws IOException {
    try (ServerSocket server = listening()) {
      assertThat(port(server.getLocalPort(), Optional.empty())).isTrue();
    }
    assertThat(steps).hasSize(2).allMatch(ConnectionStep::works);
  }

  @Test
  void whatDoesNotAnswerIsToldWithOneThingThatMendsIt() throws IOException {
    int closed;
    try (ServerSocket server = listening()) {
      closed = server.getLocalPort();
    }
    assertThat(port(closed, Optional.empty())).isFalse();
    assertThat(steps.get(1).text())
        .startsWith("FAILED  port 127.0.0.1:" + closed + ": Connection refused; to mend it: ");
  }

  @Test
  void whoRefusesOrIsNotKnownIsNobodyAndWhoKeepsSilentIsNot() throws IOException {
    int closed;
    try (ServerSocket server = listening()) {
      closed = server.getLocalPort();
      assertThat(Reach.nobody("127.0.0.1", closed)).isFalse();
    }
    assertThat(Reach.nobody("127.0.0.1", closed)).isTrue();
    assertThat(Reach.nobody("nobody.invalid", 9042)).isTrue();
  }

  @Test
  void aServerWithoutTlsIsToldWhereItIsAskedFor() throws Exception {
    try (ServerSocket server = listening()) {
      Thread plain =
          new Thread(
              () -> {
                try (Socket accepted = server.accept()) {
                  accepted
                      .getOutputStream()
                      .write("HTTP/1.1 400 no\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
                } catch (IOException e) {
                  return;
                }
              });
      plain.start();
      Tls tls = new Tls(Optional.empty(), Optional.empty(), HostNames.ADDRESS);
      assertThat(port(server.getLocalPort(), Optional.of(tls))).isFalse();
      plain.join();
    }
    assertThat(steps.get(2).works()).isFalse();
    assertThat(steps.get(2).text()).contains("cql.tls");
  }

  private static Tls trusting(Path store, HostNames names) {
    return new Tls(Optional.of(new Store(store, () -> PASSWORD)), Optional.empty(), names);
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

  @Test
  void aCertificateThatIsNotTakenIsToldWithWhatMendsIt(@TempDir Path folder) throws Exception {
    Keytool keytool = new Keytool(folder, PASSWORD);
    Store key = new Store(keytool.key("server", "127.0.0.9"), () -> PASSWORD);
    keytool.key("other");
    Path own = keytool.trust("server");
    Tls other = trusting(keytool.trust("other"), HostNames.NONE);
    Tls shown = new Tls(Optional.empty(), Optional.of(key), HostNames.NONE);
    try (ServerSocket server =
        shown
            .context()
            .getServerSocketFactory()
            .createServerSocket(0, 5, InetAddress.getByName("127.0.0.1"))) {
      int port = server.getLocalPort();
      Thread answers = new Thread(() -> shakeHands(server));
      answers.setDaemon(true);
      answers.start();
      assertThatCode(
              () -> Reach.verify("127.0.0.1", port, trusting(own, HostNames.NONE), "jmx.tls"))
          .doesNotThrowAnyException();
      assertThatThrownBy(() -> Reach.verify("127.0.0.1", port, other, "jmx.tls"))
          .isInstanceOf(SSLPeerUnverifiedException.class)
          .message()
          .startsWith("TLS with 127.0.0.1:" + port + ": PKIX path")
          .endsWith(" to jmx.tls.trustStore")
          .doesNotContain("\n");
      assertThatThrownBy(
              () -> Reach.verify("127.0.0.1", port, trusting(own, HostNames.ADDRESS), "jmx.tls"))
          .isInstanceOf(SSLPeerUnverifiedException.class)
          .hasMessageContaining("a certificate that names 127.0.0.1");
    }
    int closed = closedPort();
    assertThatThrownBy(() -> Reach.verify("127.0.0.1", closed, other, "jmx.tls"))
        .isInstanceOf(ConnectException.class);
  }

  /** On which nobody has accepted anything, or may be about to. */
  private static int closedPort() throws IOException {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      return server.getLocalPort();
    }
  }

  @Test
  void whatMendsAHandshakeIsSaidByItsReason() {
    assertThat(Reach.mend(new SSLHandshakeException("PKIX path building failed"), "h", "cql.tls"))
        .contains("cql.tls.trustStore");
    assertThat(
            Reach.mend(
                new SSLHandshakeException("No subject alternative names matching IP address"),
                "10.0.0.1",
                "jmx.tls"))
        .contains("names 10.0.0.1")
        .contains("jmx.tls.hostNames");
    assertThat(
            Reach.mend(
                new SSLHandshakeException("Received fatal alert: bad_certificate"), "h", "cql.tls"))
        .contains("cql.tls.keyStore");
    assertThat(Reach.mend(new SSLException("Unsupported or unrecognized SSL message"), "h", "t"))
        .contains("switch TLS on at the server");
    assertThat(Reach.mendOfTrust("a:1: SSLHandshakeException: PKIX path", "pages.tls.trustStore"))
        .hasValueSatisfying(mend -> assertThat(mend).endsWith(" to pages.tls.trustStore"));
    assertThat(Reach.mendOfTrust("HTTP status 401", "pages.tls.trustStore")).isEmpty();
    assertThat(Reach.ofAnotherHost("No name matching h found")).isTrue();
    assertThat(Reach.ofAnotherHost("a:1: SSLHandshakeException: PKIX path")).isFalse();
  }
}
