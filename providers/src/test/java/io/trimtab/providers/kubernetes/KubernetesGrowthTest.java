package io.trimtab.providers.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Machine;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Profile;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pods that do not come, answers that are lost, and pools of several profiles. */
class KubernetesGrowthTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

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

  private NodeId add(String request) throws EngineException {
    return provider().add(request, Profile.READ, List.of(), LIMIT);
  }

  private static NodeId node(String pod) {
    return new NodeId(FakeKubernetes.NODES.replace("{pod}", pod));
  }

  @Test
  void aPodThatFindsNoMachineIsToldAndNoOtherIsAskedForMeanwhile() throws EngineException {
    kubernetes.statefulSet("rs", 0, "");
    add("p/new-1");
    kubernetes.controllers.machines = 1;

    assertThatThrownBy(() -> add("p/new-2"))
        .isInstanceOf(EngineException.class)
        .hasMessage(
            "pod rs-1 finds no machine: 0/3 nodes are available: 3 Insufficient memory.; it stays"
                + " wanted");
    assertThat(provider().spare()).isZero();
    assertThatThrownBy(() -> add("q/new-1")).hasMessageContaining("its pod rs-1 is not ready");
    assertThat(kubernetes.replicas("rs")).isEqualTo(2);
    assertThat(provider().machines())
        .extracting(Machine::state)
        .as("the last pod first, as they can be given back")
        .containsExactly(Machine.State.STARTING, Machine.State.RUNNING);

    kubernetes.controllers.machines = 2;
    assertThat(add("p/new-2")).isEqualTo(node("rs-1"));
  }

  @Test
  void aPodBeyondTheQuotaIsToldInTheQuotasWords() throws EngineException {
    kubernetes.statefulSet("rs", 0, "");
    add("p/new-1");
    kubernetes.controllers.quota = 1;

    assertThatThrownBy(() -> add("p/new-2"))
        .isInstanceOf(EngineException.class)
        .hasMessageStartingWith("pod rs-1 can't be created: ")
        .hasMessageContaining("exceeded quota: pods")
        .satisfies(e -> assertThat(e.getMessage().lines()).hasSize(1));

    Machine left = provider().machines().get(0);
    assertThat(left.requestId()).isEqualTo("p/new-2");
    provider().release(left, LIMIT);
    assertThat(kubernetes.replicas("rs")).isEqualTo(1);
    assertThat(provider().spare()).isEqualTo(2);
  }

  @Test
  void aPodThatIsNotReadyInTimeIsToldWithItsState() {
    kubernetes.statefulSet("rs", 0, "");
    kubernetes.controllers.healthy = false;

    assertThatThrownBy(
            () -> provider().add("p/new-1", Profile.READ, List.of(), Duration.ofSeconds(2)))
        .isInstanceOf(EngineException.class)
        .hasMessage("pod rs-0 is not ready in time: its containers are not ready");
  }

  @Test
  void aPodThatSomebodyElseTakesAwayIsNotWaitedFor() throws Exception {
    kubernetes.statefulSet("rs", 0, "");
    kubernetes.controllers.held = true;
    CompletableFuture<String> end =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return add("p/new-1").name();
              } catch (EngineException e) {
                return e.getMessage();
              }
            });
    while (kubernetes.replicas("rs") == 0) {
      Thread.sleep(10);
    }
    kubernetes
        .client
        .apps()
        .statefulSets()
        .inNamespace(FakeKubernetes.NAMESPACE)
        .withName("rs")
        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"spec\":{\"replicas\":0}}");

    assertThat(end.get())
        .isEqualTo("pod rs-0 is wanted no more: somebody else has set StatefulSet rs to 0");
    assertThat(provider().machines()).isEmpty();
    kubernetes.controllers.held = false;
    assertThat(add("p/new-1")).isEqualTo(node("rs-0"));
  }

  @Test
  void whoWasSlowerLooksAgainAndALostAnswerIsNoSecondNode() throws EngineException {
    kubernetes.statefulSet("rs", 0, "");
    kubernetes.server.conflicts.set(2);
    kubernetes.server.lost.set(1);

    assertThat(add("p/new-1")).isEqualTo(node("rs-0"));
    assertThat(kubernetes.server.lost.get()).isZero();
    assertThat(kubernetes.replicas("rs")).isEqualTo(1);
    assertThat(provider().machines()).hasSize(1);
  }

  @Test
  void aNodeOfAProfileIsAddedToThePoolOfThatProfile() throws EngineException {
    kubernetes.statefulSet("read", 1, "");
    kubernetes.statefulSet("write", 1, "");
    NodeProvider provider =
        kubernetes.provider(
            kubernetes.pool("read", "READ", null), kubernetes.pool("write", "WRITE", null));
    waitForTwo();

    assertThat(provider.add("p/new-1", Profile.WRITE, List.of(), LIMIT)).isEqualTo(node("write-1"));
    assertThat(provider.add("p/new-2", Profile.READ, List.of(), LIMIT)).isEqualTo(node("read-1"));
    assertThatThrownBy(() -> provider.add("p/new-3", Profile.SCAN, List.of(), LIMIT))
        .hasMessage(
            "request p/new-3: no node of profile SCAN can be added; StatefulSet read: it is for"
                + " another profile; StatefulSet write: it is for another profile");
    provider.persist(node("read-1"), Profile.READ);
    assertThatThrownBy(() -> provider.persist(node("read-1"), Profile.WRITE))
        .hasMessageContaining("StatefulSet read is for nodes of profile READ");
    assertThat(provider.capacity().spare()).isEqualTo(2);
    assertThat(provider.capacity().quota()).hasValue(6);
    assertThat(provider.offer().hourlyPrice()).as("decisions know it, too").hasValue(0.5);
  }

  private void waitForTwo() {
    while (kubernetes.running(FakeKubernetes.NODES).size() < 2) {
      Thread.onSpinWait();
    }
  }

  @Test
  void aStoredProfileIsThatOfAllNodes() throws EngineException {
    kubernetes.configMap("rs");
    kubernetes.statefulSet("rs", 0, "");
    NodeProvider provider = kubernetes.provider(kubernetes.pool("rs", null, "rs"));
    NodeId first = provider.add("p/new-1", Profile.READ, List.of(), LIMIT);
    provider.add("p/new-2", Profile.READ, List.of(), LIMIT);

    assertThatThrownBy(() -> provider.persist(first, Profile.WRITE))
        .hasMessageContaining("the profile of StatefulSet rs is that of all its 2 nodes");
    assertThatThrownBy(() -> provider.add("p/new-3", Profile.WRITE, List.of(), LIMIT))
        .hasMessageContaining("it is for another profile");
    assertThat(template("rs")).isNull();
  }

  /** With any other strategy than OnDelete it would be a rolling restart. */
  @Test
  void theTemplateIsAnnotatedWhereThatRestartsNothing() throws EngineException {
    kubernetes.configMap("rs");
    kubernetes.create(
        """
        apiVersion: apps/v1
        kind: StatefulSet
        metadata: {name: rs}
        spec:
          replicas: 0
          updateStrategy: {type: OnDelete}
          selector:
            matchLabels: {app: rs}
          template:
            metadata: {labels: {app: rs}}
        """);
    NodeProvider provider = kubernetes.provider(kubernetes.pool("rs", null, "rs"));
    NodeId node = provider.add("p/new-1", Profile.READ, List.of(), LIMIT);
    assertThat(template("rs")).isEqualTo("READ");
    provider.persist(node, Profile.WRITE);
    assertThat(template("rs")).isEqualTo("WRITE");
  }

  private String template(String set) {
    var template =
        kubernetes
            .client
            .apps()
            .statefulSets()
            .inNamespace(FakeKubernetes.NAMESPACE)
            .withName(set)
            .get()
            .getSpec()
            .getTemplate();
    return template == null
        ? null
        : template.getMetadata().getAnnotations().get("trimtab.io/profile");
  }

  @Test
  void aNodeThatChangesItsAddressWithARestartIsTold() throws EngineException {
    kubernetes.statefulSet("rs", 0, "");
    NodeProvider provider =
        kubernetes.provider(
            kubernetes.settings("{ip}:7000", List.of(), kubernetes.pool("rs", null, null)));
    NodeId node = provider.add("p/new-1", Profile.READ, List.of(), LIMIT);

    assertThat(node).isEqualTo(new NodeId("10.0.0.1:7000"));
    assertThatThrownBy(() -> provider.restart(node, LIMIT))
        .isInstanceOf(EngineException.class)
        .hasMessage(
            "pod rs-0 was node 10.0.0.1:7000 and has come back as 10.0.0.2:7000: nodes need"
                + " addresses that they keep");
  }
}
