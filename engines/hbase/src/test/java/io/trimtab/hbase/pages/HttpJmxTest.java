package io.trimtab.hbase.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class HttpJmxTest {
  private HttpServer server;
  private String address;
  private volatile boolean asks;

  @BeforeEach
  void listen() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 1);
    server.createContext(
        "/jmx",
        exchange -> {
          byte[] body = "{\"beans\": [{\"name\": \"a\"}]}".getBytes(StandardCharsets.UTF_8);
          if (asks) {
            exchange.getResponseHeaders().add("WWW-Authenticate", "Negotiate");
          }
          exchange.sendResponseHeaders(asks ? 401 : 200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    address = "127.0.0.1:" + server.getAddress().getPort();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void aPageIsRead() throws IOException {
    assertThat(new HttpJmx().beans(address, "*:*"))
        .singleElement()
        .satisfies(bean -> assertThat(bean.path("name").asText()).isEqualTo("a"));
  }

  /** As a host that is lost while it sends a long page. */
  @Test
  void aPageThatStopsHalfWayIsNotWaitedForWithoutEnd() {
    CountDownLatch ended = new CountDownLatch(1);
    server.createContext(
        "/conf",
        exchange -> {
          exchange.sendResponseHeaders(200, 100);
          exchange.getResponseBody().write('{');
          exchange.getResponseBody().flush();
          try {
            ended.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    HttpJmx pages = new HttpJmx(false, Optional.empty(), Optional.empty(), Duration.ofMillis(1500));
    try {
      assertThatThrownBy(() -> pages.settings(address))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("no whole answer within 1.5 s");
    } finally {
      ended.countDown();
    }
  }

  @Test
  void aPageWithoutEndIsNotReadToItsEnd() {
    server.createContext(
        "/conf",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          byte[] spaces = new byte[1 << 20];
          Arrays.fill(spaces, (byte) ' ');
          try (OutputStream body = exchange.getResponseBody()) {
            for (int i = 0; i < 100; i++) {
              body.write(spaces);
            }
          }
        });

    assertThatThrownBy(() -> new HttpJmx().settings(address))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(address)
        .hasMessageContaining("the answer has more than 64 MiB");
  }

  @Test
  void aPageThatAsksForATicketIsToldAsThat() {
    asks = true;
    assertThatThrownBy(() -> new HttpJmx().beans(address, "*:*"))
        .isInstanceOf(RefusedPageException.class)
        .hasMessageContaining(address)
        .hasMessageContaining("the page asks for a Kerberos ticket");
  }

  /** HDFS's pages may be served otherwise than HBase's. */
  @Test
  void anAddressMaySayHowItIsServed() throws IOException {
    HttpJmx https = new HttpJmx(true, Optional.empty(), Optional.empty());
    assertThat(https.beans("http://" + address, "*:*")).hasSize(1);
    assertThatThrownBy(() -> https.beans(address, "*:*")).isInstanceOf(IOException.class);
  }

  /** What does not pass by itself is told from what does. */
  @Test
  void aPageThatIsNotTrustedIsRefusedWithWhatMendsIt() {
    assertThat(mendOf("PKIX path building failed: s.s.p")).endsWith("to pages.tls.trustStore");
    assertThat(mendOf("No subject alternative DNS name matching n1 found."))
        .endsWith("a certificate that names the host of that address");
    assertThat(HttpJmx.failed("n1:16010", new ConnectException("Connection refused")))
        .isNotInstanceOf(RefusedPageException.class)
        .hasMessage("n1:16010: ConnectException: Connection refused");
  }

  private static String mendOf(String handshake) {
    IOException failed = HttpJmx.failed("n1:16010", new SSLHandshakeException(handshake));
    assertThat(failed)
        .isInstanceOf(RefusedPageException.class)
        .hasMessage("n1:16010: SSLHandshakeException: " + handshake);
    return ((RefusedPageException) failed).mend();
  }
}
