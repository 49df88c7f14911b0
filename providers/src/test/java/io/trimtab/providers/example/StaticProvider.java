package io.trimtab.providers.example;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Machine;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.Removable;
import io.trimtab.providers.Command;
import io.trimtab.providers.ProviderContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A host in use has a mark, a file with the request, which is there before its node starts: what a
 * controller has started and never heard of is found by it. No host has another one's data or
 * profile, so that none is replaced or reconfigured.
 */
final class StaticProvider implements NodeProvider {
  private final StaticSettings settings;
  private final ProviderContext context;

  StaticProvider(StaticSettings settings, ProviderContext context) {
    this.settings = settings;
    this.context = context;
  }

  @Override
  public int spare() {
    return offer().spare();
  }

  /** Of decisions, which go on where it can't be told. */
  @Override
  public NodeCapacity offer() {
    try {
      return capacity();
    } catch (EngineException e) {
      return NodeCapacity.untold(e.getMessage());
    }
  }

  @Override
  public NodeCapacity capacity() throws EngineException {
    List<NodeId> own = machines().stream().flatMap(machine -> machine.node().stream()).toList();
    return NodeCapacity.of(settings.nodes().size() - own.size())
        .with(Removable.only(own, "others were not started by request"))
        .with(NodeCapacity.Reconfigurable.only(List.of(), "no profile is stored"));
  }

  @Override
  public List<Machine> machines() throws EngineException {
    List<Machine> machines = new ArrayList<>();
    for (String node : settings.nodes()) {
      Optional<String> request = request(node);
      if (request.isPresent()) {
        machines.add(
            new Machine(
                node,
                Optional.of(new NodeId(node)),
                context.clusterId(),
                request.get(),
                Optional.empty(),
                Machine.State.RUNNING));
      }
    }
    return machines;
  }

  @Override
  public NodeId add(String requestId, Profile profile, List<Long> tokens, Duration limit)
      throws EngineException {
    Optional<String> first = Optional.empty();
    for (String node : settings.nodes()) {
      Optional<String> request = request(node);
      if (request.filter(requestId::equals).isPresent()) {
        return started(node, limit);
      }
      first = first.isEmpty() && request.isEmpty() ? Optional.of(node) : first;
    }
    String node = first.orElseThrow(() -> new EngineException("static: all hosts are in use"));
    mark(node, requestId);
    return started(node, limit);
  }

  private NodeId started(String node, Duration limit) throws EngineException {
    run("start", node, limit);
    return new NodeId(node);
  }

  @Override
  public void remove(NodeId node, Duration limit) throws EngineException {
    if (request(node.name()).isPresent()) {
      run("stop", node.name(), limit);
      unmark(node.name());
    }
  }

  @Override
  public void restart(NodeId node, Duration limit) throws EngineException {
    if (request(node.name()).isEmpty()) {
      throw new EngineException("static: node " + node + " was not started by request");
    }
    run("stop", node.name(), limit);
    run("start", node.name(), limit);
  }

  @Override
  public void persist(NodeId node, Profile profile) throws EngineException {
    throw new EngineException("static: no profile is stored for node " + node);
  }

  @Override
  public NodeId replace(String requestId, NodeId dead, Profile profile, Duration limit)
      throws EngineException {
    throw new EngineException("static: no host takes the place of " + dead);
  }

  /** For which a host is in use; empty if it is not, or is none of these. */
  private Optional<String> request(String node) throws EngineException {
    Path mark = context.place().resolve(node);
    try {
      return settings.nodes().contains(node) && Files.exists(mark)
          ? Optional.of(Files.readString(mark))
          : Optional.empty();
    } catch (IOException e) {
      throw failed(mark, e);
    }
  }

  /** All of it or nothing, whenever this process is killed. */
  private void mark(String node, String requestId) throws EngineException {
    Path mark = context.folder().resolve(node);
    try {
      Path whole = Files.writeString(mark.resolveSibling(node + ".new"), requestId);
      Files.move(whole, mark, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw failed(mark, e);
    }
  }

  private void unmark(String node) throws EngineException {
    Path mark = context.folder().resolve(node);
    try {
      Files.delete(mark);
    } catch (IOException e) {
      throw failed(mark, e);
    }
  }

  private static EngineException failed(Path mark, IOException e) {
    return new EngineException("static: mark " + mark + ": " + e.getMessage(), e);
  }

  private void run(String verb, String node, Duration limit) throws EngineException {
    String title = "static: " + verb + " " + node;
    List<String> command = List.of(settings.program(), verb, node);
    Command.Result result = Command.run(title, command, "", limit);
    if (result.code() != 0) {
      throw new EngineException(title + ": exit code " + result.code() + result.lastWords());
    }
  }
}
