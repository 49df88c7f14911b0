package io.trimtab.cli.node;

import io.trimtab.clikit.ClusterAddress;
import io.trimtab.clikit.ClusterHandle;
import io.trimtab.clikit.ClusterTables;
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
import io.trimtab.runtime.control.MachineMark;
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

  /** Of its machines, where that is not the cluster's own id; empty until it was asked. */
  private volatile String mark = "";

  private volatile boolean asked;

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
    asked = false;
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
  public Optional<NodeProvider> provider(Consumer<String> notices) {
    return Optional.of(Providers.of(section, context(this::look, notices)));
  }

  @Override
  public Optional<NodeProvider> provider(String id, Look look, Consumer<String> notices) {
    return Optional.of(Providers.of(section, context(look, notices).knownAs(id)));
  }

  private ProviderContext context(Look look, Consumer<String> notices) {
    return new ProviderContext(
        look::now,
        new ProviderContext.Words(cluster.nodeWord(), cluster::settingsOf),
        MachineFolder::of,
        notices);
  }

  /** By the id that its machines are marked with, which may be older than the cluster's own. */
  private ClusterSnapshot look() throws EngineException {
    Engine connected = engine;
    if (connected == null) {
      throw new EngineException(label() + " is not connected, so its provider can't look at it");
    }
    if (!asked) {
      mark = MachineMark.of(connected.shared()).map(MachineMark::id).orElse("");
      asked = true;
    }
    ClusterSnapshot seen = connected.snapshot();
    return mark.isEmpty() ? seen : seen.named(mark);
  }

  @Override
  public ClusterTables tables() {
    return cluster.tables();
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
