package io.trimtab.providers.kubernetes;

import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.Pod;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.providers.Pause;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;

/** The wait for a pod whose desired state is set: it may find no room, no quota, or no health. */
final class Arrival {
  private final Api api;
  private final KubernetesSettings settings;
  private final PoolSettings pool;
  private final String pod;
  private final String before;
  private long stalledNs;
  private boolean stalled;

  /**
   * @param before uid of the pod of the same name that is not waited for; empty if there is none
   */
  Arrival(Api api, KubernetesSettings settings, PoolSettings pool, String pod, String before) {
    this.api = api;
    this.settings = settings;
    this.pool = pool;
    this.pod = pod;
    this.before = before;
  }

  /** The node of the pod, once it is ready. */
  NodeId await(Pause pause) throws EngineException {
    while (true) {
      PoolState now = PoolState.of(pool, api);
      if (!now.wants(pod)) {
        throw new EngineException(
            "pod %s is wanted no more: somebody else has set %s to %d"
                .formatted(pod, pool.title(), now.size()));
      }
      Optional<Pod> found =
          now.found(pod).filter(other -> !other.getMetadata().getUid().equals(before));
      Optional<NodeId> node =
          found
              .filter(Pods::ready)
              .flatMap(ready -> new NodeTemplate(settings.node()).node(pod, Optional.of(ready)));
      if (node.isPresent()) {
        return node.get();
      }
      checkPlace(found);
      if (!pause.more()) {
        throw new EngineException(
            "pod %s is not ready in time: %s"
                .formatted(pod, found.map(Pods::why).orElseGet(() -> "it is not there")));
      }
      pause.pass("the wait for pod " + pod);
    }
  }

  /** A place may yet be made for it, by whoever adds machines; but not for ever. */
  private void checkPlace(Optional<Pod> found) throws EngineException {
    Optional<String> unschedulable = found.flatMap(Pods::unschedulable);
    if (found.isPresent() && unschedulable.isEmpty()) {
      stalled = false;
      return;
    }
    if (!stalled) {
      stalled = true;
      stalledNs = System.nanoTime();
    }
    if (Duration.ofNanos(System.nanoTime() - stalledNs).compareTo(settings.placement()) < 0) {
      return;
    }
    if (unschedulable.isPresent()) {
      throw new EngineException(
          "pod %s finds no machine: %s; it stays wanted".formatted(pod, unschedulable.get()));
    }
    Optional<String> failure = failure();
    if (failure.isPresent()) {
      throw new EngineException(
          "pod %s can't be created: %s; it stays wanted"
              .formatted(pod, Api.oneLine(failure.get())));
    }
  }

  /** What the controller of the StatefulSet last said of pods that it could not create. */
  private Optional<String> failure() throws EngineException {
    String set = pod.substring(0, pod.lastIndexOf('-'));
    return api.events().stream()
        .filter(event -> "FailedCreate".equals(event.getReason()))
        .filter(event -> set.equals(event.getInvolvedObject().getName()))
        .filter(event -> event.getMessage() != null && event.getMessage().contains(pod))
        .max(Comparator.comparing(event -> String.valueOf(event.getLastTimestamp())))
        .map(Event::getMessage);
  }
}
