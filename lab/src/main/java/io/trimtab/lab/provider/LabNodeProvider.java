package io.trimtab.lab.provider;

import io.trimtab.config.FileProblem;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Machine;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Profile;
import io.trimtab.lab.cluster.Lab;
import io.trimtab.lab.cluster.LabConfig;
import io.trimtab.lab.cluster.LabStartException;
import io.trimtab.lab.cluster.LabState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;

/** Nodes are processes of a lab on this machine. */
abstract class LabNodeProvider implements NodeProvider {
  /** A node that holds nothing any more has little to do before it ends. */
  static final Duration STOP_LIMIT = Duration.ofSeconds(60);

  private final Lab lab;

  LabNodeProvider(Lab lab) {
    this.lab = lab;
  }

  /** Starts the processes of a node that the lab knows already. */
  abstract void start(NodeId id, Duration limit);

  @Override
  public int spare() {
    LabState state = lab.state();
    LabConfig config = state.config();
    return Math.max(0, config.nodes() + config.spareNodes() - state.nodes().size());
  }

  /** Those that the lab did not start with. */
  @Override
  public List<Machine> machines() {
    LabState state = lab.state();
    return state.nodes().stream()
        .filter(node -> !node.requestId().isEmpty())
        .map(
            node ->
                new Machine(
                    node.name(),
                    Optional.of(Lab.id(state, node)),
                    state.config().name(),
                    node.requestId(),
                    Optional.empty(),
                    Machine.State.RUNNING))
        .toList();
  }

  @Override
  public NodeId add(String requestId, Profile profile, List<Long> tokens, Duration limit)
      throws EngineException {
    return added(
        requestId, limit, index -> new LabState.Node(index, profile, requestId, 0, tokens));
  }

  /**
   * Goes on with the node of this request, or makes one.
   *
   * @param make from the index of the new node
   */
  NodeId added(String requestId, Duration limit, IntFunction<LabState.Node> make)
      throws EngineException {
    Optional<LabState.Node> begun =
        lab.state().nodes().stream().filter(n -> n.requestId().equals(requestId)).findFirst();
    if (begun.isPresent()) {
      return started(begun.get(), limit);
    }
    if (spare() == 0) {
      throw new EngineException(
          "lab " + lab.config().name() + " has no spare node left (spareNodes)");
    }
    return engine(
        () -> {
          LabState state = lab.change(s -> s.withNode(make.apply(s.lastIndex() + 1)));
          NodeId id = Lab.id(state, state.node(state.lastIndex()).orElseThrow());
          start(id, limit);
          return id;
        });
  }

  /**
   * Marks the data folder of a process that has ended as out of use, by its name; only taking down
   * the lab deletes it. No-op where an interrupted earlier call has done it.
   */
  void retire(String process) {
    Path folder = lab.dir().data(process);
    try {
      if (Files.exists(folder)) {
        Files.move(folder, lab.dir().retired(process), StandardCopyOption.ATOMIC_MOVE);
      }
    } catch (IOException e) {
      throw new UserError(folder + ": can't be marked as out of use: " + FileProblem.of(e), e);
    }
  }

  private NodeId started(LabState.Node node, Duration limit) throws EngineException {
    return engine(
        () -> {
          NodeId id = Lab.id(lab.state(), node);
          start(id, limit);
          return id;
        });
  }

  @FunctionalInterface
  interface Work {
    NodeId run();
  }

  static NodeId engine(Work work) throws EngineException {
    try {
      return work.run();
    } catch (LabStartException e) {
      List<String> tail = e.details();
      String last = tail.isEmpty() ? "" : ": " + tail.get(tail.size() - 1);
      throw new EngineException(e.getMessage() + last, e);
    } catch (UserError e) {
      throw new EngineException(e.getMessage(), e);
    }
  }
}
