package io.trimtab.providers.kubernetes;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Machine;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.NodeProvider.UnusableAnswerException;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.Removable;
import io.trimtab.providers.KeptOffer;
import io.trimtab.providers.Pause;
import io.trimtab.providers.ProviderContext;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/**
 * Nodes that are pods. Only desired state is changed: how many nodes a StatefulSet or a
 * CassandraDatacenter has. Kubernetes and the operators that watch these do the rest, and are
 * waited for.
 */
final class KubernetesProvider implements NodeProvider {
  private final KubernetesSettings settings;
  private final Api api;
  private final ProviderContext context;
  private final NodeTemplate names;
  private final Growth growth;
  private final Budgets budgets;
  private final PoolProfile profiles;
  private final LeftClaims claims;
  private final Set<String> told = new TreeSet<>();
  private final KeptOffer offer;

  /** A pod of a pool. */
  private record Place(PoolSettings pool, String pod) {}

  KubernetesProvider(KubernetesSettings settings, Api api, ProviderContext context) {
    this.settings = settings;
    this.api = api;
    this.context = context;
    this.names = new NodeTemplate(settings.node());
    this.growth = new Growth(api, settings);
    this.budgets = new Budgets(api);
    this.profiles = new PoolProfile(api);
    this.claims = new LeftClaims(api);
    this.offer =
        new KeptOffer(
            settings.keep(), "the API server does not tell what there is", this::capacity);
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
    List<PoolState> pools = pools();
    Growth.Room room = growth.room(pools);
    return new NodeCapacity(
            room.nodes(),
            OptionalInt.of(settings.pools().stream().mapToInt(PoolSettings::max).sum()),
            settings.price() == null ? OptionalDouble.empty() : OptionalDouble.of(settings.price()),
            Optional.ofNullable(settings.boot()))
        .with(removable(pools))
        .with(reconfigurable(pools))
        .because(room.hindrances());
  }

  /** A pool gives up its nodes in one order. */
  private Removable removable(List<PoolState> pools) throws EngineException {
    List<List<NodeId>> rows = new ArrayList<>();
    for (PoolState pool : pools) {
      List<NodeId> row = new ArrayList<>();
      for (String pod : growth.leaving(pool)) {
        Optional<NodeId> node = names.node(pod, pool.found(pod));
        if (node.isEmpty()) {
          // Those behind it have to wait for it.
          break;
        }
        row.add(node.get());
      }
      rows.add(row);
    }
    return Removable.inTurn(
        rows, "Kubernetes gives back only the last node of a pool, and none that others decide on");
  }

  /** A profile is that of all pods of a pool, and so only that of the one of a pool of one. */
  private NodeCapacity.Reconfigurable reconfigurable(List<PoolState> pools) {
    List<NodeId> nodes = new ArrayList<>();
    for (PoolState pool : pools) {
      if (pool.settings().configMap() != null && pool.size() == 1) {
        String pod = pool.pod(0);
        names.node(pod, pool.found(pod)).ifPresent(nodes::add);
      }
    }
    return NodeCapacity.Reconfigurable.only(
        nodes, "a profile is stored only in a pool with a configMap and one node");
  }

  private List<PoolState> pools() throws EngineException {
    List<PoolState> pools = new ArrayList<>();
    for (PoolSettings pool : settings.pools()) {
      pools.add(PoolState.of(pool, api));
    }
    return pools;
  }

  /** In the order in which they can be given back. */
  @Override
  public List<Machine> machines() throws EngineException {
    String cluster = context.clusterId();
    List<PoolState> pools = pools();
    List<Machine> machines = new ArrayList<>();
    for (PoolState pool : pools) {
      pool.open().stream()
          .filter(request -> request.cluster().equals(cluster))
          .sorted(Comparator.comparingInt((Request r) -> pool.index(r.pod()).orElse(-1)).reversed())
          .forEach(request -> machines.add(machine(pool, request)));
    }
    for (String claim : claims.of(pools, cluster)) {
      tellOfData(claim);
    }
    return machines;
  }

  private Machine machine(PoolState pool, Request request) {
    Optional<Pod> pod = pool.found(request.pod());
    return new Machine(
        request.pod(),
        names.node(request.pod(), pod),
        request.cluster(),
        request.request(),
        Optional.of(Instant.ofEpochMilli(request.since())),
        pod.filter(Pods::ready).isPresent() ? Machine.State.RUNNING : Machine.State.STARTING);
  }

  /** Once: the list is asked for again and again. */
  private synchronized void tellOfData(String claim) {
    if (told.add(claim)) {
      context.tell(
          "PersistentVolumeClaim %s has the data of a removed %s; no node is added in its place"
                  .formatted(claim, context.words().node())
              + " until an operator deletes it");
    }
  }

  @Override
  public NodeId add(String requestId, Profile profile, List<Long> tokens, Duration limit)
      throws EngineException {
    if (!tokens.isEmpty()) {
      throw new EngineException(
          "request " + requestId + ": a pod can't be given tokens; set place.tokens: engine");
    }
    Optional<PoolSettings> operators =
        settings.pools().stream().filter(pool -> pool.kind() != Kind.STATEFUL_SET).findFirst();
    if (operators.isPresent() && context.look().nodes().isEmpty()) {
      throw new EngineException(
          "request %s: cass-operator makes the first nodes of %s, and deletes the last ones"
              .formatted(requestId, operators.get().title()));
    }
    Pause pause = new Pause(limit, settings.poll());
    offer.forget();
    Growth.Asked asked = growth.ask(context.clusterId(), requestId, profile, pause);
    try {
      return new Arrival(api, settings, asked.pool(), asked.pod(), "").await(pause);
    } catch (UnusableAnswerException e) {
      // It is no first answer any more: somebody has to look for the pod.
      throw new EngineException(
          "%s; pod %s was asked for before".formatted(e.getMessage(), asked.pod()), e);
    }
  }

  /** A pod of the same name is the same node, and Kubernetes starts it again by itself. */
  @Override
  public NodeId replace(String requestId, NodeId dead, Profile profile, Duration limit)
      throws EngineException {
    throw new EngineException(
        "request %s: node %s is a pod, which Kubernetes itself starts again; nothing replaces it"
            .formatted(requestId, dead));
  }

  @Override
  public void remove(NodeId node, Duration limit) throws EngineException {
    Pause pause = new Pause(limit, settings.poll());
    Optional<Place> place = place(node);
    if (place.isPresent()) {
      end(place.get(), pause);
    } else if (context.alive().containsKey(node)) {
      throw stranger(node);
    }
  }

  @Override
  public void release(Machine machine, Duration limit) throws EngineException {
    Pause pause = new Pause(limit, settings.poll());
    for (PoolState pool : pools()) {
      for (Request request : pool.open()) {
        if (request.of(machine.cluster(), machine.requestId())
            && request.pod().equals(machine.name())) {
          end(new Place(pool.settings(), request.pod()), pause);
          return;
        }
      }
    }
  }

  /**
   * Stays: a pod that does not come stops its pool's growth, so that there is never a second one,
   * and a pool that were made smaller could be left with a claim that stops it as well.
   */
  @Override
  public void withdraw(String requestId, Set<NodeId> members, Duration limit) {}

  /** Makes a pool smaller by its last pod, which must be this one, and waits until it has ended. */
  private void end(Place place, Pause pause) throws EngineException {
    offer.forget();
    growth.shrink(place.pool(), place.pod(), budgets, pause);
    PoolState now = PoolState.of(place.pool(), api);
    while (now.pods().containsKey(place.pod())) {
      if (!pause.more()) {
        throw new EngineException("pod " + place.pod() + " has not ended in time");
      }
      pause.pass("the wait for the end of pod " + place.pod());
      now = PoolState.of(place.pool(), api);
    }
    for (String claim : claims.mark(now, place.pod(), context.clusterId())) {
      tellOfData(claim);
    }
  }

  @Override
  public void restart(NodeId node, Duration limit) throws EngineException {
    Pause pause = new Pause(limit, settings.poll());
    Place place = place(node).orElseThrow(() -> stranger(node));
    Optional<Pod> pod = PoolState.of(place.pool(), api).found(place.pod());
    String before = pod.map(p -> p.getMetadata().getUid()).orElse("");
    if (pod.isPresent() && !Pods.ending(pod.get())) {
      budgets.evict(pod.get(), pause);
    }
    NodeId back = new Arrival(api, settings, place.pool(), place.pod(), before).await(pause);
    if (!back.equals(node)) {
      throw new EngineException(
          "pod %s was node %s and has come back as %s: nodes need addresses that they keep"
              .formatted(place.pod(), node, back));
    }
  }

  @Override
  public void persist(NodeId node, Profile profile) throws EngineException {
    Place place = place(node).orElseThrow(() -> stranger(node));
    PoolSettings pool = place.pool();
    if (pool.configMap() == null && pool.profile() == null) {
      throw new EngineException(
          "node %s: %s has no configMap that its pods' profile could be stored in"
              .formatted(node, pool.title()));
    }
    if (profiles.has(pool, profile)) {
      return;
    }
    if (pool.configMap() == null) {
      throw new EngineException(
          "node %s: %s is for nodes of profile %s; all of its nodes are alike"
              .formatted(node, pool.title(), pool.profile()));
    }
    PoolState now = PoolState.of(pool, api);
    if (!now.wants(place.pod())) {
      throw stranger(node);
    }
    if (now.size() > 1) {
      throw new EngineException(
          "node %s: the profile of %s is that of all its %d nodes; make a pool for %s"
              .formatted(node, pool.title(), now.size(), profile.name()));
    }
    api.patchConfigMap(pool.configMap(), profiles.change(pool, profile));
    if (PoolProfile.annotatesTemplate(now)) {
      ObjectNode patch = JsonNodeFactory.instance.objectNode();
      PoolProfile.annotate(now, profile, patch.putObject("spec"));
      api.patch(pool.kind(), pool.name(), patch);
    }
  }

  private EngineException stranger(NodeId node) {
    return new EngineException(
        "node %s is no pod of provider.kubernetes.pools (names are %s)"
            .formatted(node, settings.node()));
  }

  /** The pod of a node, by its name or, if that has an address, by the pods that there are. */
  private Optional<Place> place(NodeId node) throws EngineException {
    Optional<String> named = names.pod(node);
    for (PoolState pool : pools()) {
      if (named.filter(pod -> pool.index(pod).isPresent()).isPresent()) {
        return Optional.of(new Place(pool.settings(), named.get()));
      }
      for (Pod pod : pool.pods().values()) {
        String name = pod.getMetadata().getName();
        if (pool.index(name).isPresent()
            && names.node(name, Optional.of(pod)).filter(node::equals).isPresent()) {
          return Optional.of(new Place(pool.settings(), name));
        }
      }
    }
    return Optional.empty();
  }
}
