package io.trimtab.runtime.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.config.UserError;
import io.trimtab.runtime.ports.SystemPorts;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The port for reports against clients that are slow, many, or not who they should be. */
class ReportServerTest {
  private static final String SHOP = "shop-token-0123456789";
  private static final String LOGS = "logs-token-0123456789";
  private static final String HEAD =
      "POST /report HTTP/1.1\r\nHost: h\r\nContent-Length: 1000\r\n\r\n";

  @TempDir Path folder;
  private final AtomicLong nanos = new AtomicLong();
  private final Senders senders = new Senders(nanos::get);
  private final List<AutoCloseable> opened = new ArrayList<>();
  private ReportServer server;

  private void start(Optional<Tokens> tokens) {
    ReportDesk desk =
        new ReportDesk(Map.of("shop", senders), tokens, report -> Double.POSITIVE_INFINITY);
    server =
        ReportServer.open(
            "127.0.0.1:0", desk, tokens.isEmpty(), SystemPorts.ports().listeners(), nanos::get);
    opened.add(server);
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : opened) {
      each.close();
    }
  }

  private Tokens tokens(String text) throws IOException {
    Path file = folder.resolve("tokens.yaml");
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(file, text);
    return Tokens.read(file);
  }

  private Tokens tokens() throws IOException {
    return tokens("tokens:\n  shop: " + SHOP + "\n  logs: " + LOGS + "\n");
  }

  private static String report(String tenant, String client) {
    return """
        {"tenant":"%s","client":"%s","clients":3,"responseTimeMs":10,"throughputMBps":2.5}\
        """
        .formatted(tenant, client);
  }

  private HttpResponse<String> post(String body, String... headers) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/report"))
            .timeout(Duration.ofSeconds(20))
            .POST(HttpRequest.BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
    socket.setSoTimeout(20_000);
    opened.add(socket);
    return socket;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().flush();
  }

  @Test
  void slowClientsCostOthersNothing() throws Exception {
    start(Optional.empty());
    ScheduledExecutorService pace = Executors.newSingleThreadScheduledExecutor();
    opened.add(0, pace::shutdownNow);
    for (int i = 0; i < 10; i++) {
      Socket slow = connect();
      send(slow, i % 2 == 0 ? HEAD : "POST /rep");
      var unused =
          pace.scheduleAtFixedRate(
              () -> {
                try {
                  send(slow, "x");
                } catch (IOException e) {
                  throw new IllegalStateException(e);
                }
              },
              0,
              1,
              TimeUnit.SECONDS);
    }
    for (int i = 0; i < 3; i++) {
      assertThat(post(report("shop", "good" + i)).statusCode()).isEqualTo(204);
    }
    assertThat(senders.connected()).hasSize(3);
  }

  @Test
  void aRequestThatTakesTooLongIsEnded() throws Exception {
    start(Optional.empty());
    Socket silent = connect();
    Socket trickling = connect();
    send(trickling, HEAD);
    // Both have been accepted once a third one has its answer.
    assertThat(post(report("shop", "good")).statusCode()).isEqualTo(204);

    nanos.addAndGet(Duration.ofSeconds(9).toNanos());
    send(trickling, "x");
    assertThat(post(report("shop", "good")).statusCode()).isEqualTo(204);
    nanos.addAndGet(Duration.ofSeconds(2).toNanos());
    send(trickling, "x");

    assertThat(ended(trickling)).isTrue();
    assertThat(ended(silent)).isTrue();
  }

  /** Whether the other side has closed the connection; waits for it. */
  private static boolean ended(Socket socket) throws IOException {
    try (InputStream in = socket.getInputStream()) {
      return in.read() < 0;
    } catch (java.net.SocketException e) {
      return e.getMessage().contains("reset");
    }
  }

  @Test
  void whenThereAreTooManyConnectionsTheOldestMakesRoom() throws Exception {
    start(Optional.empty());
    Socket oldest = connect();
    send(oldest, HEAD);
    List<Socket> others = new ArrayList<>();
    for (int i = 0; i < Connections.MAX; i++) {
      others.add(connect());
    }
    assertThat(ended(oldest)).isTrue();
    assertThat(post(report("shop", "good")).statusCode()).isEqualTo(204);
    send(others.get(others.size() - 1), "GET /report HTTP/1.1\r\nHost: h\r\n\r\n");
    assertThat(
            new String(
                others.get(others.size() - 1).getInputStream().readNBytes(12),
                StandardCharsets.US_ASCII))
        .isEqualTo("HTTP/1.1 405");
  }

  @Test
  void aTooLargeReportIsAnsweredWhetherItsLengthIsSaidOrNot() throws Exception {
    start(Optional.empty());
    HttpResponse<String> said = post(" ".repeat(2 << 20));
    assertThat(said.statusCode()).isEqualTo(413);
    assertThat(said.body()).isEqualTo("a report has at most 65536 bytes\n");

    Socket chunks = connect();
    send(
        chunks,
        "POST /report HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
            + ("1000\r\n" + " ".repeat(0x1000) + "\r\n").repeat(17));
    assertThat(new String(chunks.getInputStream().readNBytes(12), StandardCharsets.US_ASCII))
        .isEqualTo("HTTP/1.1 413");
    assertThat(senders.connected()).isEmpty();
  }

  @Test
  void whatIsNoReportIsAnsweredInOneLine() throws Exception {
    start(Optional.empty());
    for (List<String> each :
        List.of(
            List.of("no http\r\n\r\n", "400"),
            List.of("GET / HTTP/1.1\r\nHost: h\r\n\r\n", "404"),
            List.of("POST /report HTTP/1.1\r\nX: " + "x".repeat(9_000) + "\r\n\r\n", "400"))) {
      Socket client = connect();
      send(client, each.get(0));
      String answer = new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answer).startsWith("HTTP/1.1 " + each.get(1)).endsWith("\n");
    }
  }

  /** Whoever looks at it, from this machine, would otherwise report for it without a token. */
  @Test
  void aPageInABrowserCannotReport() throws Exception {
    start(Optional.empty());
    String body = report("shop", "page");
    for (String origin : List.of("https://elsewhere.example", "null", "http://127.0.0.1")) {
      Socket browser = connect();
      send(
          browser,
          "POST /report HTTP/1.1\r\nHost: h\r\nOrigin: %s\r\nContent-Length: %d\r\n\r\n%s"
              .formatted(origin, body.length(), body));
      String answer = new String(browser.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answer)
          .as(origin)
          .startsWith("HTTP/1.1 403")
          .endsWith("pages in a browser can't report\n");
    }
    assertThat(senders.connected()).isEmpty();
  }

  @Test
  void aClientThatWaitsForLeaveToSendGetsIt() throws Exception {
    start(Optional.empty());
    Socket client = connect();
    String body = report("shop", "careful");
    send(
        client,
        "POST /report HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n");
    assertThat(new String(client.getInputStream().readNBytes(25), StandardCharsets.US_ASCII))
        .isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
    send(client, body);
    assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
        .startsWith("HTTP/1.1 204");
  }

  @Test
  void withTokensEachTenantReportsItsOwnOnly() throws Exception {
    start(Optional.of(tokens()));
    String report = report("shop", "a");

    HttpResponse<String> none = post(report);
    assertThat(none.statusCode()).isEqualTo(401);
    assertThat(none.headers().firstValue("WWW-Authenticate")).contains("Bearer");
    for (String wrong :
        List.of("Bearer wrong-token-0123456789", "Bearer ", "Basic " + SHOP, SHOP, "Bearer")) {
      assertThat(post(report, "Authorization", wrong).statusCode()).as(wrong).isEqualTo(401);
    }
    HttpResponse<String> others = post(report, "Authorization", "Bearer " + LOGS);
    assertThat(others.statusCode()).isEqualTo(403);
    assertThat(others.body()).isEqualTo("the token is not that of tenant shop\n");
    assertThat(senders.connected()).isEmpty();

    assertThat(post(report, "Authorization", "bearer " + SHOP).statusCode()).isEqualTo(204);
    assertThat(senders.connected()).hasSize(1);
  }

  /** Nobody without a token makes the server hold a body. */
  @Test
  void withoutATokenTheBodyIsNotAwaited() throws Exception {
    start(Optional.of(tokens()));
    Socket client = connect();
    send(client, HEAD);

    assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
        .startsWith("HTTP/1.1 401");
  }

  @Test
  void aThousandSendersAreHeardAndNoMore() throws Exception {
    start(Optional.empty());
    for (int i = 0; i < Senders.MAX; i++) {
      senders.put(new ClientReport("shop", "c" + i, 1, 1.0, null, null, 1.0, null, null, null));
    }

    HttpResponse<String> refused = post(report("shop", "one more"));
    assertThat(refused.statusCode()).isEqualTo(429);
    assertThat(refused.body()).isEqualTo("1000 others report already\n");
    assertThat(post(report("shop", "c7")).statusCode()).isEqualTo(204);
    assertThat(post(report("logs", "one more")).statusCode()).isEqualTo(204);
  }

  @Test
  void aFileOfTokensMustBeSecretAndComplete() throws IOException {
    assertThat(tokens().tenant("Bearer " + SHOP)).contains("shop");
    Path file = folder.resolve("tokens.yaml");
    for (String mode : List.of("rw-r-----", "rw----r--", "rw--w----")) {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
      assertThatThrownBy(() -> Tokens.read(file))
          .isInstanceOf(UserError.class)
          .hasMessage(
              "slo.tokens: others than its owner may use " + file + "; run: chmod 600 " + file);
    }
    assertThatThrownBy(() -> Tokens.read(folder.resolve("none")))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("no such file");
    assertThatThrownBy(() -> tokens("tokens: {}"))
        .hasMessageContaining("must name at least one tenant");
    for (String weak : List.of("short", "with a space in it 0123", "")) {
      assertThatThrownBy(() -> tokens("tokens: {shop: '" + weak + "'}"))
          .isInstanceOf(UserError.class)
          .hasMessageContaining("the token of shop must be 16 to 200");
    }
    assertThatThrownBy(() -> tokens("tokens: {a: " + SHOP + ", b: " + SHOP + "}"))
        .hasMessageContaining("two tenants have the same token")
        .message()
        .doesNotContain(SHOP);
  }

  /** Each fleet's cluster has a server; none may wait for the thread of another. */
  @Test
  void manyServersRunAtOnce() throws Exception {
    for (int i = 0; i < 5; i++) {
      start(Optional.empty());
      assertThat(post(report("shop", "a")).statusCode()).isEqualTo(204);
    }
  }
}
