package io.trimtab.providers.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import java.util.List;
import org.junit.jupiter.api.Test;

class StatefulSetContractTest extends KubernetesContract {
  @Override
  void prepare() {
    kubernetes.configMap("rs");
    kubernetes.statefulSet("rs", 0, "");
  }

  @Override
  PoolSettings pool() {
    return kubernetes.pool("rs", null, "rs");
  }

  @Override
  boolean noted(String requestId) {
    return kubernetes
        .client
        .apps()
        .statefulSets()
        .inNamespace(FakeKubernetes.NAMESPACE)
        .withName("rs")
        .get()
        .getMetadata()
        .getAnnotations()
        .getOrDefault(Request.ANNOTATION, "")
        .contains("\"" + requestId + "\"");
  }

  @Test
  void aControllerThatIsKilledWhenTheProfileIsStoredHasAskedForNoPod() throws EngineException {
    killedAt("configmaps", "p/new-1");
    assertThat(kubernetes.replicas("rs")).isZero();
    assertThat(provider().machines()).isEmpty();

    NodeId node = provider().add("p/new-1", Profile.READ, List.of(), LIMIT);
    assertThat(running()).containsExactly(node);
    assertThat(provider().machines()).hasSize(1);
  }
}
