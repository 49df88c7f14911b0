package io.trimtab.providers.manual;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Machine;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.providers.Pause;
import io.trimtab.providers.ProviderContext;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A person starts and stops the nodes. Told what to do, and seen to have done it: a node that joins
 * while a request waits is the one that was asked for, unless somebody says which one is.
 */
final class ManualProvider implements NodeProvider {
  private static final Logger LOG = LoggerFactory.getLogger(ManualProvider.class);

  private final ManualSettings settings;
  private final ProviderContext context;
  private final Instructions instructions;

  ManualProvider(ManualSettings settings, ProviderContext context) {
    this.settings = settings;
    this.context = context;
    this.instructions = new Instructions(context.words());
  }

  private ManualRequests requests() throws EngineException {
    return new ManualRequests(context.place());
  }

  @Override
  public int spare() {
    try {
      return Math.max(0, settings.spare() - requests().all().size());
    } catch (EngineException e) {
      LOG.warn("it is not known what was asked for, so nothing more can be", e);
      return 0;
    }
  }

  @Override
  public NodeCapacity offer() {
    return capacity(spare());
  }

  @Override
  public NodeCapacity capacity() throws EngineException {
    return capacity(Math.max(0, settings.spare() - requests().all().size()));
  }

  private NodeCapacity capacity(int spare) {
    return new NodeCapacity(
            spare,
            OptionalInt.empty(),
            settings.price() == null ? OptionalDouble.empty() : OptionalDouble.of(settings.price()),
            Optional.ofNullable(settings.boot()))
        .because("as many were asked for as provider.manual.spare allows");
  }

  /** What is to be done, worded by the cluster as it is when it is first asked for. */
  @FunctionalInterface
  private interface Wording {
    String of(ClusterSnapshot seen) throws EngineException;
  }

  @Override
  public NodeId add(String requestId, Profile profile, List<Long> tokens, Duration limit)
      throws EngineException {
    return started(
        requestId,
        "add with profile " + profile.name(),
        seen -> instructions.add(seen, profile, tokens),
        limit);
  }

  @Override
  public NodeId replace(String requestId, NodeId dead, Profile profile, Duration limit)
      throws EngineException {
    return started(
        requestId,
        "replace " + dead,
        seen -> {
          ProviderContext.requireDead(dead, seen);
          return instructions.replace(seen, dead, profile);
        },
        limit);
  }

  private NodeId started(String requestId, String what, Wording wording, Duration limit)
      throws EngineException {
    Pause pause = new Pause(limit, settings.poll());
    ManualRequest request = asked(requestId, what, wording);
    if (request.node() == null) {
      context.tell(
          ManualRequests.line(request)
              + "; the plan goes on when it has joined, or after: trimtab node joined "
              + requestId
              + " HOST:PORT");
    }
    while (true) {
      Optional<NodeId> node = answer(request);
      if (node.isPresent()) {
        return node.get();
      }
      if (!pause.more()) {
        requests().write(request.givenUp());
        throw new EngineException(
            "nobody has started a node for request %s within %d s (guard.actionLimit)"
                .formatted(requestId, limit.toSeconds()));
      }
      pause.pass("the wait for a node of request " + requestId);
    }
  }

  /** The request as it is on disk before anybody is told of it. */
  private synchronized ManualRequest asked(String requestId, String what, Wording wording)
      throws EngineException {
    ManualRequests requests = requests();
    Optional<ManualRequest> known = requests.find(requestId);
    if (known.isPresent()) {
      return known.get();
    }
    ClusterSnapshot seen = whole();
    String text = wording.of(seen);
    for (ManualRequest earlier : requests.all()) {
      if (earlier.expired() && earlier.what().equals(what)) {
        ManualRequest taken = earlier.of(requestId, text);
        requests.write(taken);
        Optional<NodeId> said = requests.said(earlier.id());
        if (said.isPresent()) {
          requests.joined(requestId, said.get().name());
        }
        requests.delete(earlier.id());
        return taken;
      }
    }
    ManualRequest request =
        new ManualRequest(
            requestId,
            what,
            text,
            System.currentTimeMillis(),
            seen.nodes().stream().map(node -> node.id().name()).toList(),
            null,
            false);
    requests.write(request);
    return request;
  }

  /** The node of a request, once it is known; noted before it is returned. */
  private synchronized Optional<NodeId> answer(ManualRequest request) throws EngineException {
    ManualRequests requests = requests();
    Optional<ManualRequest> now = requests.find(request.id());
    if (now.isEmpty()) {
      throw new EngineException("request " + request.id() + " was withdrawn");
    }
    if (now.get().node() != null) {
      return now.get().answer();
    }
    Optional<NodeId> node = requests.said(request.id());
    if (node.isEmpty()) {
      Set<String> taken = new HashSet<>(request.before());
      requests.all().stream().flatMap(r -> r.answer().stream()).forEach(n -> taken.add(n.name()));
      node = alive().stream().filter(n -> !taken.contains(n.name())).findFirst();
    }
    if (node.isPresent()) {
      // A node of this name that was there before had another configuration.
      requests.forgetProfile(node.get());
      requests.write(now.get().answered(node.get()));
      LOG.info("node {} is that of request {}", node.get(), request.id());
    }
    return node;
  }

  /** The live nodes; none while nobody can tell: a wait of hours is not ended by that. */
  private Set<NodeId> alive() {
    try {
      return context.alive().keySet();
    } catch (EngineException e) {
      LOG.info("no look at the cluster while a person is waited for", e);
      return Set.of();
    }
  }

  /**
   * A look that lacks nodes would take them for new ones later. One that knows of a node and could
   * not read it lacks none.
   */
  private ClusterSnapshot whole() throws EngineException {
    ClusterSnapshot seen = context.look();
    if (!seen.clusterGaps().isEmpty()) {
      throw new EngineException("the snapshot is partial: " + seen.clusterGaps().get(0));
    }
    return seen;
  }

  @Override
  public List<Machine> machines() throws EngineException {
    SortedMap<NodeId, Long> alive = context.alive();
    String cluster = context.clusterId();
    return requests().all().stream().map(request -> machine(request, cluster, alive)).toList();
  }

  private static Machine machine(
      ManualRequest request, String cluster, SortedMap<NodeId, Long> alive) {
    Machine.State state =
        request
            .answer()
            .map(n -> alive.containsKey(n) ? Machine.State.RUNNING : Machine.State.STOPPED)
            .orElse(Machine.State.STARTING);
    return new Machine(
        request.answer().map(NodeId::name).orElse("of " + request.id()),
        request.answer(),
        cluster,
        request.id(),
        Optional.of(Instant.ofEpochMilli(request.since())),
        state);
  }

  @Override
  public void release(Machine machine, Duration limit) throws EngineException {
    if (machine.node().isPresent()) {
      remove(machine.node().get(), limit);
      return;
    }
    requests().delete(machine.requestId());
    context.tell("request " + machine.requestId() + " is withdrawn: start no node for it");
  }

  /** The next request for the same takes it over, so that nobody is asked twice. */
  @Override
  public void withdraw(String requestId, Set<NodeId> members, Duration limit) {}

  @Override
  public void remove(NodeId node, Duration limit) throws EngineException {
    await(
        instructions.remove(node),
        "nobody has stopped node " + node,
        limit,
        () -> whole().node(node).filter(NodeState::alive).isEmpty());
    requests().forgetProfile(node);
    requests().restarted(node);
    for (ManualRequest request : requests().all()) {
      if (request.answer().filter(node::equals).isPresent()) {
        requests().delete(request.id());
      }
    }
  }

  @Override
  public void restart(NodeId node, Duration limit) throws EngineException {
    ManualRestart asked = asked(node, limit);
    await(
        instructions.restart(node, requests().profile(node)),
        "nobody has restarted node " + node,
        limit,
        // Of a node that can't be read it is not known when it was started.
        () ->
            context
                .look()
                .node(node)
                .filter(now -> now.alive() && now.readable())
                .filter(now -> !Long.valueOf(now.incarnation()).equals(asked.incarnation()))
                .isPresent());
    requests().restarted(node);
  }

  /**
   * The restart as it is on disk before anybody is told of it: a controller that was killed while
   * it waited would ask again for what somebody has done meanwhile.
   */
  private synchronized ManualRestart asked(NodeId node, Duration limit) throws EngineException {
    ManualRequests requests = requests();
    Optional<ManualRestart> earlier = requests.restart(node, limit);
    if (earlier.isPresent()) {
      return earlier.get();
    }
    ManualRestart asked = new ManualRestart(context.alive().get(node), System.currentTimeMillis());
    requests.write(node, asked);
    return asked;
  }

  /** Told before it is on disk: a controller that is killed in between tells it once more. */
  @Override
  public synchronized void persist(NodeId node, Profile profile) throws EngineException {
    ManualRequests requests = requests();
    if (!requests.profile(node).equals(Optional.of(profile))) {
      context.tell(instructions.persist(node, profile));
      requests.write(node, profile);
    }
  }

  @FunctionalInterface
  private interface Condition {
    boolean holds() throws EngineException;
  }

  private void await(String text, String failure, Duration limit, Condition done)
      throws EngineException {
    Pause pause = new Pause(limit, settings.poll());
    if (done.holds()) {
      return;
    }
    context.tell(text);
    while (!seen(done)) {
      if (!pause.more()) {
        throw new EngineException(failure + " within " + limit.toSeconds() + " s");
      }
      pause.pass("the wait until somebody does: " + text);
    }
  }

  private static boolean seen(Condition done) {
    try {
      return done.holds();
    } catch (EngineException e) {
      LOG.info("no look at the cluster while a person is waited for", e);
      return false;
    }
  }
}
