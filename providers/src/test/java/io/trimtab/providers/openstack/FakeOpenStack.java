package io.trimtab.providers.openstack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.trimtab.providers.ServedByHttps;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;

/**
 * Keystone and Nova as far as the provider asks them, with the answers that their API references
 * (Identity v3, Compute 2.69) show. What real ones do beside that, it does not know.
 */
final class FakeOpenStack implements AutoCloseable {
  static final String USER = "trimtab";
  static final String PASSWORD = "s3cr3t-word";
  private static final int PAGE = 2;

  final FakeServers servers = new FakeServers();
  private final HttpServer server;
  private final String address;
  private String nova;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final ArrayNode groups = FakeServers.MAPPER.createArrayNode();
  private final Set<String> tokens = new HashSet<>();
  private int quota = 3;
  private String failure = "";
  private boolean loses;
  private boolean cut;
  private boolean holds;
  private boolean holding;
  private boolean vanishes;
  private int failing;
  private int members = -1;
  private int logins;

  /** What lists of servers are answered with, instead of a list; null: they are lists. */
  private JsonNode nonsense;

  /** Whether answers stop after their headers. */
  private boolean stalls;

  /** When a server is asked for, another controller's is there at once. */
  private boolean twice;

  FakeOpenStack() throws IOException {
    this(HttpServer.create(), "http");
  }

  /** One that is asked by HTTPS, with the server's keys. */
  FakeOpenStack(SSLContext tls) throws IOException {
    this(ServedByHttps.https(tls), "https");
  }

  private FakeOpenStack(HttpServer server, String scheme) throws IOException {
    this.server = server;
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    address = scheme + "://127.0.0.1:" + server.getAddress().getPort();
    nova = address;
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  String address() {
    return address;
  }

  /** The catalogue has Nova elsewhere. */
  synchronized void haveNovaAt(String elsewhere) {
    nova = elsewhere;
  }

  /** The answer to the next request for a server is lost, and from then on nobody is reached. */
  synchronized void lose() {
    loses = true;
  }

  /** The next server that is asked for is made, and the request is never answered. */
  synchronized void hold() {
    holds = true;
  }

  /** Whether such a request has come. */
  synchronized boolean isHolding() {
    return holding;
  }

  synchronized void mend() {
    loses = false;
    cut = false;
    holds = false;
    holding = false;
  }

  synchronized void quota(int instances) {
    quota = instances;
  }

  /** Servers that are asked for end in state ERROR; empty: they run. */
  synchronized void fail(String message) {
    failure = message;
  }

  /** The tokens that were given are not valid any more. */
  synchronized void takeTokensBack() {
    tokens.clear();
  }

  /** Servers are gone once they were listed as running. */
  synchronized void vanish() {
    vanishes = true;
  }

  /** The next requests are answered with 503. */
  synchronized void beDown(int requests) {
    failing = requests;
  }

  /** How many servers a group may have; -1: any number. */
  synchronized void membersOfAGroup(int most) {
    members = most;
  }

  synchronized void answerListsWith(JsonNode answer) {
    nonsense = answer;
  }

  /** Whether servers are ever built. */
  synchronized void build(boolean ever) {
    servers.builds = ever;
  }

  synchronized void stall() {
    stalls = true;
  }

  /** How often somebody has asked for a token. */
  synchronized int logins() {
    return logins;
  }

  synchronized void haveAnotherController() {
    twice = true;
  }

  synchronized JsonNode groups() {
    return groups.deepCopy();
  }

  private synchronized void handle(HttpExchange exchange) throws IOException {
    byte[] bytes = exchange.getRequestBody().readAllBytes();
    if (cut) {
      exchange.close();
      return;
    }
    if (stalls) {
      // Nobody ends this.
      exchange.sendResponseHeaders(200, bytes.length + 100L);
      exchange.getResponseBody().write('{');
      exchange.getResponseBody().flush();
      return;
    }
    if (failing > 0) {
      failing--;
      answer(exchange, 503, error("error", "Service Unavailable"));
      return;
    }
    JsonNode body = FakeServers.MAPPER.readTree(bytes.length == 0 ? new byte[] {'{', '}'} : bytes);
    String path = exchange.getRequestURI().getPath();
    if (path.equals("/v3/auth/tokens")) {
      login(exchange, body);
    } else if (!tokens.contains(exchange.getRequestHeaders().getFirst("X-Auth-Token"))) {
      answer(exchange, 401, error("error", "The request you have made requires authentication."));
    } else if (path.startsWith("/v2.1/")) {
      nova(exchange, path.substring("/v2.1".length()), body);
    } else {
      answer(exchange, 404, error("itemNotFound", "not here"));
    }
  }

  private void login(HttpExchange exchange, JsonNode body) throws IOException {
    logins++;
    JsonNode user = body.path("auth").path("identity").path("password").path("user");
    if (!user.path("name").asText().equals(USER)
        || !user.path("password").asText().equals(PASSWORD)) {
      answer(exchange, 401, error("error", "The request you have made requires authentication."));
      return;
    }
    String given = UUID.randomUUID().toString();
    tokens.add(given);
    exchange.getResponseHeaders().set("X-Subject-Token", given);
    ObjectNode answer = FakeServers.MAPPER.createObjectNode();
    ObjectNode token = answer.putObject("token");
    token.put("expires_at", Instant.now().plusSeconds(3600).toString());
    ArrayNode catalog = token.putArray("catalog");
    catalog.addObject().put("type", "identity").putArray("endpoints");
    ArrayNode endpoints = catalog.addObject().put("type", "compute").putArray("endpoints");
    for (String kind : new String[] {"admin", "public"}) {
      endpoints
          .addObject()
          .put("interface", kind)
          .put("region_id", "RegionOne")
          .put("url", kind.equals("public") ? nova + "/v2.1" : "http://127.0.0.1:1");
    }
    answer(exchange, 201, answer);
  }

  private void nova(HttpExchange exchange, String path, JsonNode body) throws IOException {
    String request = exchange.getRequestMethod() + " " + path;
    String[] parts = path.split("/");
    switch (request) {
      case "GET /servers/detail" -> {
        if (vanishes) {
          servers.removeRunning();
        }
        Map<String, String> query = query(exchange);
        answer(
            exchange,
            200,
            nonsense == null ? servers.page(query.getOrDefault("marker", ""), PAGE) : nonsense);
      }
      case "POST /servers" -> create(exchange, body);
      case "GET /flavors/detail" -> {
        ArrayNode flavors = FakeServers.flavors();
        int begin = FakeServers.after(query(exchange).getOrDefault("marker", ""), flavors);
        answer(exchange, 200, FakeServers.page("flavors", flavors, begin, PAGE));
      }
      case "GET /limits" -> answer(exchange, 200, limits());
      case "GET /os-server-groups" -> {
        int begin = Integer.parseInt(query(exchange).getOrDefault("offset", "0"));
        answer(exchange, 200, FakeServers.page("server_groups", groupsWithMembers(), begin, PAGE));
      }
      case "POST /os-server-groups" -> {
        ObjectNode group = body.path("server_group").deepCopy();
        groups.add(group.put("id", "group-" + groups.size()));
        ObjectNode answer = FakeServers.MAPPER.createObjectNode();
        answer.set("server_group", group);
        answer(exchange, 200, answer);
      }
      default -> ofServer(exchange, parts, body);
    }
  }

  private void ofServer(HttpExchange exchange, String[] parts, JsonNode body) throws IOException {
    Optional<FakeServers.Fake> found =
        parts.length > 2 && parts[1].equals("servers") ? servers.find(parts[2]) : Optional.empty();
    if (found.isEmpty()) {
      answer(exchange, 404, error("itemNotFound", "Instance could not be found."));
      return;
    }
    FakeServers.Fake its = found.get();
    String what = exchange.getRequestMethod() + (parts.length > 3 ? " " + parts[3] : "");
    switch (what) {
      case "DELETE" -> {
        its.leave();
        answer(exchange, 204, null);
      }
      case "POST metadata" -> {
        ((ObjectNode) its.told.path("metadata")).setAll((ObjectNode) body.path("metadata"));
        answer(exchange, 200, body);
      }
      case "POST action" -> {
        if (its.act(body)) {
          answer(exchange, 202, null);
        } else {
          answer(exchange, 409, error("conflictingRequest", "Cannot do that in its vm_state"));
        }
      }
      case "GET os-instance-actions" -> {
        ObjectNode answer = FakeServers.MAPPER.createObjectNode();
        answer.set("instanceActions", its.actions.deepCopy());
        answer(exchange, 200, answer);
      }
      default -> answer(exchange, 404, error("itemNotFound", "not here"));
    }
  }

  private void create(HttpExchange exchange, JsonNode body) throws IOException {
    if (servers.all().size() >= quota) {
      answer(
          exchange,
          403,
          error(
              "forbidden",
              "Quota exceeded for instances: Requested 1, but already used %d of %d instances"
                  .formatted(quota, quota)));
      return;
    }
    if (twice) {
      twice = false;
      servers.create(body, "");
    }
    FakeServers.Fake created = servers.create(body, failure);
    if (holds) {
      holding = true;
      return;
    }
    if (loses) {
      cut = true;
      exchange.close();
      return;
    }
    ObjectNode answer = FakeServers.MAPPER.createObjectNode();
    answer.putObject("server").put("id", created.id());
    answer(exchange, 202, answer);
  }

  private ArrayNode groupsWithMembers() {
    ArrayNode told = groups.deepCopy();
    for (JsonNode group : told) {
      ArrayNode its = ((ObjectNode) group).putArray("members");
      servers.all().stream()
          .filter(s -> s.request.at("/os:scheduler_hints/group").equals(group.path("id")))
          .forEach(s -> its.add(s.id()));
    }
    return told;
  }

  /** Groups of others, which are before those that are made later. */
  synchronized void haveOtherGroups(int number) {
    for (int i = 0; i < number; i++) {
      groups
          .addObject()
          .put("id", "other-" + i)
          .put("name", "other-" + i)
          .put("policy", "soft-anti-affinity");
    }
  }

  private ObjectNode limits() {
    ObjectNode answer = FakeServers.MAPPER.createObjectNode();
    answer
        .putObject("limits")
        .putObject("absolute")
        .put("maxTotalInstances", quota)
        .put("totalInstancesUsed", servers.all().size())
        .put("maxTotalCores", 100)
        .put("totalCoresUsed", 0)
        .put("maxTotalRAMSize", -1)
        .put("maxServerGroupMembers", members)
        .put("totalRAMUsed", 0);
    return answer;
  }

  private static Map<String, String> query(HttpExchange exchange) {
    Map<String, String> query = new HashMap<>();
    String raw = exchange.getRequestURI().getRawQuery();
    for (String pair : raw == null ? new String[0] : raw.split("&")) {
      String[] parts = pair.split("=", 2);
      query.put(parts[0], URLDecoder.decode(parts[1], StandardCharsets.UTF_8));
    }
    return query;
  }

  private static ObjectNode error(String kind, String message) {
    ObjectNode error = FakeServers.MAPPER.createObjectNode();
    error.putObject(kind).put("message", message);
    return error;
  }

  private static void answer(HttpExchange exchange, int status, JsonNode body) throws IOException {
    try (exchange) {
      byte[] bytes = body == null ? new byte[0] : body.toString().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
      if (bytes.length > 0) {
        exchange.getResponseBody().write(bytes);
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
