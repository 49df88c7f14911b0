package io.trimtab.providers.kubernetes;

import io.trimtab.providers.ProviderKind;
import io.trimtab.providers.ProviderSettings;

/** {@code kubernetes}: StatefulSets and CassandraDatacenters are made larger and smaller. */
public final class KubernetesKind implements ProviderKind {
  @Override
  public String name() {
    return "kubernetes";
  }

  @Override
  public Class<? extends ProviderSettings> settings() {
    return KubernetesSettings.class;
  }
}
