package io.trimtab.providers.exec;

import io.trimtab.providers.ProviderKind;
import io.trimtab.providers.ProviderSettings;

/** {@code exec}: a program starts and stops the nodes. */
public final class ExecKind implements ProviderKind {
  @Override
  public String name() {
    return "exec";
  }

  @Override
  public Class<? extends ProviderSettings> settings() {
    return ExecSettings.class;
  }
}
