package io.trimtab.providers.exec;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Machine;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider.UnusableAnswerException;
import io.trimtab.engineapi.Removable;
import io.trimtab.providers.NodeNames;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * What a program has answered: one JSON object. Whatever else it says is refused in one line, since
 * a plan must not go on with a node that may be another one. Unknown fields are ignored.
 */
final class Answer {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
  private static final int SHOWN = 60;

  private final String title;
  private final JsonNode object;

  private Answer(String title, JsonNode object) {
    this.title = title;
    this.object = object;
  }

  /**
   * Reads an answer.
   *
   * @param title the program and the verb, for messages
   */
  static Answer of(String title, String text) throws EngineException {
    if (text.isBlank()) {
      throw new UnusableAnswerException(title + ": its answer is empty");
    }
    try (JsonParser parser = MAPPER.createParser(text)) {
      JsonNode first = MAPPER.readTree(parser);
      if (parser.nextToken() != null) {
        throw new UnusableAnswerException(title + ": has answered twice: " + shown(text));
      }
      if (first == null || !first.isObject()) {
        throw new UnusableAnswerException(title + ": its answer is no JSON object: " + shown(text));
      }
      return new Answer(title, first);
    } catch (JsonProcessingException e) {
      throw new UnusableAnswerException(title + ": its answer is not JSON: " + shown(text), e);
    } catch (IOException e) {
      throw new EngineException(title + ": its answer can't be read: " + e.getMessage(), e);
    }
  }

  private static String shown(String text) {
    String line = text.strip().replaceAll("\\s+", " ").replaceAll("\\p{Cntrl}", " ");
    return line.length() > SHOWN ? line.substring(0, SHOWN) + "…" : line;
  }

  private UnusableAnswerException wrong(String problem) {
    return new UnusableAnswerException(title + ": " + problem);
  }

  /** That the answer is for this request. */
  Answer to(String requestId) throws EngineException {
    String answered = text(object, "request").orElse("");
    if (!answered.equals(requestId)) {
      throw wrong(
          answered.isEmpty()
              ? "its answer names no request; asked was " + requestId
              : "it answers request " + answered + "; asked was " + requestId);
    }
    return this;
  }

  /** The node that it names. */
  NodeId node() throws EngineException {
    return node(object)
        .orElseThrow(() -> new UnusableAnswerException(title + ": its answer names no node"));
  }

  /**
   * {@code {"spare": 3, "quota": 10, "price": 0.38, "bootSeconds": 90, "removable": ["n1:16020"],
   * "reconfigurable": ["n1:16020"], "next": ["n4:16020"]}}; only spare is needed.
   */
  NodeCapacity capacity() throws EngineException {
    JsonNode spare = object.path("spare");
    if (!spare.isIntegralNumber()) {
      throw wrong("spare must be a whole number, not " + spare);
    }
    JsonNode quota = object.path("quota");
    JsonNode price = object.path("price");
    JsonNode boot = object.path("bootSeconds");
    try {
      return new NodeCapacity(
              spare.asInt(),
              quota.isIntegralNumber() ? OptionalInt.of(quota.asInt()) : OptionalInt.empty(),
              price.isNumber() ? OptionalDouble.of(price.asDouble()) : OptionalDouble.empty(),
              boot.isIntegralNumber()
                  ? Optional.of(Duration.ofSeconds(boot.asLong()))
                  : Optional.empty())
          .with(
              nodes("removable")
                  .map(own -> Removable.only(own, "the provider's program gives back only others"))
                  .orElse(Removable.ALL))
          .with(
              nodes("reconfigurable")
                  .map(
                      own ->
                          NodeCapacity.Reconfigurable.only(
                              own, "the provider's program restarts only others"))
                  .orElse(NodeCapacity.Reconfigurable.ALL))
          .with(nodes("next").map(NodeCapacity.Places::at).orElse(NodeCapacity.Places.UNTOLD));
    } catch (IllegalArgumentException e) {
      throw wrong(e.getMessage());
    }
  }

  /** The nodes that a field lists; empty where it says nothing. */
  private Optional<List<NodeId>> nodes(String field) throws EngineException {
    JsonNode list = object.path(field);
    if (list.isMissingNode() || list.isNull()) {
      return Optional.empty();
    }
    if (!list.isArray()) {
      throw wrong(field + " must be a list of nodes, not " + shown(list.toString()));
    }
    List<NodeId> nodes = new ArrayList<>();
    for (JsonNode node : list) {
      nodes.add(NodeNames.parse(node.asText()));
    }
    return Optional.of(nodes);
  }

  /**
   * {@code {"machines": [{"name", "node", "request", "since", "state"}]}}; name and request are
   * required.
   */
  List<Machine> machines(String cluster) throws EngineException {
    JsonNode list = object.path("machines");
    if (!list.isArray()) {
      throw wrong("machines must be a list, not " + shown(list.toString()));
    }
    List<Machine> machines = new ArrayList<>();
    for (JsonNode entry : list) {
      machines.add(machine(entry, cluster));
    }
    return machines;
  }

  private Machine machine(JsonNode entry, String cluster) throws EngineException {
    Optional<String> name = text(entry, "name");
    Optional<String> request = text(entry, "request");
    if (name.isEmpty() || request.isEmpty()) {
      throw wrong("a machine of its list lacks name or request: " + shown(entry.toString()));
    }
    return new Machine(
        name.get(),
        node(entry),
        cluster,
        request.get(),
        since(entry),
        state(text(entry, "state").orElse("running")));
  }

  private Optional<NodeId> node(JsonNode from) throws EngineException {
    Optional<String> name = text(from, "node");
    try {
      return name.map(NodeNames::parse);
    } catch (IllegalArgumentException e) {
      throw wrong(e.getMessage());
    }
  }

  private Optional<Instant> since(JsonNode entry) throws EngineException {
    Optional<String> since = text(entry, "since");
    try {
      return since.map(Instant::parse);
    } catch (DateTimeException e) {
      throw wrong("since must be a time as 2026-01-31T12:00:00Z, not " + since.orElse(""));
    }
  }

  private Machine.State state(String name) throws EngineException {
    try {
      return Machine.State.valueOf(name.toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      throw wrong("state must be starting, running or stopped, not " + name);
    }
  }

  private static Optional<String> text(JsonNode from, String field) {
    return Optional.of(from.path(field))
        .filter(JsonNode::isTextual)
        .map(JsonNode::textValue)
        .filter(value -> !value.isEmpty());
  }
}
