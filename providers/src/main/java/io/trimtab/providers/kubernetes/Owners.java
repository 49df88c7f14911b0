package io.trimtab.providers.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.autoscaling.v2.CrossVersionObjectReference;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.trimtab.engineapi.EngineException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Who else decides how many nodes a pool has. Where somebody does, the autopilot changes nothing:
 * it would be undone, and then both would go on for ever.
 */
record Owners(Api api, List<String> takeOver) {
  private static final String K8SSANDRA = "k8ssandra.io/cluster-name";

  /**
   * Refuses to change the number of a pool's nodes.
   *
   * @throws EngineException naming who decides it
   */
  void check(PoolState pool) throws EngineException {
    Optional<String> refusal = refusal(pool);
    if (refusal.isPresent()) {
      throw new EngineException(pool.settings().title() + ": " + refusal.get());
    }
  }

  /** Who decides how many nodes a pool has; empty if that may be the autopilot. */
  Optional<String> refusal(PoolState pool) throws EngineException {
    Optional<String> controller = controller(pool.resource());
    if (controller.isPresent()) {
      return controller;
    }
    Optional<String> autoscaler = autoscaler(pool.settings());
    return autoscaler.isPresent() ? autoscaler : manager(pool);
  }

  private static Optional<String> controller(GenericKubernetesResource resource) {
    Optional<String> owner =
        resource.getMetadata().getOwnerReferences().stream()
            .filter(reference -> Boolean.TRUE.equals(reference.getController()))
            .map(reference -> reference.getKind() + " " + reference.getName())
            .findFirst();
    Map<String, String> labels = resource.getMetadata().getLabels();
    Optional<String> k8ssandra =
        Optional.ofNullable(labels == null ? null : labels.get(K8SSANDRA))
            .map(name -> "K8ssandraCluster " + name);
    return owner
        .or(() -> k8ssandra)
        .map(name -> "is controlled by " + name + ", which would undo a change of it");
  }

  private Optional<String> autoscaler(PoolSettings pool) throws EngineException {
    for (HorizontalPodAutoscaler autoscaler : api.autoscalers()) {
      CrossVersionObjectReference target = autoscaler.getSpec().getScaleTargetRef();
      if (target.getKind().equals(pool.kind().kind()) && target.getName().equals(pool.name())) {
        return Optional.of(
            "HorizontalPodAutoscaler %s decides how many nodes it has; delete that, or leave the"
                    .formatted(autoscaler.getMetadata().getName())
                + " number to it");
      }
    }
    return Optional.empty();
  }

  /** Whoever applies its manifests again and again would set the number again. */
  private Optional<String> manager(PoolState pool) {
    String count = pool.settings().kind().count();
    for (ManagedFieldsEntry entry : pool.resource().getMetadata().getManagedFields()) {
      boolean owns =
          entry.getFieldsV1() != null
              && GenericKubernetesResource.get(
                      entry.getFieldsV1().getAdditionalProperties(), "f:spec", "f:" + count)
                  != null;
      if (!owns || Api.MANAGER.equals(entry.getManager())) {
        continue;
      }
      if ("Apply".equals(entry.getOperation())) {
        return Optional.of(
            "its spec.%s is applied by field manager %s; take it out of what that applies"
                .formatted(count, entry.getManager()));
      }
      if (!takeOver.contains(entry.getManager())) {
        return Optional.of(
            "its spec.%s was set by field manager %s; if that will not set it again, add it to"
                    .formatted(count, entry.getManager())
                + " provider.kubernetes.takeOver");
      }
    }
    return Optional.empty();
  }
}
