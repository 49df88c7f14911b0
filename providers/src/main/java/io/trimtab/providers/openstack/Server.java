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

/** A server as Nova tells it. */
record Server(JsonNode told) {
  private static final Set<String> ON_ITS_WAY_OUT =
      Set.of("powering-off", "deleting", "soft-deleting", "shelving");

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
