package io.trimtab.providers.kubernetes;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;

/** What a client is configured with; the library's own text form has tokens, passwords and keys. */
final class QuietConfig extends Config {
  QuietConfig(ConfigBuilder built) {
    super(ConfigBuilder.toSundrioConfig(built));
  }

  /** For logs: without the secrets. */
  @Override
  public String toString() {
    return "configuration of a client of " + getMasterUrl();
  }
}
