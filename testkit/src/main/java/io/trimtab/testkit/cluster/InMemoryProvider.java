package io.trimtab.testkit.cluster;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Machine;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Profile;
import io.trimtab.testkit.cluster.Faults.Verb;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Starts and stops the nodes of an {@link InMemoryCluster}. */
final class InMemoryProvider implements NodeProvider {
  /** Until a process runs; it serves later. */
  private static final Duration PROCESS = Duration.ofSeconds(1);

  private final ClusterState state;
  private final VerbRunner runner;

  InMemoryProvider(ClusterState state, VerbRunner runner) {
    this.state = state;
    this.runner = runner;
  }

  @Override
  public int spare() {
    synchronized (state) {
      return Math.max(0, state.spec.nodes() + state.spec.spare() - state.nodes.size());
    }
  }

  @Override
  public List<Machine> machines() {
    synchronized (state) {
      return state.requests.entrySet().stream()
          .filter(request -> state.nodes.containsKey(request.getValue()))
          .map(request -> machine(request.getKey(), state.nodes.get(request.getValue())))
          .toList();
    }
  }

  private Machine machine(String requestId, NodeModel node) {
    return new Machine(
        node.id.name(),
        Optional.of(node.id),
        "in-memory-" + state.spec.seed(),
        requestId,
        Optional.empty(),
        node.alive ? Machine.State.RUNNING : Machine.State.STARTING);
  }

  @Override
  public NodeId add(String requestId, Profile profile, List<Long> tokens, Duration limit)
      throws EngineException {
    synchronized (state) {
      runner.advance();
      if (state.spec.claims() && !tokens.isEmpty()) {
        throw new EngineException(
            "request " + requestId + ": a node claims parts of this ring, and has no tokens");
      }
      Set<Long> taken = state.tokens();
      if (tokens.stream()
          .anyMatch(t -> taken.contains(t) && !state.requests.containsKey(requestId))) {
        throw new EngineException("request " + requestId + ": a token is another node's");
      }
    }
    return start(Verb.ADD, requestId, profile, tokens, null, limit);
  }

  @Override
  public NodeId replace(String requestId, NodeId dead, Profile profile, Duration limit)
      throws EngineException {
    NodeModel instead;
    synchronized (state) {
      runner.advance();
      if (!state.ring()) {
        throw new EngineException("node " + dead + ": the engine gives its data to others");
      }
      instead = state.nodes.get(dead);
      if (!state.requests.containsKey(requestId)) {
        if (instead == null || instead.alive) {
          throw new EngineException("node " + dead + " is not dead, and is not replaced");
        }
      }
    }
    List<Long> tokens = instead == null ? List.of() : List.copyOf(instead.tokens);
    return start(Verb.REPLACE, requestId, profile, tokens, instead, limit);
  }

  private NodeId start(
      Verb verb,
      String requestId,
      Profile profile,
      List<Long> tokens,
      NodeModel instead,
      Duration limit)
      throws EngineException {
    synchronized (state) {
      NodeId known = state.requests.get(requestId);
      if (known != null) {
        return known;
      }
      if (spare() == 0) {
        throw new EngineException("request " + requestId + ": no machine is left for another node");
      }
    }
    NodeId[] started = new NodeId[1];
    runner.run(
        verb,
        instead == null ? null : instead.id,
        "the start of a node for request " + requestId,
        PROCESS,
        limit,
        () -> started[0] = process(requestId, profile, tokens, instead),
        () -> {});
    return started[0];
  }

  /** The process runs; the node joins later. */
  private NodeId process(String requestId, Profile profile, List<Long> tokens, NodeModel instead) {
    NodeId known = state.requests.get(requestId);
    if (known != null) {
      // An earlier caller's request, which landed after that caller had died.
      return known;
    }
    NodeModel node = state.newNode(profile);
    state.requests.put(requestId, node.id);
    node.member = false;
    node.instead = instead;
    node.rack = instead == null ? node.rack : instead.rack;
    double streamed = 0;
    if (state.ring()) {
      node.tokens.addAll(tokens.isEmpty() ? ownTokens(node) : tokens);
      double all = state.tables.values().stream().mapToDouble(t -> t.spec.bytes()).sum();
      streamed = all * state.spec.replication() / (state.members().size() + 1);
    }
    Duration time = state.spec.times().start().plus(state.spec.times().streaming(streamed));
    state.after(
        time,
        () -> {
          if (state.nodes.get(node.id) == node) {
            NodeChanges.join(state, node);
          }
        });
    return node.id;
  }

  /** Those that the ring gives to a node that is told none. */
  private List<Long> ownTokens(NodeModel node) {
    return state.spec.claims()
        ? Claim.share(state.members(), node, state.spec.replication())
        : Ring.draw(state.spec.tokensEach(), node.seed, new HashSet<>(state.tokens()));
  }

  @Override
  public void remove(NodeId node, Duration limit) throws EngineException {
    synchronized (state) {
      runner.advance();
      if (!state.nodes.containsKey(node)) {
        return;
      }
    }
    runner.run(
        Verb.REMOVE,
        node,
        "the stop of node " + node,
        PROCESS,
        limit,
        () -> {
          NodeModel model = state.nodes.get(node);
          if (model == null) {
            return;
          }
          state.kill(model);
          if (state.ring() && model.member && !model.tokens.isEmpty()) {
            // Its ranges are still its own: for the others it is a dead node.
            model.stoppedAsMember = true;
            return;
          }
          state.nodes.remove(node);
        },
        () -> {});
  }

  @Override
  public void restart(NodeId node, Duration limit) throws EngineException {
    synchronized (state) {
      runner.advance();
      if (!state.nodes.containsKey(node)) {
        throw new EngineException("node " + node + " is not one of this provider's");
      }
    }
    runner.run(
        Verb.RESTART,
        node,
        "the restart of node " + node,
        PROCESS,
        limit,
        () -> {
          NodeModel model = state.nodes.get(node);
          if (model == null) {
            throw new EngineException("node " + node + " is gone");
          }
          state.kill(model);
          model.draining = state.ring() ? false : model.draining;
          state.after(state.spec.times().restart(), () -> returns(model));
        },
        () -> {});
  }

  private void returns(NodeModel node) {
    if (state.nodes.get(node.id) == node && !node.alive) {
      state.begin(node);
    }
  }

  @Override
  public void persist(NodeId node, Profile profile) throws EngineException {
    synchronized (state) {
      runner.advance();
      NodeModel model = state.nodes.get(node);
      if (model == null) {
        throw new EngineException("node " + node + " is not one of this provider's");
      }
      if (runner.next(Verb.PERSIST, node).isPresent()) {
        throw new EngineException("the profile of node " + node + " can't be written: scripted");
      }
      model.persisted = profile;
    }
  }
}
