package io.trimtab.cli.node;

import io.trimtab.clikit.ClusterAddress;
import io.trimtab.clikit.ClusterHandle;
import io.trimtab.engineapi.ControlAccess;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Profile;
import io.trimtab.engineapi.connect.ConnectionStep;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.providers.ProviderContext;
import io.trimtab.providers.ProviderSection;
import io.trimtab.providers.Providers;
import io.trimtab.runtime.ports.StateDir;
import io.trimtab.sources.MetricsConfig;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A cluster whose nodes are started and stopped by the provider of a file. The provider looks at it
 * through the engine that was connected last.
 */
public final class ProvidedCluster implements ClusterHandle {
  private final ClusterHandle cluster;
  private final ProviderSection section;
  private volatile Engine engine;

  public ProvidedCluster(ClusterHandle cluster, ProviderSection section) {
    this.cluster = cluster;
    this.section = section;
  }

  @Override
  public String label() {
    return cluster.label();
  }

  @Override
  public Engine connect() throws EngineException {
    Engine connected = cluster.connect();
    engine = connected;
    return connected;
  }

  @Override
  public ControlAccess control() throws EngineException {
    return cluster.control();
  }

  @Override
  public Optional<MetricsConfig> metrics() {
    return cluster.metrics();
  }

  @Override
  public Optional<NodeProvider> provider() {
    return provider(line -> {});
  }

  @Override
  public Optional<NodeProvider> provider(Consumer<String> notices) {
    ProviderContext context =
        new ProviderContext(
            this::look,
            new ProviderContext.Words(cluster.nodeWord(), cluster::settingsOf),
            clusterId -> StateDir.of(clusterId).folder(),
            notices);
    return Optional.of(Providers.of(section, context));
  }

  private ClusterSnapshot look() throws EngineException {
    Engine connected = engine;
    if (connected == null) {
      throw new EngineException(label() + " is not connected, so its provider can't look at it");
    }
    return connected.snapshot();
  }

  @Override
  public String nodeWord() {
    return cluster.nodeWord();
  }

  @Override
  public Map<String, String> settingsOf(Profile profile) {
    return cluster.settingsOf(profile);
  }

  @Override
  public void check(Consumer<ConnectionStep> steps) {
    cluster.check(steps);
  }

  @Override
  public ClusterAddress address() {
    return cluster.address();
  }
}
