package io.trimtab.sources;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import javax.net.ssl.SSLContext;

/** An HTTP server of this machine that answers what a test says, and keeps what it was asked. */
public final class AnsweringServer implements AutoCloseable {
  private final HttpServer server;
  private final String scheme;
  private final ExecutorService answering = Executors.newCachedThreadPool();
  private final List<String> authorizations = new CopyOnWriteArrayList<>();
  private final List<String> asked = new CopyOnWriteArrayList<>();

  /** A status and a body. */
  public record Answer(int status, String body) {
    public static Answer ok(String body) {
      return new Answer(200, body);
    }
  }

  /**
   * @param answers to what a GET asks for, decoded, or the body of a POST
   */
  public AnsweringServer(Function<String, Answer> answers) throws IOException {
    this(HttpServer.create(), "http", answers);
  }

  /** One that is asked by HTTPS, with the server's keys. */
  public AnsweringServer(SSLContext tls, Function<String, Answer> answers) throws IOException {
    this(https(tls), "https", answers);
  }

  private static HttpServer https(SSLContext tls) throws IOException {
    HttpsServer server = HttpsServer.create();
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    return server;
  }

  private AnsweringServer(HttpServer server, String scheme, Function<String, Answer> answers)
      throws IOException {
    this.server = server;
    this.scheme = scheme;
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", exchange -> answer(exchange, answers));
    server.setExecutor(answering);
    server.start();
  }

  private void answer(HttpExchange exchange, Function<String, Answer> answers) throws IOException {
    authorizations.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    // Decoded but for pluses.
    String query = String.valueOf(exchange.getRequestURI().getQuery()).replace('+', ' ');
    String question = body.isEmpty() ? query : body;
    asked.add(question);
    Answer answer = answers.apply(question);
    byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
    if (answer.status() == 302) {
      exchange.getResponseHeaders().add("Location", answer.body());
    }
    exchange.sendResponseHeaders(answer.status(), bytes.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }

  public int port() {
    return server.getAddress().getPort();
  }

  public String url() {
    return scheme + "://127.0.0.1:" + port();
  }

  public List<String> asked() {
    return asked;
  }

  public List<String> authorizations() {
    return authorizations;
  }

  /** An answer that was written by hand after the documentation of its format. */
  public static String sample(String name) {
    try (InputStream in = AnsweringServer.class.getResourceAsStream("/samples/" + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new AssertionError(name, e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    answering.shutdownNow();
  }
}
