package io.trimtab.providers.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.Removable;
import java.util.List;
import org.junit.jupiter.api.Test;

class CassandraDatacenterContractTest extends KubernetesContract {
  private static final int NODES = 2;

  @Override
  void prepare() {
    kubernetes.datacenter(NODES, "Ready");
    try {
      while (running().size() < NODES) {
        Thread.sleep(10);
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  PoolSettings pool() {
    return new PoolSettings(null, "dc1", null, null, 5);
  }

  /** It would be a rolling restart of all its nodes by cass-operator. */
  @Override
  protected boolean persists() {
    return false;
  }

  @Override
  boolean noted(String requestId) {
    return kubernetes
        .client
        .genericKubernetesResources(Kind.CASSANDRA_DATACENTER.context())
        .inNamespace(FakeKubernetes.NAMESPACE)
        .withName("dc1")
        .get()
        .getMetadata()
        .getAnnotations()
        .getOrDefault(Request.ANNOTATION, "")
        .contains("\"" + requestId + "\"");
  }

  @Test
  void nodesComeAndGoInTheTurnOfTheRacks() throws EngineException {
    NodeId third = provider().add("p/new-1", Profile.READ, List.of(), LIMIT);
    NodeId fourth = provider().add("p/new-2", Profile.READ, List.of(), LIMIT);

    assertThat(third.name()).startsWith("c-dc1-r1-sts-1.");
    assertThat(fourth.name()).startsWith("c-dc1-r2-sts-1.");
    assertThatThrownBy(() -> provider().remove(third, LIMIT))
        .isInstanceOf(EngineException.class)
        .hasMessage(
            "pod c-dc1-r1-sts-1 can't be removed: CassandraDatacenter dc1 gives up its last pod"
                + " first, which is c-dc1-r2-sts-1");
    Removable told = provider().offer().removable();
    assertThat(told.rows()).as("one stays in each rack").containsExactly(List.of(fourth, third));
    provider().remove(fourth, LIMIT);
    provider().remove(third, LIMIT);
    assertThatThrownBy(() -> provider().remove(new NodeId("c-dc1-r2-sts-0.rs.db.svc:16020"), LIMIT))
        .hasMessageContaining("CassandraDatacenter dc1 has one node in each rack");
    assertThat(running()).hasSize(NODES);
  }

  @Test
  void theSetOfARackIsNotToBeScaledByItself() {
    assertThatThrownBy(
            () ->
                kubernetes
                    .provider(kubernetes.pool("c-dc1-r1-sts", null, null))
                    .add("p/new-1", Profile.READ, List.of(), LIMIT))
        .hasMessageContaining("is controlled by CassandraDatacenter dc1");
    assertThat(kubernetes.replicas("c-dc1-r1-sts")).isEqualTo(1);
  }
}
