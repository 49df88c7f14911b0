package io.trimtab.providers.openstack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeProvider.UnusableAnswerException;
import io.trimtab.providers.cloud.Cloud;
import io.trimtab.providers.cloud.CloudMachine;
import io.trimtab.providers.cloud.Lines;
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
  private final NovaAnswers answers;

  /**
   * The server group that was asked for with a server that was not made yet. Kept beyond the
   * request, as a failed one is tried again.
   */
  private volatile Optional<String> sent = Optional.empty();

  Nova(OpenStackSettings settings, Keystone keystone) {
    this.settings = settings;
    this.keystone = keystone;
    this.answers = new NovaAnswers(keystone);
  }

  @Override
  public String title() {
    return answers.title();
  }

  @Override
  public List<CloudMachine> machines(String cluster) throws EngineException {
    List<CloudMachine> machines = new ArrayList<>();
    for (JsonNode told : answers.listed("/servers/detail", "servers", NovaAnswers::marker)) {
      CloudMachine machine = machine(new Server(told));
      if (cluster.equals(machine.marks().get(Marks.CLUSTER))) {
        machines.add(machine);
      }
    }
    return machines;
  }

  /** A server whose cell does not answer is listed without what would tell whose it is. */
  private CloudMachine machine(Server server) throws EngineException {
    if (server.isOutOfReach()) {
      throw new EngineException(
          "%s: server %s can't be told of now: its cell does not answer"
              .formatted(title(), server.id()));
    }
    Optional<String> problem = server.problem();
    if (problem.isPresent()) {
      throw answers.senseless("has server %s %s".formatted(server.id(), problem.get()));
    }
    return server.machine();
  }

  @Override
  public CloudMachine create(Order order) throws EngineException {
    try {
      return created(order);
    } catch (UnusableAnswerException e) {
      Optional<String> group = sent;
      if (group.isEmpty()) {
        // Nothing was changed, or only a server was made, of which the list of machines tells.
        throw e;
      }
      throw new EngineException(
          "%s; server group %s may have been made before".formatted(e.getMessage(), group.get()),
          e);
    }
  }

  private CloudMachine created(Order order) throws EngineException {
    ObjectNode request = request(order, flavor(order.type()).path("id").asText());
    String id;
    try {
      JsonNode server = keystone.nova("POST", "/servers", request).path("server");
      id = answers.id(server, "to a request for a server names none");
    } catch (StatusException e) {
      boolean quota = e.status() == FORBIDDEN && e.getMessage().contains("uota");
      throw quota || e.status() == OVER_LIMIT ? new NoRoomException(e.getMessage(), e) : e;
    }
    // From here on the list of machines tells of it.
    sent = Optional.empty();
    try {
      return first(order, id);
    } catch (UnusableAnswerException e) {
      // It is no first answer any more: somebody has to look for the server.
      throw new EngineException(
          "%s; server %s was asked for before".formatted(e.getMessage(), Lines.of(id)), e);
    }
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
    for (JsonNode flavor : answers.listed("/flavors/detail", "flavors", NovaAnswers::marker)) {
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
    // Before its answer, which may be nonsense though the group was made.
    sent = Optional.of(name);
    JsonNode made = keystone.nova("POST", "/os-server-groups", request).path("server_group");
    return answers.id(made, "to a request for a server group names none");
  }

  private Optional<JsonNode> knownGroup(String cluster) throws EngineException {
    for (JsonNode group :
        answers.listed("/os-server-groups", "server_groups", NovaAnswers::offset)) {
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
    if (!limits.isObject()) {
      throw answers.senseless("has no limits of the project");
    }
    JsonNode flavor = flavor(type);
    int room = left(limits, "maxTotalInstances", "totalInstancesUsed", 1);
    room =
        Math.min(
            room, left(limits, "maxTotalCores", "totalCoresUsed", answers.number(flavor, "vcpus")));
    room =
        Math.min(
            room, left(limits, "maxTotalRAMSize", "totalRAMUsed", answers.number(flavor, "ram")));
    int members = most(limits, "maxServerGroupMembers");
    if (settings.antiAffinity() != AntiAffinity.NONE && members != UNLIMITED) {
      room = Math.min(room, Math.max(0, members - members(knownGroup(cluster))));
    }
    return room == Integer.MAX_VALUE ? OptionalInt.empty() : OptionalInt.of(room);
  }

  private int members(Optional<JsonNode> group) throws EngineException {
    if (group.isEmpty()) {
      return 0;
    }
    JsonNode members = group.get().path("members");
    if (!members.isArray()) {
      throw answers.senseless("has a server group without a list of members");
    }
    return members.size();
  }

  private int left(JsonNode limits, String most, String used, int each) throws EngineException {
    int max = most(limits, most);
    return max == UNLIMITED || each <= 0
        ? Integer.MAX_VALUE
        : Math.max(0, (max - answers.number(limits, used)) / each);
  }

  /** Not every Nova tells every limit. */
  private int most(JsonNode limits, String field) throws EngineException {
    return limits.has(field) ? answers.number(limits, field) : UNLIMITED;
  }
}
