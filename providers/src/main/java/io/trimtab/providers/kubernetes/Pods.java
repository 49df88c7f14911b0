package io.trimtab.providers.kubernetes;

import io.fabric8.kubernetes.api.model.ContainerStateWaiting;
import io.fabric8.kubernetes.api.model.ContainerStatus;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodCondition;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** What the status of a pod says. */
final class Pods {
  private Pods() {}

  static boolean ending(Pod pod) {
    return pod.getMetadata().getDeletionTimestamp() != null;
  }

  /** Whether its node runs, as its readiness probe has it. */
  static boolean ready(Pod pod) {
    return !ending(pod)
        && condition(pod, "Ready").filter(c -> "True".equals(c.getStatus())).isPresent();
  }

  /** Why no machine has room for it; empty if one has. */
  static Optional<String> unschedulable(Pod pod) {
    return condition(pod, "PodScheduled")
        .filter(c -> "False".equals(c.getStatus()) && "Unschedulable".equals(c.getReason()))
        .map(c -> Api.oneLine(String.valueOf(c.getMessage())));
  }

  /** Why it is not ready, as far as that is told. */
  static String why(Pod pod) {
    if (ending(pod)) {
      return "it is being ended";
    }
    List<ContainerStatus> containers =
        pod.getStatus() == null ? List.of() : pod.getStatus().getContainerStatuses();
    Optional<String> waiting =
        containers.stream()
            .filter(container -> container.getState() != null)
            .map(container -> container.getState().getWaiting())
            .filter(Objects::nonNull)
            .map(ContainerStateWaiting::getReason)
            .filter(Objects::nonNull)
            .findFirst();
    return unschedulable(pod).or(() -> waiting).orElse("its containers are not ready");
  }

  private static Optional<PodCondition> condition(Pod pod, String type) {
    List<PodCondition> conditions =
        pod.getStatus() == null ? List.of() : pod.getStatus().getConditions();
    return conditions.stream().filter(condition -> type.equals(condition.getType())).findFirst();
  }
}
