package io.trimtab.providers.kubernetes;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.trimtab.engineapi.EngineException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * A pool as it was found. Its pods come in one order and go in the reverse one: by ordinal, and
 * where there are racks, in turn through these, as cass-operator spreads {@code spec.size}.
 *
 * @param resource the StatefulSet or CassandraDatacenter
 * @param sets the StatefulSet itself, or those of the racks in the racks' order
 * @param size nodes that are wanted
 * @param requests for its pods, those included that are not wanted any more
 * @param pods that exist, by name
 */
record PoolState(
    PoolSettings settings,
    GenericKubernetesResource resource,
    List<GenericKubernetesResource> sets,
    int size,
    List<Request> requests,
    Map<String, Pod> pods) {

  private static final String RACK = "cassandra.datastax.com/rack";

  /** Looks at a pool. */
  static PoolState of(PoolSettings settings, Api api) throws EngineException {
    GenericKubernetesResource resource = api.workload(settings.kind(), settings.name());
    List<GenericKubernetesResource> sets =
        settings.kind() == Kind.STATEFUL_SET ? List.of(resource) : racks(settings, resource, api);
    Map<String, Pod> pods = new TreeMap<>();
    for (GenericKubernetesResource set : sets) {
      for (Pod pod : api.pods(selector(set))) {
        pods.put(pod.getMetadata().getName(), pod);
      }
    }
    String annotation =
        Optional.ofNullable(resource.getMetadata().getAnnotations())
            .map(all -> all.get(Request.ANNOTATION))
            .orElse(null);
    return new PoolState(
        settings,
        resource,
        sets,
        number(resource, 1, "spec", settings.kind().count()),
        Request.read(settings.title(), annotation),
        pods);
  }

  private static List<GenericKubernetesResource> racks(
      PoolSettings settings, GenericKubernetesResource datacenter, Api api) throws EngineException {
    List<GenericKubernetesResource> own =
        api.statefulSets().stream()
            .filter(
                set ->
                    set.getMetadata().getOwnerReferences().stream()
                        .anyMatch(
                            owner -> owner.getUid().equals(datacenter.getMetadata().getUid())))
            .toList();
    List<GenericKubernetesResource> sets = new ArrayList<>();
    for (String rack : rackNames(datacenter)) {
      sets.add(
          own.stream()
              .filter(set -> rack.equals(set.getMetadata().getLabels().get(RACK)))
              .findFirst()
              .orElseThrow(
                  () ->
                      new EngineException(
                          "%s: cass-operator has made no StatefulSet of rack %s yet"
                              .formatted(settings.title(), rack))));
    }
    return sets;
  }

  private static List<String> rackNames(GenericKubernetesResource datacenter) {
    List<Map<String, Object>> racks = datacenter.get("spec", "racks");
    return racks == null || racks.isEmpty()
        ? List.of("default")
        : racks.stream().map(rack -> String.valueOf(rack.get("name"))).toList();
  }

  private static LabelSelector selector(GenericKubernetesResource set) {
    Map<String, String> labels = set.get("spec", "selector", "matchLabels");
    return new LabelSelectorBuilder().withMatchLabels(labels).build();
  }

  private static int number(GenericKubernetesResource resource, int missing, Object... path) {
    Object value = GenericKubernetesResource.get(resource.getAdditionalProperties(), path);
    return value instanceof Number n ? n.intValue() : missing;
  }

  /** The name of the pod that is the pool's only one at index 0, and the last of more after it. */
  String pod(int index) {
    GenericKubernetesResource set = sets.get(index % sets.size());
    int first = number(set, 0, "spec", "ordinals", "start");
    return set.getMetadata().getName() + "-" + (first + index / sets.size());
  }

  /** The index of a pod that exists, is wanted or may be wanted; empty if it is another pool's. */
  OptionalInt index(String pod) {
    int end = Math.max(size, settings.max());
    for (int index = 0; index < end; index++) {
      if (pod(index).equals(pod)) {
        return OptionalInt.of(index);
      }
    }
    return OptionalInt.empty();
  }

  boolean wants(String pod) {
    OptionalInt index = index(pod);
    return index.isPresent() && index.getAsInt() < size;
  }

  Optional<Pod> found(String pod) {
    return Optional.ofNullable(pods.get(pod));
  }

  /** The fewest nodes that it can have. */
  int least() {
    return settings.kind() == Kind.STATEFUL_SET ? 0 : sets.size();
  }

  /** The requests for pods that are still wanted. */
  List<Request> open() {
    return requests.stream().filter(request -> wants(request.pod())).toList();
  }

  /** The names of the volume claims that a pod has, if it has any. */
  List<String> claims(String pod) {
    List<Map<String, Object>> templates = sets.get(0).get("spec", "volumeClaimTemplates");
    List<String> claims = new ArrayList<>();
    if (templates != null) {
      for (Map<String, Object> template : templates) {
        Object name = GenericKubernetesResource.get(template, "metadata", "name");
        claims.add(name + "-" + pod);
      }
    }
    return claims;
  }

  /** A text of the resource; empty if it is not there. */
  String text(Object... path) {
    Object value = GenericKubernetesResource.get(resource.getAdditionalProperties(), path);
    return value == null ? "" : value.toString();
  }
}
