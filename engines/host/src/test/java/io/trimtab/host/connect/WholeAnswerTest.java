package io.trimtab.host.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that says half of an answer at {@code /half}, and then nothing more. */
@Timeout(60)
class WholeAnswerTest {
  private static final byte[] WHOLE = "the whole answer".getBytes(StandardCharsets.UTF_8);

  private final HttpClient client = HttpClient.newHttpClient();
  private final CountDownLatch asked = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final ExecutorService answering = Executors.newCachedThreadPool();
  private HttpServer server;

  @BeforeEach
  void listen() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), 5);
    server.createContext(
        "/",
        exchange -> {
          boolean half = exchange.getRequestURI().getPath().equals("/half");
          exchange.sendResponseHeaders(half ? 200 : 404, WHOLE.length);
          exchange.getResponseBody().write(WHOLE, 0, half ? WHOLE.length / 2 : WHOLE.length);
          exchange.getResponseBody().flush();
          asked.countDown();
          if (half) {
            try {
              ended.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
          exchange.close();
        });
    server.setExecutor(answering);
    server.start();
  }

  @AfterEach
  void stop() {
    ended.countDown();
    server.stop(0);
    answering.shutdownNow();
  }

  private HttpRequest request(String path) {
    String at = "http://127.0.0.1:" + server.getAddress().getPort() + path;
    return HttpRequest.newBuilder(URI.create(at)).timeout(Duration.ofSeconds(1)).build();
  }

  @Test
  void aWholeAnswerIsReadWhateverItsStatus() throws Exception {
    HttpResponse<byte[]> answer =
        WholeAnswer.send(client, request("/whole"), Duration.ofSeconds(30), WHOLE.length);
    assertThat(answer.statusCode()).isEqualTo(404);
    assertThat(answer.body()).isEqualTo(WHOLE);
  }

  @Test
  void anAnswerThatStopsHalfWayIsNotWaitedFor() {
    assertThatThrownBy(
            () -> WholeAnswer.send(client, request("/half"), Duration.ofMillis(1500), 1 << 20))
        .isInstanceOf(HttpTimeoutException.class)
        .hasMessage("no whole answer within 1.5 s");
  }

  @Test
  void whoWaitsForOneCanBeInterrupted() throws Exception {
    Thread asking = Thread.currentThread();
    Thread interrupts =
        new Thread(
            () -> {
              try {
                asked.await();
                asking.interrupt();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    interrupts.start();
    assertThatThrownBy(
            () -> WholeAnswer.send(client, request("/half"), Duration.ofSeconds(50), 1 << 20))
        .isInstanceOf(InterruptedException.class);
    interrupts.join();
  }

  @Test
  void anAnswerThatIsTooLongIsRefused() {
    assertThatThrownBy(() -> WholeAnswer.send(client, request("/whole"), Duration.ofSeconds(30), 3))
        .isInstanceOf(WholeAnswer.TooLongException.class);
  }

  @Test
  void whatIsNotReachedIsToldAsByTheClient() throws Exception {
    int port = server.getAddress().getPort();
    server.stop(0);
    HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port)).build();
    assertThatThrownBy(() -> WholeAnswer.send(client, request, Duration.ofSeconds(30), 1))
        .isInstanceOf(ConnectException.class);
  }
}
