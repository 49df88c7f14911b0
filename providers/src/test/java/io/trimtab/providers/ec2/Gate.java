package io.trimtab.providers.ec2;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Between a provider and an API of EC2: passes requests on, loses or holds answers, refuses, or
 * keeps silent, and notes reboots, which no state of a machine shows.
 */
final class Gate implements AutoCloseable {
  private static final String ERROR =
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <Response><Errors><Error><Code>%s</Code><Message>%s</Message></Error></Errors>\
      <RequestID>r-1</RequestID></Response>
      """;

  private final URI api;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Map<String, String> refusals = new ConcurrentHashMap<>();
  private final Map<String, Long> reboots = new ConcurrentHashMap<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile String loses = "";
  private volatile String holds = "";
  private volatile boolean holding;
  private volatile String silentOn = "";
  private volatile boolean cut;

  Gate(URI api) throws IOException {
    this.api = api;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  String address() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** The answer to the next such action is lost, and from then on nobody is reached. */
  void lose(String action) {
    loses = action;
  }

  /** The next such action is done, and never answered. */
  void hold(String action) {
    holds = action;
  }

  /** Whether one is not answered now. */
  boolean isHolding() {
    return holding;
  }

  /** All is well again. */
  void mend() {
    loses = "";
    holds = "";
    holding = false;
    silentOn = "";
    cut = false;
    refusals.clear();
  }

  void refuse(String action, String code, String message) {
    refusals.put(action, ERROR.formatted(code, message));
  }

  void keepSilentOn(String action) {
    silentOn = action;
  }

  /** How often a machine was rebooted. */
  long reboots(String machine) {
    return reboots.getOrDefault(machine, 0L);
  }

  private void handle(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    Map<String, String> form = form(new String(body, StandardCharsets.UTF_8));
    String action = form.getOrDefault("Action", "");
    if (cut) {
      exchange.close();
    } else if (action.equals(silentOn)) {
      keepSilent(exchange);
    } else if (refusals.containsKey(action)) {
      answer(exchange, 400, refusals.get(action).getBytes(StandardCharsets.UTF_8));
    } else {
      HttpResponse<byte[]> passed = pass(exchange, body);
      if (action.equals(loses)) {
        cut = true;
        exchange.close();
        return;
      }
      if (action.equals(holds)) {
        holding = true;
        keepSilent(exchange);
        return;
      }
      if (action.equals("RebootInstances") && passed.statusCode() == 200) {
        reboots.merge(form.get("InstanceId.1"), 1L, Long::sum);
      }
      answer(exchange, passed.statusCode(), passed.body());
    }
  }

  private void keepSilent(HttpExchange exchange) {
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    exchange.close();
  }

  private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
    try (exchange) {
      exchange.getResponseHeaders().set("Content-Type", "text/xml");
      exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
      if (body.length > 0) {
        exchange.getResponseBody().write(body);
      }
    }
  }

  /** What moto takes the service and the region from goes along. */
  private HttpResponse<byte[]> pass(HttpExchange exchange, byte[] body) throws IOException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(api.resolve(exchange.getRequestURI()))
            .method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body));
    for (String header : List.of("Authorization", "Content-Type", "X-Amz-Date")) {
      String value = exchange.getRequestHeaders().getFirst(header);
      if (value != null) {
        request.header(header, value);
      }
    }
    try {
      return http.send(request.build(), BodyHandlers.ofByteArray());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static Map<String, String> form(String body) {
    Map<String, String> form = new TreeMap<>();
    for (String pair : body.split("&")) {
      String[] parts = pair.split("=", 2);
      form.put(
          URLDecoder.decode(parts[0], StandardCharsets.UTF_8),
          parts.length < 2 ? "" : URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
    }
    return form;
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}
