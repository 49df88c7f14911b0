package io.trimtab.providers.kubernetes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscaler;
import io.fabric8.kubernetes.api.model.policy.v1.EvictionBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.trimtab.config.Redaction;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeProvider.UnusableAnswerException;
import io.trimtab.host.connect.RefusedCertificate;
import io.trimtab.providers.UntrustedServiceException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The requests to the API server, all in one namespace; their errors are one line each.
 *
 * @param authorities what names those whose certificates are trusted, for errors
 */
record Api(KubernetesClient client, String namespace, String authorities) {
  /** The name under which the API server notes which fields the autopilot has set. */
  static final String MANAGER = "trimtab";

  private static final int WORDS_MAX = 400;

  private static final PatchContext MERGE =
      new PatchContext.Builder()
          .withPatchType(PatchType.JSON_MERGE)
          .withFieldManager(MANAGER)
          .build();

  /** Somebody else has changed a resource since it was read; nothing was changed. */
  static final class ConflictException extends EngineException {
    private static final long serialVersionUID = 1L;

    ConflictException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** A StatefulSet or a CassandraDatacenter; the API server has a number of nodes for each. */
  GenericKubernetesResource workload(Kind kind, String name) throws EngineException {
    String what = kind.kind() + " " + name;
    Optional<GenericKubernetesResource> found =
        named(
            what,
            name,
            () ->
                client
                    .genericKubernetesResources(kind.context())
                    .inNamespace(namespace)
                    .withName(name)
                    .get());
    GenericKubernetesResource workload = found.orElseThrow(() -> missing(what));
    Object count = workload.get("spec", kind.count());
    if (!(count instanceof Integer nodes) || nodes < 0) {
      throw senseless(what, "has no number of nodes in spec." + kind.count());
    }
    return workload;
  }

  List<GenericKubernetesResource> statefulSets() throws EngineException {
    return listed(
        "StatefulSets",
        () ->
            client
                .genericKubernetesResources(Kind.STATEFUL_SET.context())
                .inNamespace(namespace)
                .list());
  }

  /**
   * Changes a StatefulSet or a CassandraDatacenter.
   *
   * @param patch a merge patch; with a resourceVersion it is refused if the resource has changed
   * @throws ConflictException if it was refused for that
   */
  void patch(Kind kind, String name, ObjectNode patch) throws EngineException {
    call(
        kind.kind() + " " + name,
        () ->
            client
                .genericKubernetesResources(kind.context())
                .inNamespace(namespace)
                .withName(name)
                .patch(MERGE, patch.toString()));
  }

  List<Pod> pods(LabelSelector selector) throws EngineException {
    return listed(
        "pods", () -> client.pods().inNamespace(namespace).withLabelSelector(selector).list());
  }

  /**
   * Asks for the end of a pod; returns whether it ends or has ended, or else its
   * PodDisruptionBudget does not allow it now.
   *
   * @param uid of the very pod: its successor of the same name stays
   */
  boolean evict(String pod, String uid) throws EngineException {
    return call(
        "pod " + pod,
        () -> {
          try {
            return client
                .pods()
                .inNamespace(namespace)
                .withName(pod)
                .evict(
                    new EvictionBuilder()
                        .withNewMetadata()
                        .withName(pod)
                        .withNamespace(namespace)
                        .endMetadata()
                        .withDeleteOptions(
                            new DeleteOptionsBuilder()
                                .withNewPreconditions()
                                .withUid(uid)
                                .endPreconditions()
                                .build())
                        .build());
          } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND
                || e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
              return true;
            }
            throw e;
          }
        });
  }

  ConfigMap configMap(String name) throws EngineException {
    String what = "ConfigMap " + name;
    return named(what, name, () -> client.configMaps().inNamespace(namespace).withName(name).get())
        .orElseThrow(() -> missing(what));
  }

  /** Changes a ConfigMap, as {@link #patch}. */
  void patchConfigMap(String name, ObjectNode patch) throws EngineException {
    call(
        "ConfigMap " + name,
        () ->
            client
                .configMaps()
                .inNamespace(namespace)
                .withName(name)
                .patch(MERGE, patch.toString()));
  }

  Optional<PersistentVolumeClaim> claim(String name) throws EngineException {
    return named(
        "PersistentVolumeClaim " + name,
        name,
        () -> client.persistentVolumeClaims().inNamespace(namespace).withName(name).get());
  }

  List<PersistentVolumeClaim> claims(String label, String value) throws EngineException {
    return listed(
        "PersistentVolumeClaims",
        () ->
            client.persistentVolumeClaims().inNamespace(namespace).withLabel(label, value).list());
  }

  void patchClaim(String name, ObjectNode patch) throws EngineException {
    call(
        "PersistentVolumeClaim " + name,
        () ->
            client
                .persistentVolumeClaims()
                .inNamespace(namespace)
                .withName(name)
                .patch(MERGE, patch.toString()));
  }

  List<HorizontalPodAutoscaler> autoscalers() throws EngineException {
    return listed(
        "HorizontalPodAutoscalers",
        () -> client.autoscaling().v2().horizontalPodAutoscalers().inNamespace(namespace).list());
  }

  List<PodDisruptionBudget> budgets() throws EngineException {
    return listed(
        "PodDisruptionBudgets",
        () -> client.policy().v1().podDisruptionBudget().inNamespace(namespace).list());
  }

  List<Event> events() throws EngineException {
    return listed("events", () -> client.v1().events().inNamespace(namespace).list());
  }

  private EngineException missing(String what) {
    return new EngineException(what + ": is not in namespace " + namespace);
  }

  /** A resource; empty if there is none. */
  private <T extends HasMetadata> Optional<T> named(String what, String name, Supplier<T> request)
      throws EngineException {
    Optional<T> found = Optional.ofNullable(call(what, request));
    if (found.isPresent()) {
      T resource = found.get();
      // Without a version a change of it would be made whatever it has become meanwhile.
      if (!isWhole(resource)
          || !name.equals(resource.getMetadata().getName())
          || resource.getMetadata().getResourceVersion() == null) {
        throw senseless(what, "is another resource, or lacks its uid or version");
      }
    }
    return found;
  }

  private <T extends HasMetadata> List<T> listed(
      String what, Supplier<KubernetesResourceList<T>> request) throws EngineException {
    List<T> items = call(what, request).getItems();
    if (items == null) {
      // As some write an empty list.
      return List.of();
    }
    if (!items.stream().allMatch(Api::isWhole)) {
      throw senseless(what, "lists a resource without its name or uid");
    }
    return items;
  }

  private static boolean isWhole(HasMetadata resource) {
    return resource != null
        && resource.getMetadata() != null
        && resource.getMetadata().getName() != null
        && resource.getMetadata().getUid() != null;
  }

  private UnusableAnswerException senseless(String what, String problem) {
    return new UnusableAnswerException(
        "namespace %s, %s: the API server's answer %s".formatted(namespace, what, problem));
  }

  private <T> T call(String what, Supplier<T> request) throws EngineException {
    try {
      return request.get();
    } catch (KubernetesClientException e) {
      Optional<JsonProcessingException> parser = unreadable(e);
      if (parser.isPresent()) {
        // Without the parser's error, which quotes the answer: it goes to logs.
        throw senseless(what, "is not the JSON that was asked for" + Redaction.place(parser.get()));
      }
      Optional<String> refused = RefusedCertificate.line(e, authorities);
      if (refused.isPresent()) {
        throw new UntrustedServiceException(
            "namespace %s, %s: %s: %s".formatted(namespace, what, server(), refused.get()), e);
      }
      String message = "namespace %s, %s: %s".formatted(namespace, what, oneLine(e));
      if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
        throw new ConflictException(message, e);
      }
      throw new EngineException(message, e);
    } catch (UserError | UncheckedIOException e) {
      // A token that can't be read any more.
      String why = oneLine(String.valueOf(e.getMessage()));
      throw new EngineException("namespace %s, %s: %s".formatted(namespace, what, why), e);
    }
  }

  /** What the parser says of an answer of success; of any other the client reads what it can. */
  private static Optional<JsonProcessingException> unreadable(KubernetesClientException e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof JsonProcessingException parser) {
        return Optional.of(parser);
      }
    }
    return Optional.empty();
  }

  /** Without what a URL may have beside it. */
  private String server() {
    return "the API server at " + client.getMasterUrl().getAuthority();
  }

  /** What the API server says, or why it was not reached, and where. */
  private String oneLine(KubernetesClientException e) {
    String words = e.getStatus() == null ? null : e.getStatus().getMessage();
    if (words == null || words.isBlank()) {
      Throwable deepest = e;
      while (deepest.getCause() != null) {
        deepest = deepest.getCause();
      }
      words = server() + ": " + said(deepest);
    }
    return oneLine(words);
  }

  private static String said(Throwable problem) {
    return problem.getMessage() == null ? problem.toString() : problem.getMessage();
  }

  /** Words of Kubernetes, shortened. */
  static String oneLine(String words) {
    return words.substring(0, Math.min(WORDS_MAX, words.length())).replaceAll("\\p{Cntrl}+", " ");
  }
}
