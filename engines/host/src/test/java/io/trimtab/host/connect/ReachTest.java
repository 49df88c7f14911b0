package io.trimtab.host.connect;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.connect.ConnectionStep;
import io.trimtab.host.tls.Tls;
import io.trimtab.host.tls.Tls.HostNames;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.Test;

class ReachTest {
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
    assertThat(Reach.mendOfTrust("a:1: SSLHandshakeException: PKIX path", "pages.tls"))
        .hasValueSatisfying(mend -> assertThat(mend).endsWith(" to pages.tls.trustStore"));
    assertThat(Reach.mendOfTrust("HTTP status 401", "pages.tls")).isEmpty();
  }
}
