package io.trimtab.providers.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.Removable;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where somebody else decides, or data are at stake, nothing is changed, and one line says why. */
class KubernetesRefusalsTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final Duration SHORT = Duration.ofSeconds(1);
  private static final String MANAGED =
      "  managedFields: [{manager: %s, operation: %s, fieldsType: FieldsV1, fieldsV1: {\"f:spec\":"
          + " {\"f:replicas\": {}}}}]";

  private FakeKubernetes kubernetes;

  @BeforeEach
  void begin() throws IOException {
    kubernetes = new FakeKubernetes();
  }

  @AfterEach
  void end() throws IOException {
    kubernetes.close();
  }

  private NodeProvider provider() {
    return kubernetes.provider(kubernetes.pool("rs", null, null));
  }

  private static NodeId add(NodeProvider provider, String request) throws EngineException {
    return provider.add(request, Profile.READ, List.of(), LIMIT);
  }

  private static NodeId node(String pod) {
    return new NodeId(FakeKubernetes.NODES.replace("{pod}", pod));
  }

  private static void refused(ThrowingCallable call, String... says) {
    assertThatThrownBy(call)
        .isInstanceOf(EngineException.class)
        .hasMessageContainingAll(says)
        .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));
  }

  /** Of a set with one ready node. */
  private void oneNode(String more) {
    kubernetes.statefulSet("rs", 1, more);
    awaited(() -> kubernetes.running(FakeKubernetes.NODES).size() == 1);
  }

  private static void awaited(Callable<Boolean> holds) {
    try {
      while (!holds.call()) {
        Thread.sleep(10);
      }
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "argocd | Apply | its spec.replicas is applied by field manager argocd; take it out",
        "helm | Update | its spec.replicas was set by field manager helm; if that will not set it",
      })
  void whatAnotherManagerSetsIsNotSet(String manager, String operation, String says)
      throws EngineException {
    oneNode(MANAGED.formatted(manager, operation));

    refused(() -> add(provider(), "p/new-1"), "StatefulSet rs: " + says);
    refused(() -> provider().remove(node("rs-0"), LIMIT), "StatefulSet rs: " + says);
    assertThat(provider().capacity().spare()).isZero();
    assertThat(provider().offer().hindrance())
        .hasValueSatisfying(
            why -> assertThat(why).startsWith("no node can be added: StatefulSet rs: " + says));
    assertThat(provider().offer().removable().allows(node("rs-0"), Set.of(), false)).isFalse();
    assertThat(kubernetes.replicas("rs")).isEqualTo(1);
  }

  @Test
  void aManagerThatOnlySetItOnceMayBeNamed() throws EngineException {
    oneNode(MANAGED.formatted("helm", "Update"));
    KubernetesSettings settings =
        kubernetes.settings(
            FakeKubernetes.NODES, List.of("helm"), kubernetes.pool("rs", null, null));

    assertThat(add(kubernetes.provider(settings), "p/new-1")).isEqualTo(node("rs-1"));
  }

  @Test
  void anAutoscalersNumberIsLeftToIt() throws EngineException {
    oneNode("");
    kubernetes.create(
        """
        apiVersion: autoscaling/v2
        kind: HorizontalPodAutoscaler
        metadata: {name: rs-by-cpu}
        spec:
          maxReplicas: 5
          scaleTargetRef: {apiVersion: apps/v1, kind: StatefulSet, name: rs}
        """);

    refused(() -> add(provider(), "p/new-1"), "HorizontalPodAutoscaler rs-by-cpu decides");
    refused(() -> provider().remove(node("rs-0"), LIMIT), "rs-by-cpu");
    assertThat(provider().spare()).isZero();
    assertThat(kubernetes.replicas("rs")).isEqualTo(1);
  }

  @Test
  void onlyTheLastPodIsRemoved() throws EngineException {
    kubernetes.statefulSet("rs", 3, "");
    awaited(() -> kubernetes.running(FakeKubernetes.NODES).size() == 3);

    refused(
        () -> provider().remove(node("rs-1"), LIMIT),
        "pod rs-1 can't be removed: StatefulSet rs gives up its last pod first, which is rs-2");
    assertThat(kubernetes.replicas("rs")).isEqualTo(3);
    Removable told = provider().offer().removable();
    assertThat(told.rows()).containsExactly(List.of(node("rs-2"), node("rs-1"), node("rs-0")));
    assertThat(told.allows(node("rs-1"), Set.of(), false)).isFalse();
    assertThat(told.allows(node("rs-1"), Set.of(node("rs-2")), false)).isTrue();
    assertThat(told.allows(node("rs-2"), Set.of(), true)).as("after another came").isFalse();
    provider().remove(node("rs-2"), LIMIT);
    assertThat(kubernetes.podNames()).containsExactly("rs-0", "rs-1");
    refused(() -> provider().restart(new NodeId("other:1"), LIMIT), "node other:1 is no pod of");
  }

  @Test
  void aBudgetIsHeldByRemovalsAndRestarts() throws EngineException {
    oneNode("");
    kubernetes.create(
        """
        apiVersion: policy/v1
        kind: PodDisruptionBudget
        metadata: {name: rs-budget}
        spec:
          selector:
            matchLabels: {app: rs}
        status: {disruptionsAllowed: 0}
        """);
    kubernetes.server.evictsNothing = true;

    String says = "pod rs-0: PodDisruptionBudget rs-budget allows no disruption now";
    refused(() -> provider().remove(node("rs-0"), SHORT), says);
    refused(() -> provider().restart(node("rs-0"), SHORT), says);
    assertThat(kubernetes.replicas("rs")).isEqualTo(1);
    assertThat(kubernetes.podNames()).containsExactly("rs-0");
  }

  @Test
  void dataAreNeitherDeletedNorGivenToAnotherNode() throws EngineException {
    kubernetes.create(
        """
        apiVersion: apps/v1
        kind: StatefulSet
        metadata: {name: rs}
        spec:
          replicas: 0
          selector:
            matchLabels: {app: rs}
          volumeClaimTemplates:
          - metadata: {name: data}
        """);
    NodeProvider provider = provider();
    NodeId node = add(provider, "p/new-1");
    provider.remove(node, LIMIT);

    refused(
        () -> add(provider, "p/new-2"), "an operator must delete PersistentVolumeClaim data-rs-0");
    assertThat(kubernetes.replicas("rs")).isZero();
    assertThat(provider.spare()).isZero();
    assertThat(provider().machines()).isEmpty();
    assertThat(kubernetes.told)
        .hasSize(2)
        .allMatch(line -> line.startsWith("PersistentVolumeClaim data-rs-0 has the data of"));

    kubernetes
        .client
        .persistentVolumeClaims()
        .inNamespace(FakeKubernetes.NAMESPACE)
        .withName("data-rs-0")
        .delete();
    assertThat(add(provider, "p/new-2")).isEqualTo(node);
  }

  @Test
  void aSetThatDeletesDataIsNotMadeSmaller() throws EngineException {
    kubernetes.create(
        """
        apiVersion: apps/v1
        kind: StatefulSet
        metadata: {name: rs}
        spec:
          replicas: 1
          selector:
            matchLabels: {app: rs}
          persistentVolumeClaimRetentionPolicy: {whenScaled: Delete, whenDeleted: Retain}
          volumeClaimTemplates:
          - metadata: {name: data}
        """);
    awaited(() -> kubernetes.running(FakeKubernetes.NODES).size() == 1);

    refused(() -> provider().remove(node("rs-0"), LIMIT), "would delete the data of a removed pod");
    assertThat(provider().offer().removable().allows(node("rs-0"), Set.of(), false)).isFalse();
    assertThat(kubernetes.replicas("rs")).isEqualTo(1);
  }

  @Test
  void whatAPodCanNotHaveIsRefused() throws EngineException {
    oneNode("");

    refused(
        () -> provider().add("p/new-1", Profile.READ, List.of(1L), LIMIT),
        "request p/new-1: a pod can't be given tokens; set place.tokens: engine");
    refused(
        () -> provider().replace("p/new-1", node("rs-0"), Profile.READ, LIMIT),
        "is a pod, which Kubernetes itself starts again");
    refused(() -> provider().persist(node("rs-0"), Profile.READ), "has no configMap");
    assertThat(kubernetes.replicas("rs")).isEqualTo(1);
  }

  @Test
  void cassOperatorIsNotDisturbedAtWork() {
    kubernetes.datacenter(2, "Updating");
    NodeProvider provider = kubernetes.provider(new PoolSettings(null, "dc1", null, null, 5));
    awaited(() -> kubernetes.running(FakeKubernetes.NODES).size() == 2);

    refused(() -> add(provider, "p/new-1"), "cass-operator is still at work on it");
    assertThat(kubernetes.podNames()).hasSize(2);
  }

  /** Clusters from nothing are asked for as others are. */
  @Test
  void cassOperatorMakesAndDeletesADatacenterItself() {
    kubernetes.controllers.held = true;
    kubernetes.datacenter(2, "Ready");
    NodeProvider provider = kubernetes.provider(new PoolSettings(null, "dc1", null, null, 5));

    refused(
        () -> add(provider, "slo-shop-1/new-1"),
        "request slo-shop-1/new-1: cass-operator makes the first nodes of CassandraDatacenter dc1");
  }

  @Test
  void aTokenThatCantBeReadAnyMoreIsToldInOneLine() throws Exception {
    oneNode("");
    NodeProvider provider = provider();
    kubernetes.loseToken();

    refused(() -> provider.capacity(), "namespace db, StatefulSet rs: ", "token");
    assertThat(provider.spare()).isZero();
  }

  @Test
  void theWordsOfASchedulerAreOneLine() {
    Pod pod =
        new PodBuilder()
            .withNewMetadata()
            .withName("rs-0")
            .endMetadata()
            .withNewStatus()
            .addNewCondition()
            .withType("PodScheduled")
            .withStatus("False")
            .withReason("Unschedulable")
            .withMessage("0/3 nodes are available:\n\t3 Insufficient memory.")
            .endCondition()
            .endStatus()
            .build();
    assertThat(Pods.why(pod)).isEqualTo("0/3 nodes are available: 3 Insufficient memory.");
  }

  @Test
  void aRightThatIsMissingIsToldInOneLine() throws EngineException {
    oneNode("");
    kubernetes.server.forbidden = "horizontalpodautoscalers";

    refused(
        () -> add(provider(), "p/new-1"),
        "namespace db, HorizontalPodAutoscalers: horizontalpodautoscalers is forbidden");
    assertThat(provider().spare()).isZero();
    assertThat(provider().offer().hindrance())
        .hasValue("no node can be added: the API server does not tell what there is");
    assertThat(provider().offer().removable().allows(node("rs-0"), Set.of(), false)).isFalse();
    refused(
        () -> kubernetes.provider(kubernetes.pool("gone", null, null)).capacity(),
        "StatefulSet gone: is not in namespace db");
  }
}
