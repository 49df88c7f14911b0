package io.trimtab.providers.kubernetes;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeProvider.UnusableAnswerException;
import io.trimtab.engineapi.Profile;
import io.trimtab.providers.Pause;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes how many nodes pools have. A change is a patch that the API server refuses if anybody has
 * changed the resource since it was read; it is then looked at again.
 */
final class Growth {
  private static final Logger LOG = LoggerFactory.getLogger(Growth.class);
  private static final String READY = "Ready";

  private final Api api;
  private final KubernetesSettings settings;
  private final Owners owners;
  private final PoolProfile profiles;
  private final LeftClaims claims;

  /**
   * The ConfigMap that was sent a profile for a new pod that was not asked for yet. Kept beyond the
   * request, as a failed one is tried again.
   */
  private volatile Optional<String> sent = Optional.empty();

  /** What a request has asked for. */
  record Asked(PoolSettings pool, String pod) {}

  Growth(Api api, KubernetesSettings settings) {
    this.api = api;
    this.settings = settings;
    this.owners = new Owners(api, settings.takeOver());
    this.profiles = new PoolProfile(api);
    this.claims = new LeftClaims(api);
  }

  /**
   * Nodes that can be added now.
   *
   * @param nodes to all pools together
   * @param hindrances why none can be added to some pools, in one line
   */
  record Room(int nodes, String hindrances) {}

  /** What can be added to pools as they are. */
  Room room(List<PoolState> pools) throws EngineException {
    int nodes = 0;
    List<String> hindrances = new ArrayList<>();
    for (PoolState pool : pools) {
      Optional<String> hindrance = hindrance(pool);
      if (hindrance.isPresent()) {
        hindrances.add(pool.settings().title() + ": " + hindrance.get());
      } else {
        nodes += pool.settings().max() - pool.size();
      }
    }
    if (!hindrances.isEmpty()) {
      LOG.info("no node can be added to {}", String.join("; ", hindrances));
    }
    return new Room(nodes, String.join("; ", hindrances));
  }

  /**
   * The pods that a pool gives up, in their order; none where somebody else decides how many it
   * has, or data would be deleted.
   */
  List<String> leaving(PoolState pool) throws EngineException {
    List<String> pods = new ArrayList<>();
    if (owners.refusal(pool).isEmpty() && !LeftClaims.deletes(pool)) {
      for (int index = pool.size() - 1; index >= pool.least(); index--) {
        pods.add(pool.pod(index));
      }
    }
    return pods;
  }

  /** Why a pool can't have one more node now; empty if it can. */
  private Optional<String> hindrance(PoolState pool) throws EngineException {
    if (pool.size() >= pool.settings().max()) {
      return Optional.of("it has all of its " + pool.settings().max() + " nodes");
    }
    for (int index = 0; index < pool.size(); index++) {
      String name = pool.pod(index);
      Optional<Pod> pod = pool.found(name);
      if (pod.filter(Pods::ready).isEmpty()) {
        return Optional.of(
            "its pod %s is not ready: %s"
                .formatted(name, pod.map(Pods::why).orElse("it is not there")));
      }
    }
    Optional<String> busy = busy(pool);
    if (busy.isPresent()) {
      return busy;
    }
    Optional<String> owner = owners.refusal(pool);
    if (owner.isPresent()) {
      return owner;
    }
    List<String> left = claims.ofNext(pool);
    return left.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "its next pod would start on the data of an earlier one; an operator must delete"
                + " PersistentVolumeClaim "
                + String.join(", ", left));
  }

  /** Whether cass-operator is still at work on what it was told before. */
  private static Optional<String> busy(PoolState pool) {
    if (pool.settings().kind() != Kind.CASSANDRA_DATACENTER) {
      return Optional.empty();
    }
    if (pool.text("spec", "stopped").equals("true")) {
      return Optional.of("it is stopped");
    }
    String progress = pool.text("status", "cassandraOperatorProgress");
    return progress.equals(READY)
        ? Optional.empty()
        : Optional.of("cass-operator is still at work on it");
  }

  /** Asks for one more pod, unless the same request has done so. */
  Asked ask(String cluster, String requestId, Profile profile, Pause pause) throws EngineException {
    try {
      Asked asked = asked(cluster, requestId, profile, pause);
      // From here on the list of machines tells of it.
      sent = Optional.empty();
      return asked;
    } catch (UnusableAnswerException e) {
      Optional<String> map = sent;
      if (map.isEmpty()) {
        // Nothing was changed, or only a set, of which the list of machines tells.
        throw e;
      }
      throw new EngineException(
          "%s; ConfigMap %s may have been changed before".formatted(e.getMessage(), map.get()), e);
    }
  }

  private Asked asked(String cluster, String requestId, Profile profile, Pause pause)
      throws EngineException {
    while (true) {
      List<PoolState> pools = new ArrayList<>();
      for (PoolSettings pool : settings.pools()) {
        PoolState now = PoolState.of(pool, api);
        for (Request request : now.open()) {
          if (request.of(cluster, requestId)) {
            return new Asked(pool, request.pod());
          }
        }
        pools.add(now);
      }
      PoolState chosen = chosen(pools, requestId, profile);
      String pod = chosen.pod(chosen.size());
      try {
        if (!profiles.has(chosen.settings(), profile)) {
          String map = chosen.settings().configMap();
          ObjectNode change = profiles.change(chosen.settings(), profile);
          // Before its answer, which may be nonsense though the change was made.
          sent = Optional.of(map);
          api.patchConfigMap(map, change);
        }
        List<Request> requests = new ArrayList<>(chosen.open());
        requests.add(new Request(cluster, requestId, pod, System.currentTimeMillis()));
        ObjectNode patch = patch(chosen, chosen.size() + 1, requests);
        PoolProfile.annotate(chosen, profile, (ObjectNode) patch.get("spec"));
        api.patch(chosen.settings().kind(), chosen.settings().name(), patch);
        return new Asked(chosen.settings(), pod);
      } catch (Api.ConflictException e) {
        again(e, pause);
      }
    }
  }

  /** The first pool with room whose pods get the profile; last those that it must be written to. */
  private PoolState chosen(List<PoolState> pools, String requestId, Profile profile)
      throws EngineException {
    List<String> hindrances = new ArrayList<>();
    List<PoolState> empty = new ArrayList<>();
    for (PoolState pool : pools) {
      boolean has = profiles.has(pool.settings(), profile);
      if (!has && (pool.settings().configMap() == null || pool.size() > 0)) {
        hindrances.add(pool.settings().title() + ": it is for another profile");
        continue;
      }
      Optional<String> hindrance = hindrance(pool);
      if (hindrance.isPresent()) {
        hindrances.add(pool.settings().title() + ": " + hindrance.get());
      } else if (has) {
        return pool;
      } else {
        empty.add(pool);
      }
    }
    if (empty.isEmpty()) {
      throw new EngineException(
          "request %s: no node of profile %s can be added; %s"
              .formatted(requestId, profile.name(), String.join("; ", hindrances)));
    }
    return empty.get(0);
  }

  /** Makes a pool smaller by its last pod; returns at once if this one is not wanted any more. */
  void shrink(PoolSettings pool, String pod, Budgets budgets, Pause pause) throws EngineException {
    while (true) {
      PoolState now = PoolState.of(pool, api);
      if (!now.wants(pod)) {
        return;
      }
      String last = now.pod(now.size() - 1);
      if (!last.equals(pod)) {
        throw new EngineException(
            "pod %s can't be removed: %s gives up its last pod first, which is %s"
                .formatted(pod, pool.title(), last));
      }
      if (now.size() <= now.least()) {
        throw new EngineException(
            "pod %s can't be removed: %s has one node in each rack".formatted(pod, pool.title()));
      }
      owners.check(now);
      LeftClaims.checkKept(now);
      Optional<Pod> found = now.found(pod);
      if (found.isPresent()) {
        budgets.await(found.get(), pause);
      }
      try {
        List<Request> rest =
            now.open().stream().filter(request -> !request.pod().equals(pod)).toList();
        api.patch(pool.kind(), pool.name(), patch(now, now.size() - 1, rest));
        return;
      } catch (Api.ConflictException e) {
        again(e, pause);
      }
    }
  }

  private static void again(Api.ConflictException e, Pause pause) throws EngineException {
    if (!pause.more()) {
      throw e;
    }
    LOG.info("looked at again: {}", e.getMessage());
    pause.pass("a change of Kubernetes");
  }

  private static ObjectNode patch(PoolState pool, int size, List<Request> requests) {
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    ObjectNode metadata = patch.putObject("metadata");
    metadata.put("resourceVersion", pool.resource().getMetadata().getResourceVersion());
    metadata.putObject("annotations").put(Request.ANNOTATION, Request.text(requests));
    patch.putObject("spec").put(pool.settings().kind().count(), size);
    return patch;
  }
}
