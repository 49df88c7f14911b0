package io.trimtab.providers.kubernetes;

import io.fabric8.kubernetes.api.model.Pod;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Profile;
import io.trimtab.testkit.provider.ProviderContract;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The contract on pods, whatever makes them. */
abstract class KubernetesContract extends ProviderContract {
  FakeKubernetes kubernetes;

  @BeforeEach
  void begin() throws IOException {
    kubernetes = new FakeKubernetes();
    prepare();
  }

  @AfterEach
  void end() throws IOException {
    kubernetes.close();
  }

  /** Creates the resources of the pool. */
  abstract void prepare();

  abstract PoolSettings pool();

  /** Whether a request of this id is noted already. */
  abstract boolean noted(String requestId);

  @Override
  protected NodeProvider provider() {
    return kubernetes.provider(pool());
  }

  @Override
  protected Set<NodeId> running() {
    return kubernetes.running(FakeKubernetes.NODES).keySet();
  }

  private Pod pod(NodeId node) {
    String name = new NodeTemplate(FakeKubernetes.NODES).pod(node).orElseThrow();
    return kubernetes.pods().stream()
        .filter(pod -> pod.getMetadata().getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @Override
  protected long process(NodeId node) {
    return FakeControllers.process(pod(node));
  }

  @Override
  protected Optional<Profile> profile(NodeId node) {
    String name = FakeControllers.profile(pod(node));
    return Profile.STANDARD.stream().filter(profile -> profile.name().equals(name)).findFirst();
  }

  /** Kubernetes starts a dead node's pod again, under the same name. */
  @Override
  protected boolean replaces() {
    return false;
  }

  @Override
  protected void kill(NodeId node) {
    throw new UnsupportedOperationException("no test of a provider that replaces nothing does");
  }

  /** After the desired state was changed, and before there is a pod. */
  @Override
  protected void askAndDie(String requestId) throws EngineException {
    kubernetes.controllers.held = true;
    askAndInterrupt(requestId, () -> noted(requestId));
    kubernetes.controllers.held = false;
  }
}
