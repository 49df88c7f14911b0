package io.trimtab.providers.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Profile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The role of the documents is all that a provider needs, and nothing more. */
class KubernetesRoleTest {
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

  @Test
  void theDocumentedRoleIsTheLeast() throws EngineException, IOException, InterruptedException {
    useAStatefulSet();
    useADatacenterBeyondItsQuota();

    assertThat(kubernetes.server.asked).containsExactlyInAnyOrderElementsOf(documented());
  }

  private void useAStatefulSet() throws EngineException {
    kubernetes.configMap("rs");
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
    NodeProvider provider = kubernetes.provider(kubernetes.pool("rs", null, "rs"));
    NodeId node = provider.add("p/new-1", Profile.READ, List.of(), LIMIT);
    provider.persist(node, Profile.WRITE);
    provider.restart(node, LIMIT);
    provider.machines();
    provider.remove(node, LIMIT);
  }

  private void useADatacenterBeyondItsQuota() throws InterruptedException {
    kubernetes.datacenter(2, "Ready");
    while (kubernetes.running(FakeKubernetes.NODES).size() < 2) {
      Thread.sleep(20);
    }
    kubernetes.controllers.quota = 2;
    NodeProvider provider = kubernetes.provider(new PoolSettings(null, "dc1", null, null, 5));
    assertThatThrownBy(() -> provider.add("p/new-1", Profile.READ, List.of(), LIMIT))
        .hasMessageContaining("exceeded quota");
  }

  private Set<String> documented() throws IOException {
    String text = Files.readString(Path.of("..", "docs", "providers.md"));
    int begin = text.indexOf("apiVersion: rbac.authorization.k8s.io/v1");
    assertThat(begin).isPositive();
    Role role =
        kubernetes
            .client
            .getKubernetesSerialization()
            .unmarshal(text.substring(begin, text.indexOf("```", begin)), Role.class);
    Set<String> documented = new TreeSet<>();
    for (PolicyRule rule : role.getRules()) {
      for (String verb : rule.getVerbs()) {
        rule.getResources().forEach(resource -> documented.add(verb + " " + resource));
      }
    }
    return documented;
  }
}
