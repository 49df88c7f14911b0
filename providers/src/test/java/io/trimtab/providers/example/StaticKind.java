package io.trimtab.providers.example;

import io.trimtab.providers.ProviderKind;

/** {@code static}: hosts that are always the same. */
public final class StaticKind implements ProviderKind {
  @Override
  public String name() {
    return "static";
  }

  @Override
  public Class<StaticSettings> settings() {
    return StaticSettings.class;
  }
}
