package io.trimtab.runtime.service;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.trimtab.config.UserError;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Accepts clients' reports: {@code POST /report} with JSON. The JDK's own server is sufficient for
 * one small request per client every 30 s.
 */
final class ReportServer implements AutoCloseable {
  private static final int BODY_MAX_BYTES = 16 << 10;
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private final HttpServer server;
  private final Consumer<ClientReport> listener;

  private ReportServer(HttpServer server, Consumer<ClientReport> listener) {
    this.server = server;
    this.listener = listener;
  }

  /**
   * Starts listening.
   *
   * @param address {@code host:port}; port 0 selects a free one
   * @param threads executes the requests; not shut down by the server
   * @throws UserError if the address can't be listened on
   */
  static ReportServer open(String address, Consumer<ClientReport> listener, Executor threads) {
    int colon = address.lastIndexOf(':');
    try {
      var socket =
          new InetSocketAddress(
              address.substring(0, colon), Integer.parseInt(address.substring(colon + 1)));
      HttpServer server = HttpServer.create(socket, 0);
      server.setExecutor(threads);
      ReportServer reports = new ReportServer(server, listener);
      server.createContext("/report", reports::handle);
      server.start();
      return reports;
    } catch (IOException | IllegalArgumentException e) {
      throw new UserError("slo.listen: " + address + " can't be used: " + e.getMessage(), e);
    }
  }

  int port() {
    return server.getAddress().getPort();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      if (!exchange.getRequestMethod().equals("POST")) {
        answer(exchange, 405, "only POST is answered");
        return;
      }
      byte[] body = exchange.getRequestBody().readNBytes(BODY_MAX_BYTES + 1);
      if (body.length > BODY_MAX_BYTES) {
        answer(exchange, 413, "a report has at most " + BODY_MAX_BYTES + " bytes");
        return;
      }
      try {
        ClientReport report = JSON.readValue(body, ClientReport.class);
        if (report == null) {
          answer(exchange, 400, "not a report");
          return;
        }
        listener.accept(report);
        exchange.sendResponseHeaders(204, -1);
      } catch (JsonMappingException e) {
        Throwable cause = e.getCause() instanceof IllegalArgumentException i ? i : e;
        String text = cause == e ? e.getOriginalMessage() : String.valueOf(cause.getMessage());
        answer(exchange, 400, "not a report: " + text);
      } catch (IOException e) {
        answer(exchange, 400, "not JSON");
      }
    }
  }

  private static void answer(HttpExchange exchange, int code, String text) throws IOException {
    byte[] line = (text.split("\n", 2)[0] + "\n").getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
    exchange.sendResponseHeaders(code, line.length);
    exchange.getResponseBody().write(line);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
