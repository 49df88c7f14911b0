package io.trimtab.hbase.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

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

  @Test
  void aPageThatAsksForATicketIsToldAsThat() {
    asks = true;
    assertThatThrownBy(() -> new HttpJmx().beans(address, "*:*"))
        .isInstanceOf(IOException.class)
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
}
