package io.trimtab.providers;

import io.trimtab.config.StrictYaml;
import io.trimtab.config.UserError;
import java.nio.file.Path;

/** A file with nothing but a provider: {@code provider: {exec: {program: ./nodes.py}}}. */
public record ProviderFile(ProviderSection provider) {
  public ProviderFile {
    if (provider == null) {
      throw new IllegalArgumentException("provider is missing");
    }
  }

  /**
   * Reads a file; its paths are relative to its folder.
   *
   * @throws UserError naming file, line and key
   */
  public static ProviderSection read(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    return StrictYaml.read(file, ProviderFile.class).provider().in(folder);
  }
}
