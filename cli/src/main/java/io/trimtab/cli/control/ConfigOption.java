package io.trimtab.cli.control;

import io.trimtab.controller.settings.Settings;
import io.trimtab.formats.SettingsFile;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The autopilot's settings file, also for commands that carry out what a person orders. */
public final class ConfigOption {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Autopilot settings as YAML; without a file, every setting has its default.")
  private Path config;

  /** Whether the user has named a file. */
  boolean given() {
    return config != null;
  }

  /**
   * The file's settings; the defaults without a file.
   *
   * @throws io.trimtab.config.UserError if it can't be read, or a setting is not valid
   */
  public Settings settings() {
    return config == null ? Settings.defaults() : SettingsFile.read(config);
  }
}
