package io.trimtab.providers.openstack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeProvider.UnusableAnswerException;
import io.trimtab.providers.cloud.Cloud;
import io.trimtab.providers.cloud.CloudMachine;
import io.trimtab.providers.cloud.Marks;
import io.trimtab.providers.cloud.NoRoomException;
import io.trimtab.providers.cloud.Order;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Servers of a project. Nova has no tokens of requests: what a request has begun is found by its
 * metadata, and of two that two controllers have begun at once the younger one is deleted.
 */
final class Nova implements Cloud {
  private static final Logger LOG = LoggerFactory.getLogger(Nova.class);
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;
  private static final int OVER_LIMIT = 413;
  private static final int PAGE = 500;

  /** Of what may be 65,535 characters long in Base64. */
  private static final int USER_DATA_MAX_BYTES = 65_535 / 4 * 3;

  /** As Nova's conductor says it of a server that its scheduler found no host for. */
  private static final String NO_HOST = "No valid host";

  /** Begins the names of server groups. */
  private static final String GROUP = "trimtab-";

  /** What quotas are told as where there is none. */
  private static final int UNLIMITED = -1;

  private final OpenStackSettings settings;
  private final Keystone keystone;

  Nova(OpenStackSettings settings, Keystone keystone) {
    this.settings = settings;
    this.keystone = keystone;
  }

  @Override
  public String title() {
    return "OpenStack " + keystone.authority();
  }

  @Override
  public List<CloudMachine> machines(String cluster) throws EngineException {
    List<CloudMachine> machines = new ArrayList<>();
    for (JsonNode told : listed("/servers/detail", "servers", Nova::marker)) {
      requireKnown(told);
      CloudMachine machine = new Server(told).machine();
      if (cluster.equals(machine.marks().get(Marks.CLUSTER))) {
        machines.add(machine);
      }
    }
    return machines;
  }

  /**
   * All of a list: Nova gives it in pages, no longer than its operator allows.
   *
   * @param field of the answers that has the list
   * @param next the parameter that asks for the page after what was read, which is not empty
   */
  private List<JsonNode> listed(String path, String field, Function<List<JsonNode>, String> next)
      throws EngineException {
    List<JsonNode> all = new ArrayList<>();
    while (true) {
      String from = all.isEmpty() ? "" : "&" + next.apply(all);
      JsonNode page = keystone.nova("GET", path + "?limit=" + PAGE + from, null).path(field);
      if (!page.isArray()) {
        throw new UnusableAnswerException(title() + ": Nova's answer has no list of " + field);
      }
      // Whoever knows no pages of this list gives all of it again.
      boolean again = !all.isEmpty() && page.path(0).path("id").equals(all.get(0).path("id"));
      if (page.isEmpty() || again) {
        return all;
      }
      page.forEach(all::add);
    }
  }

  private static String marker(List<JsonNode> read) {
    String last = read.get(read.size() - 1).path("id").asText();
    return "marker=" + URLEncoder.encode(last, StandardCharsets.UTF_8);
  }

  /** Server groups have no markers. */
  private static String offset(List<JsonNode> read) {
    return "offset=" + read.size();
  }

  /** A server whose cell does not answer is listed without what would tell whose it is. */
  private void requireKnown(JsonNode server) throws EngineException {
    if (!server.has("metadata")) {
      throw new EngineException(
          "%s: server %s can't be told of now: its cell does not answer"
              .formatted(title(), server.path("id").asText()));
    }
  }

  @Override
  public CloudMachine create(Order order) throws EngineException {
    ObjectNode request = request(order, flavor(order.type()).path("id").asText());
    String id;
    try {
      id = keystone.nova("POST", "/servers", request).path("server").path("id").asText();
    } catch (StatusException e) {
      boolean quota = e.status() == FORBIDDEN && e.getMessage().contains("uota");
      throw quota || e.status() == OVER_LIMIT ? new NoRoomException(e.getMessage(), e) : e;
    }
    return first(order, id);
  }

  private ObjectNode request(Order order, String flavor) throws EngineException {
    ObjectNode request = JsonNodeFactory.instance.objectNode();
    ObjectNode server =
        request
            .putObject("server")
            .put("name", order.name())
            .put("imageRef", settings.image())
            .put("flavorRef", flavor);
    if (settings.networksByWord()) {
      server.put("networks", settings.networks().get(0));
    } else {
      ArrayNode networks = server.putArray("networks");
      settings.networks().forEach(network -> networks.addObject().put("uuid", network));
    }
    if (!settings.securityGroups().isEmpty()) {
      ArrayNode groups = server.putArray("security_groups");
      settings.securityGroups().forEach(group -> groups.addObject().put("name", group));
    }
    if (settings.keyName() != null) {
      server.put("key_name", settings.keyName());
    }
    if (settings.zone() != null) {
      server.put("availability_zone", settings.zone());
    }
    ObjectNode metadata = server.putObject("metadata");
    order.marks().forEach((key, value) -> metadata.put(key, value));
    if (!order.userData().isEmpty()) {
      server.put(
          "user_data",
          Base64.getEncoder().encodeToString(order.userData().getBytes(StandardCharsets.UTF_8)));
    }
    if (settings.antiAffinity() != AntiAffinity.NONE) {
      request.putObject("os:scheduler_hints").put("group", group(order.cluster()));
    }
    return request;
  }

  /** The server of a request; ours is deleted if another controller was faster. */
  private CloudMachine first(Order order, String id) throws EngineException {
    List<CloudMachine> same =
        machines(order.cluster()).stream()
            .filter(m -> m.request().equals(order.requestId()) && !m.isRetired())
            .filter(m -> m.state() != CloudMachine.State.ENDED)
            .filter(m -> m.state() != CloudMachine.State.FAILED || m.id().equals(id))
            .sorted(
                Comparator.comparing((CloudMachine m) -> m.since().orElse(Instant.MAX))
                    .thenComparing(CloudMachine::id))
            .toList();
    CloudMachine own =
        same.stream()
            .filter(machine -> machine.id().equals(id))
            .findFirst()
            .orElseThrow(
                () ->
                    new EngineException(
                        "%s: server %s of request %s has vanished right after it was asked for"
                            .formatted(title(), id, order.requestId())));
    CloudMachine first = same.get(0);
    if (!first.equals(own)) {
      LOG.info("{}: server {} was there before {} for the same request", title(), first.id(), id);
      delete(own);
    }
    return first;
  }

  private JsonNode flavor(String name) throws EngineException {
    for (JsonNode flavor : listed("/flavors/detail", "flavors", Nova::marker)) {
      if (flavor.path("name").asText().equals(name)) {
        return flavor;
      }
    }
    throw new EngineException(title() + ": there is no flavour " + name);
  }

  /** The id of the group that keeps a cluster's servers apart; made if there is none. */
  private String group(String cluster) throws EngineException {
    Optional<JsonNode> known = knownGroup(cluster);
    if (known.isPresent()) {
      return known.get().path("id").asText();
    }
    String name = GROUP + cluster;
    String policy = settings.antiAffinity().policy;
    ObjectNode request = JsonNodeFactory.instance.objectNode();
    request.putObject("server_group").put("name", name).put("policy", policy);
    return keystone
        .nova("POST", "/os-server-groups", request)
        .path("server_group")
        .path("id")
        .asText();
  }

  private Optional<JsonNode> knownGroup(String cluster) throws EngineException {
    for (JsonNode group : listed("/os-server-groups", "server_groups", Nova::offset)) {
      if (group.path("name").asText().equals(GROUP + cluster)
          && group.path("policy").asText().equals(settings.antiAffinity().policy)) {
        return Optional.of(group);
      }
    }
    return Optional.empty();
  }

  @Override
  public void mark(CloudMachine machine, Map<String, String> marks) throws EngineException {
    ObjectNode request = JsonNodeFactory.instance.objectNode();
    ObjectNode metadata = request.putObject("metadata");
    marks.forEach((key, value) -> metadata.put(key, value));
    keystone.nova("POST", path(machine) + "/metadata", request);
  }

  @Override
  public void start(CloudMachine machine) throws EngineException {
    ObjectNode request = JsonNodeFactory.instance.objectNode();
    request.putNull("os-start");
    keystone.nova("POST", path(machine) + "/action", request);
  }

  @Override
  public void reboot(CloudMachine machine) throws EngineException {
    ObjectNode request = JsonNodeFactory.instance.objectNode();
    request.putObject("reboot").put("type", "SOFT");
    keystone.nova("POST", path(machine) + "/action", request);
  }

  @Override
  public void stop(CloudMachine machine) throws EngineException {
    ObjectNode request = JsonNodeFactory.instance.objectNode();
    request.putNull("os-stop");
    keystone.nova("POST", path(machine) + "/action", request);
  }

  @Override
  public void delete(CloudMachine machine) throws EngineException {
    try {
      keystone.nova("DELETE", path(machine), null);
    } catch (StatusException e) {
      if (e.status() != NOT_FOUND) {
        throw e;
      }
    }
  }

  /** Nova cuts a server's power when it deletes it. */
  @Override
  public boolean shutsDown() {
    return false;
  }

  private static String path(CloudMachine machine) {
    return "/servers/" + URLEncoder.encode(machine.id(), StandardCharsets.UTF_8);
  }

  @Override
  public boolean foundNoRoom(CloudMachine failed) {
    return failed.reason().contains(NO_HOST);
  }

  @Override
  public int userDataMaxBytes() {
    return USER_DATA_MAX_BYTES;
  }

  /** What the project's quotas of servers, CPUs, memory and members of a group leave. */
  @Override
  public OptionalInt room(String cluster, String type) throws EngineException {
    JsonNode limits = keystone.nova("GET", "/limits", null).path("limits").path("absolute");
    JsonNode flavor = flavor(type);
    int room = left(limits, "maxTotalInstances", "totalInstancesUsed", 1);
    room =
        Math.min(
            room, left(limits, "maxTotalCores", "totalCoresUsed", flavor.path("vcpus").asInt()));
    room =
        Math.min(room, left(limits, "maxTotalRAMSize", "totalRAMUsed", flavor.path("ram").asInt()));
    int members = limits.path("maxServerGroupMembers").asInt(UNLIMITED);
    if (settings.antiAffinity() != AntiAffinity.NONE && members != UNLIMITED) {
      int present = knownGroup(cluster).map(group -> group.path("members").size()).orElse(0);
      room = Math.min(room, Math.max(0, members - present));
    }
    return room == Integer.MAX_VALUE ? OptionalInt.empty() : OptionalInt.of(room);
  }

  private static int left(JsonNode limits, String most, String used, int each) {
    int max = limits.path(most).asInt(UNLIMITED);
    return max == UNLIMITED || each <= 0
        ? Integer.MAX_VALUE
        : Math.max(0, (max - limits.path(used).asInt()) / each);
  }
}
