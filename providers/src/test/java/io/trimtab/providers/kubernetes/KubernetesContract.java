package io.trimtab.providers.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Profile;
import io.trimtab.providers.KilledController;
import io.trimtab.testkit.provider.ProviderContract;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** The contract on pods, whatever makes them. The controller that is killed is a process. */
abstract class KubernetesContract extends ProviderContract {
  @TempDir Path folder;
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

  /** The controller is killed before it hears that the state was changed, and there is no pod. */
  @Override
  protected void askAndDie(String requestId) {
    kubernetes.controllers.held = true;
    killedAt(pool().kind().kind().toLowerCase(Locale.ROOT) + "s", requestId);
    assertThat(noted(requestId)).isTrue();
    kubernetes.controllers.held = false;
  }

  /**
   * A controller is killed when a change of such a resource is done, and was not answered yet.
   *
   * @param kind in the plural, as in paths
   */
  void killedAt(String kind, String requestId) {
    kubernetes.server.held = kind;
    KilledController.killedWhen(
        () -> kubernetes.server.holding, kubernetes.yaml(pool()), folder, requestId);
    kubernetes.server.held = null;
    kubernetes.server.holding = false;
  }
}
