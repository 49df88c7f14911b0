package io.trimtab.providers.hosts;

import io.trimtab.providers.ProviderKind;
import io.trimtab.providers.ProviderSettings;

/** {@code hosts}: a pool of machines that are reached by SSH. */
public final class HostsKind implements ProviderKind {
  @Override
  public String name() {
    return "hosts";
  }

  @Override
  public Class<? extends ProviderSettings> settings() {
    return HostsSettings.class;
  }
}
