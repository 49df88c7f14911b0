package io.trimtab.providers.exec;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Machine;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.NodeProvider.UnusableAnswerException;
import io.trimtab.engineapi.Profile;
import io.trimtab.providers.KeptOffer;
import io.trimtab.providers.ProviderContext;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** A program with verbs, which reads a request as JSON and answers with JSON. */
final class ExecProvider implements NodeProvider {
  /** Of the requests; another one may mean something else. */
  private static final int FORMAT = 1;

  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private final ExecSettings settings;
  private final Program program;
  private final ProviderContext context;
  private final KeptOffer offer;

  ExecProvider(ExecSettings settings, Program program, ProviderContext context) {
    this.settings = settings;
    this.program = program;
    this.context = context;
    this.offer =
        new KeptOffer(
            settings.keep(), "the provider's program does not tell its capacity", this::capacity);
  }

  @Override
  public int spare() {
    return offer().spare();
  }

  @Override
  public NodeCapacity offer() {
    return offer.get();
  }

  @Override
  public NodeCapacity capacity() throws EngineException {
    return ask("capacity", request("capacity", settings.limit()), settings.limit()).capacity();
  }

  @Override
  public List<Machine> machines() throws EngineException {
    return ask("list", request("list", settings.limit()), settings.limit())
        .machines(context.clusterId());
  }

  @Override
  public NodeId add(String requestId, Profile profile, List<Long> tokens, Duration limit)
      throws EngineException {
    ObjectNode request = request("add", limit).put("request", requestId);
    put(request, profile);
    ArrayNode chosen = request.putArray("tokens");
    tokens.forEach(token -> chosen.add(token));
    return started(requestId, request, limit);
  }

  @Override
  public NodeId replace(String requestId, NodeId dead, Profile profile, Duration limit)
      throws EngineException {
    context.requireDead(dead);
    ObjectNode request =
        request("replace", limit).put("request", requestId).put("dead", dead.name());
    put(request, profile);
    return started(requestId, request, limit);
  }

  /** The node of a request; the program's own list must say the same. */
  private NodeId started(String requestId, ObjectNode request, Duration limit)
      throws EngineException {
    String verb = request.path("verb").asText();
    offer.forget();
    NodeId node = ask(verb, request, limit).to(requestId).node();
    List<Machine> own =
        listed(verb, requestId, node).stream()
            .filter(m -> m.requestId().equals(requestId) || m.node().equals(Optional.of(node)))
            .toList();
    boolean agrees =
        own.size() == 1
            && own.get(0).requestId().equals(requestId)
            && own.get(0).node().equals(Optional.of(node));
    if (!agrees) {
      throw new UnusableAnswerException(
          "%s %s: it answers node %s for request %s, but its list has %s"
              .formatted(program.title(), verb, node, requestId, text(own)));
    }
    return node;
  }

  /** Its list once it has answered; where that makes no sense, the node may well have started. */
  private List<Machine> listed(String verb, String requestId, NodeId node) throws EngineException {
    try {
      return machines();
    } catch (UnusableAnswerException e) {
      throw new EngineException(
          "%s %s: it answers node %s for request %s, and what it lists makes no sense: %s"
              .formatted(program.title(), verb, node, requestId, e.getMessage()),
          e);
    }
  }

  private static String text(List<Machine> machines) {
    return machines.isEmpty()
        ? "neither"
        : String.join(
            ", ",
            machines.stream()
                .map(
                    m ->
                        m.node().map(NodeId::name).orElse("no node")
                            + " for request "
                            + m.requestId())
                .toList());
  }

  @Override
  public void remove(NodeId node, Duration limit) throws EngineException {
    offer.forget();
    ask("remove", request("remove", limit).put("node", node.name()), limit);
  }

  @Override
  public void release(Machine machine, Duration limit) throws EngineException {
    offer.forget();
    ObjectNode request =
        request("remove", limit).put("machine", machine.name()).put("request", machine.requestId());
    machine.node().ifPresent(node -> request.put("node", node.name()));
    ask("remove", request, limit);
  }

  @Override
  public void restart(NodeId node, Duration limit) throws EngineException {
    ask("restart", request("restart", limit).put("node", node.name()), limit);
  }

  @Override
  public void persist(NodeId node, Profile profile) throws EngineException {
    ObjectNode request = request("persist", settings.limit()).put("node", node.name());
    put(request, profile);
    ask("persist", request, settings.limit());
  }

  private ObjectNode request(String verb, Duration limit) throws EngineException {
    return MAPPER
        .createObjectNode()
        .put("format", FORMAT)
        .put("verb", verb)
        .put("cluster", context.clusterId())
        .put("limitSeconds", limit.toSeconds());
  }

  private void put(ObjectNode request, Profile profile) {
    ObjectNode settingsOf =
        request
            .putObject("profile")
            .put("name", profile.name())
            .put("cacheFraction", profile.cacheFraction())
            .put("memstoreFraction", profile.memstoreFraction())
            .put("blockSizeBytes", profile.blockSizeBytes())
            .putObject("settings");
    new TreeMap<>(context.words().settings().apply(profile))
        .forEach((key, value) -> settingsOf.put(key, value));
  }

  private Answer ask(String verb, ObjectNode request, Duration limit) throws EngineException {
    return Answer.of(program.title() + " " + verb, program.run(verb, request.toString(), limit));
  }
}
