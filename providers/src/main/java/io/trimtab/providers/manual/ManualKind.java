package io.trimtab.providers.manual;

import io.trimtab.providers.ProviderKind;
import io.trimtab.providers.ProviderSettings;

/** {@code manual}: a person starts and stops the nodes. */
public final class ManualKind implements ProviderKind {
  @Override
  public String name() {
    return "manual";
  }

  @Override
  public Class<? extends ProviderSettings> settings() {
    return ManualSettings.class;
  }
}
