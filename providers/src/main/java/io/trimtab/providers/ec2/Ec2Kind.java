package io.trimtab.providers.ec2;

import io.trimtab.providers.ProviderKind;
import io.trimtab.providers.ProviderSettings;

/** {@code ec2}: machines of Amazon EC2, or of whatever speaks its API. */
public final class Ec2Kind implements ProviderKind {
  @Override
  public String name() {
    return Ec2Settings.KIND;
  }

  @Override
  public Class<? extends ProviderSettings> settings() {
    return Ec2Settings.class;
  }
}
