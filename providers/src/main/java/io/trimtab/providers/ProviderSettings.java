package io.trimtab.providers;

import io.trimtab.config.UserError;
import io.trimtab.engineapi.NodeProvider;
import java.nio.file.Path;

/** The settings of a provider: a record, read from the section of its kind. */
public interface ProviderSettings {

  /** The same with paths resolved against the folder of the settings file. */
  default ProviderSettings in(Path folder) {
    return this;
  }

  /**
   * The provider; contacts nobody yet.
   *
   * @throws UserError if a file or program that the settings name can't be used
   */
  NodeProvider provider(ProviderContext context);
}
