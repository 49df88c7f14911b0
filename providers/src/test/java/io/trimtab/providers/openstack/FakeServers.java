package io.trimtab.providers.openstack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The servers of a fake Nova, with the fields and the states of a real one. */
final class FakeServers {
  static final JsonMapper MAPPER = JsonMapper.builder().build();

  /** A server that was asked for is being built in so many lists. */
  private static final int BUILDING = 2;

  /** One that was deleted is still in so many lists. */
  private static final int LEAVING = 2;

  private final List<Fake> all = new ArrayList<>();

  /** Whether servers are ever built. */
  boolean builds = true;

  private int numbers;

  /** A server. */
  final class Fake {
    final ObjectNode told;
    final ArrayNode actions = MAPPER.createArrayNode();

    /** As it was asked for. */
    final JsonNode request;

    private String failure = "";
    private int listed;
    private int leaving = Integer.MAX_VALUE;

    Fake(ObjectNode told, JsonNode request) {
      this.told = told;
      this.request = request;
    }

    String id() {
      return told.path("id").asText();
    }

    private boolean isGone() {
      return leaving <= 0;
    }

    /** Begins to be deleted. */
    void leave() {
      told.put("OS-EXT-STS:task_state", "deleting");
      leaving = LEAVING;
    }

    private void pass() {
      listed++;
      leaving--;
      if (!told.path("status").asText().equals("BUILD") || listed < BUILDING || !builds) {
        return;
      }
      if (failure.isEmpty()) {
        told.put("status", "ACTIVE").put("OS-SRV-USG:launched_at", "2026-01-31T12:00:00.000000");
      } else {
        told.put("status", "ERROR").putObject("fault").put("code", 500).put("message", failure);
      }
    }

    /** Carries out an action, as far as the state allows it. */
    boolean act(JsonNode action) {
      String kind = action.fieldNames().next();
      String status = told.path("status").asText();
      boolean may = status.equals(kind.equals("os-start") ? "SHUTOFF" : "ACTIVE");
      if (may) {
        actions.addObject().put("action", kind.replace("os-", ""));
        told.put("status", kind.equals("os-stop") ? "SHUTOFF" : "ACTIVE");
      }
      return may;
    }
  }

  /** What servers can be made of. */
  static ArrayNode flavors() {
    ArrayNode flavors = MAPPER.createArrayNode();
    flavors.addObject().put("id", "3").put("name", "m1.tiny").put("vcpus", 1).put("ram", 512);
    flavors.addObject().put("id", "4").put("name", "m1.small").put("vcpus", 1).put("ram", 2048);
    flavors.addObject().put("id", "1").put("name", "m1.large").put("vcpus", 4).put("ram", 8192);
    flavors.addObject().put("id", "2").put("name", "r1.large").put("vcpus", 4).put("ram", 16384);
    return flavors;
  }

  List<Fake> all() {
    return all.stream().filter(server -> !server.isGone()).toList();
  }

  Optional<Fake> find(String id) {
    return all().stream().filter(server -> server.id().equals(id)).findFirst();
  }

  void removeRunning() {
    all.removeIf(server -> server.told.path("status").asText().equals("ACTIVE"));
  }

  /**
   * A server that is asked for.
   *
   * @param failure what it ends with instead of running; empty if it will run
   */
  Fake create(JsonNode request, String failure) {
    JsonNode asked = request.path("server");
    numbers++;
    ObjectNode told =
        MAPPER
            .createObjectNode()
            .put("id", "5f3a-%04d".formatted(numbers))
            .put("name", asked.path("name").asText())
            .put("status", "BUILD")
            .put("created", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString())
            .put("OS-EXT-AZ:availability_zone", "nova")
            .putNull("OS-EXT-STS:task_state")
            .putNull("OS-SRV-USG:launched_at");
    told.set("metadata", asked.path("metadata").deepCopy());
    String flavor = asked.path("flavorRef").asText().equals("2") ? "r1.large" : "m1.large";
    told.putObject("flavor").put("original_name", flavor);
    told.putObject("addresses")
        .putArray("private")
        .addObject()
        .put("addr", "10.1.0." + numbers)
        .put("version", 4)
        .put("OS-EXT-IPS:type", "fixed");
    Fake server = new Fake(told, request);
    server.failure = failure;
    all.add(server);
    return server;
  }

  /**
   * A page of the list; each list is a moment in which servers are built on.
   *
   * @param after id of the last server of the page before; empty for the first page
   */
  ObjectNode page(String after, int size) {
    ObjectNode answer = MAPPER.createObjectNode();
    ArrayNode page = answer.putArray("servers");
    boolean begun = after.isEmpty();
    for (Fake server : all) {
      if (begun && page.size() < size && !server.isGone()) {
        server.pass();
        page.add(server.told.deepCopy());
      }
      begun |= server.id().equals(after);
    }
    return answer;
  }

  /** As many as a page has at most, from an index on. */
  static ObjectNode page(String field, ArrayNode all, int begin, int most) {
    ObjectNode answer = MAPPER.createObjectNode();
    ArrayNode page = answer.putArray(field);
    for (int i = begin; i < Math.min(all.size(), begin + most); i++) {
      page.add(all.get(i));
    }
    return answer;
  }

  /** The index behind the entry with an id; 0 without one. */
  static int after(String id, ArrayNode all) {
    int begin = 0;
    for (int i = 0; i < all.size(); i++) {
      begin = all.get(i).path("id").asText().equals(id) ? i + 1 : begin;
    }
    return begin;
  }
}
