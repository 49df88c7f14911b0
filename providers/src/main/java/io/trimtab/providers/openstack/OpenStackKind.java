package io.trimtab.providers.openstack;

import io.trimtab.providers.ProviderKind;
import io.trimtab.providers.ProviderSettings;

/** {@code openstack}: servers of Nova. */
public final class OpenStackKind implements ProviderKind {
  @Override
  public String name() {
    return OpenStackSettings.KIND;
  }

  @Override
  public Class<? extends ProviderSettings> settings() {
    return OpenStackSettings.class;
  }
}
