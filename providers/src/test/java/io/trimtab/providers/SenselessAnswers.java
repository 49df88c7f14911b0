package io.trimtab.providers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.NodeProvider.UnusableAnswerException;
import io.trimtab.engineapi.Profile;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A provider whose service answers what its test has it answer. */
public abstract class SenselessAnswers {
  /** A port where nobody listens. */
  protected static final int NOBODY = 1;

  /** In answers, and in the files of the settings. */
  protected static final String SECRET = "s3cr3t";

  private static final Duration LIMIT = Duration.ofSeconds(30);

  @TempDir protected Path folder;

  /** What is answered to each request, named as {@link #request} does. */
  protected volatile UnaryOperator<String> answers;

  protected volatile int status = 200;
  private HttpServer server;

  /** Of the answers. */
  protected String contentType() {
    return "application/json";
  }

  /** How a request is called: {@code GET /path}. */
  protected String request(HttpExchange exchange, String body) {
    return exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath();
  }

  /** What an answer has beside its body. */
  protected void addHeaders(String request, Headers headers) {}

  /** Settings of a provider whose service is at that port of this machine. */
  protected abstract String settings(int port) throws IOException;

  @BeforeEach
  void started() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  @AfterEach
  void ended() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String asked = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      String request = request(exchange, asked);
      byte[] body = answers.apply(request).getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", contentType());
      addHeaders(request, exchange.getResponseHeaders());
      exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
      if (body.length > 0) {
        exchange.getResponseBody().write(body);
      }
    }
  }

  protected final int port() {
    return server.getAddress().getPort();
  }

  protected final NodeProvider provider() throws IOException {
    return provider(port());
  }

  protected final NodeProvider provider(int port) throws IOException {
    return ReadProvider.of(folder, settings(port));
  }

  protected static NodeId add(NodeProvider provider) throws EngineException {
    return provider.add("p/new-1", Profile.READ, List.of(), LIMIT);
  }

  /**
   * @param begins the message, which names who has answered what
   */
  protected static void assertSenseless(ThrowingCallable call, String begins, String says) {
    assertThatThrownBy(call)
        .isInstanceOf(UnusableAnswerException.class)
        .hasMessageStartingWith(begins)
        .hasMessageContaining(says)
        .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1))
        .satisfies(e -> assertThat(Throwables.getStackTrace(e)).doesNotContain(SECRET));
  }

  protected static void fails(ThrowingCallable call, String says) {
    assertThatThrownBy(call)
        .isInstanceOf(EngineException.class)
        .isNotInstanceOf(UnusableAnswerException.class)
        .hasMessageContaining(says)
        .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
  }
}
