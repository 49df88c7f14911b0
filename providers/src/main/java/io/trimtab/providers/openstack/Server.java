package io.trimtab.providers.openstack;

import com.fasterxml.jackson.databind.JsonNode;
import io.trimtab.providers.cloud.CloudMachine;
import io.trimtab.providers.cloud.Lines;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

/** A server as Nova tells it. */
record Server(JsonNode told) {
  private static final Set<String> ON_ITS_WAY_OUT =
      Set.of("powering-off", "deleting", "soft-deleting", "shelving");

  /** Of the fourth version or the sixth: it becomes a part of a node's name. */
  private static final Pattern ADDRESS = Pattern.compile("[0-9A-Fa-f:.]+");

  /** In one line, for messages. */
  String id() {
    return Lines.of(told.path("id").asText());
  }

  /** Whether nothing is told of it beside its id, because its cell does not answer. */
  boolean isOutOfReach() {
    return !told.has("metadata") && told.path("status").asText().equals("UNKNOWN");
  }

  /** Why it can be no server: what it lacks, or has in its place; empty if it can. */
  Optional<String> problem() {
    if (!told.path("status").isTextual()) {
      return Optional.of("without a status");
    }
    if (!told.path("name").isTextual()) {
      return Optional.of("without a name");
    }
    JsonNode metadata = told.path("metadata");
    if (!metadata.isObject() || !all(metadata, JsonNode::isTextual)) {
      return Optional.of("without texts as metadata");
    }
    // Without one it were taken for old, and given back while its node still starts.
    if (created().isEmpty()) {
      return Optional.of("without the time at which it was created");
    }
    JsonNode networks = told.path("addresses");
    boolean reachable =
        networks.isMissingNode()
            || networks.isObject()
                && all(networks, network -> network.isArray() && all(network, Server::isAddress));
    return reachable ? Optional.empty() : Optional.of("with an address that is none");
  }

  private static boolean all(JsonNode entries, Predicate<JsonNode> hold) {
    return StreamSupport.stream(entries.spliterator(), false).allMatch(hold);
  }

  private static boolean isAddress(JsonNode address) {
    return ADDRESS.matcher(address.path("addr").asText()).matches();
  }

  CloudMachine machine() {
    Map<String, String> marks = new TreeMap<>();
    told.path("metadata")
        .properties()
        .forEach(entry -> marks.put(entry.getKey(), entry.getValue().asText()));
    return new CloudMachine(
        told.path("id").asText(),
        told.path("name").asText(),
        address(),
        "",
        told.path("flavor").path("original_name").asText(),
        marks,
        state(),
        Lines.of(told.path("fault").path("message").asText()),
        created());
  }

  /** The first of the first network that is fixed; one of the fourth version before others. */
  private String address() {
    String other = "";
    for (JsonNode network : told.path("addresses")) {
      for (JsonNode address : network) {
        if (address.path("OS-EXT-IPS:type").asText("fixed").equals("fixed")) {
          if (address.path("version").asInt() == 4) {
            return address.path("addr").asText();
          }
          other = other.isEmpty() ? address.path("addr").asText() : other;
        }
      }
    }
    return other;
  }

  private CloudMachine.State state() {
    if (ON_ITS_WAY_OUT.contains(told.path("OS-EXT-STS:task_state").asText())) {
      return CloudMachine.State.STOPPING;
    }
    return switch (told.path("status").asText()) {
      case "ACTIVE" -> CloudMachine.State.RUNNING;
      case "SHUTOFF", "PAUSED", "SUSPENDED", "SHELVED", "SHELVED_OFFLOADED" ->
          CloudMachine.State.STOPPED;
      case "DELETED", "SOFT_DELETED" -> CloudMachine.State.ENDED;
      case "ERROR" ->
          told.path("OS-SRV-USG:launched_at").isTextual()
              ? CloudMachine.State.BROKEN
              : CloudMachine.State.FAILED;
      default -> CloudMachine.State.STARTING;
    };
  }

  private Optional<Instant> created() {
    try {
      return Optional.of(Instant.parse(told.path("created").asText()));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}
