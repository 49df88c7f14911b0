package io.trimtab.secrets;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A server that refuses what it is asked, in the words of Prometheus, Jolokia, Keystone, Nova, EC2
 * or Kubernetes. But for the last it repeats in its answer how the request has proved itself.
 */
final class EchoServer implements AutoCloseable {
  /** What it gives as Keystone. */
  static final String TOKEN = "t0kenOfKeystone";

  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private static final String GRANT =
      """
      {"token": {"expires_at": "2999-01-01T00:00:00Z", "catalog": [{"type": "compute", "endpoints":
        [{"interface": "public", "region_id": "R", "url": "%s/v2.1"}]}]}}
      """;

  private static final String EC2 =
      "<Response><Errors><Error><Code>UnauthorizedOperation</Code><Message>%s</Message></Error>"
          + "</Errors><RequestID>r-1</RequestID></Response>";

  private static final String KUBERNETES =
      "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{},\"status\":\"Failure\","
          + "\"message\":\"Unauthorized\",\"reason\":\"Unauthorized\",\"code\":401}";

  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<String> heard = new CopyOnWriteArrayList<>();
  private volatile boolean grants;

  EchoServer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  String address() {
    return "http://127.0.0.1:" + port();
  }

  /** From now on Keystone gives tokens. */
  void grant() {
    grants = true;
  }

  /** How each request has proved itself. */
  List<String> heard() {
    return heard;
  }

  private void handle(HttpExchange exchange) throws IOException {
    Headers headers = exchange.getRequestHeaders();
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    String proof = proof(headers, body);
    heard.add(proof);
    String path = exchange.getRequestURI().getPath();
    if (path.contains("/namespaces/")) {
      answer(exchange, 401, KUBERNETES);
    } else if (grants && path.endsWith("/auth/tokens")) {
      exchange.getResponseHeaders().set("X-Subject-Token", TOKEN);
      answer(exchange, 201, GRANT.formatted(address()));
    } else if (body.contains("Action=DescribeInstances")) {
      answer(exchange, 400, EC2.formatted(proof.replace("&", "&amp;").replace("<", "&lt;")));
    } else if (path.startsWith("/raw")) {
      answer(exchange, 200, proof.replaceFirst("^Bearer ", ""));
    } else {
      answer(exchange, path.startsWith("/ok") ? 200 : 400, refusal(proof));
    }
  }

  /** What is in headers or, for who logs in, in the body. */
  private static String proof(Headers headers, String body) {
    List<String> words = new ArrayList<>();
    for (String name : List.of("Authorization", "X-Auth-Token")) {
      if (headers.containsKey(name)) {
        words.add(headers.getFirst(name));
      }
    }
    if (!words.isEmpty() && words.get(0).startsWith("Basic ")) {
      byte[] user = Base64.getDecoder().decode(words.get(0).substring("Basic ".length()));
      words.add(new String(user, StandardCharsets.UTF_8));
    }
    words.add(body);
    return String.join(" ", words).strip();
  }

  /** As an object of which each client finds its own part. */
  private static String refusal(String proof) {
    ObjectNode refusal = MAPPER.createObjectNode().put("status", "error").put("error", proof);
    refusal.putObject("fault").put("message", proof);
    return refusal.toString();
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    try (exchange) {
      byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
