package io.trimtab.providers.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.trimtab.engineapi.EngineException;
import io.trimtab.providers.Pause;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * PodDisruptionBudgets. Kubernetes holds them at an eviction; a set that is made smaller ends its
 * last pod without asking them, so they are asked here.
 */
record Budgets(Api api) {

  /** Waits until no budget forbids the end of a pod; one that is not ready disturbs nobody. */
  void await(Pod pod, Pause pause) throws EngineException {
    String name = pod.getMetadata().getName();
    while (Pods.ready(pod)) {
      Optional<String> forbids = forbidding(name).stream().findFirst();
      if (forbids.isEmpty()) {
        return;
      }
      if (!pause.more()) {
        throw forbidden(name, forbids.get());
      }
      pause.pass("the wait for PodDisruptionBudget " + forbids.get());
    }
  }

  /** Evicts a pod as soon as its budgets allow it. */
  void evict(Pod pod, Pause pause) throws EngineException {
    String name = pod.getMetadata().getName();
    while (!api.evict(name, pod.getMetadata().getUid())) {
      if (!pause.more()) {
        throw forbidden(name, String.join(", ", forbidding(name)));
      }
      pause.pass("the wait for the PodDisruptionBudget of pod " + name);
    }
  }

  private static EngineException forbidden(String pod, String budget) {
    return new EngineException(
        "pod %s: PodDisruptionBudget %s allows no disruption now".formatted(pod, budget));
  }

  /** The budgets that allow no disruption of a pod now; the API server tells whose pods it is. */
  private List<String> forbidding(String pod) throws EngineException {
    List<String> forbidding = new ArrayList<>();
    for (PodDisruptionBudget budget : api.budgets()) {
      boolean allows =
          budget.getStatus() != null
              && budget.getStatus().getDisruptionsAllowed() != null
              && budget.getStatus().getDisruptionsAllowed() > 0;
      if (!allows
          && budget.getSpec().getSelector() != null
          && api.pods(budget.getSpec().getSelector()).stream()
              .anyMatch(own -> own.getMetadata().getName().equals(pod))) {
        forbidding.add(budget.getMetadata().getName());
      }
    }
    return forbidding;
  }
}
