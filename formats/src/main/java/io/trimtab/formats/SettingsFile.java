package io.trimtab.formats;

import io.trimtab.config.StrictYaml;
import io.trimtab.controller.settings.Settings;
import java.nio.file.Path;

/** Reads {@code trimtab.yaml}; every key is optional, none may be unknown. */
public final class SettingsFile {
  private SettingsFile() {}

  public static Settings read(Path file) {
    return StrictYaml.read(file, Settings.class);
  }
}
