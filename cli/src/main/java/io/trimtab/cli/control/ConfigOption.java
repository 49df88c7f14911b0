package io.trimtab.cli.control;

import io.trimtab.controller.policy.Need;
import io.trimtab.controller.settings.Settings;
import io.trimtab.formats.ModelFile;
import io.trimtab.formats.SettingsFile;
import io.trimtab.runtime.service.ServiceWatch;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
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

  /**
   * Reads the files that settings name, as the autopilot does at its start.
   *
   * @return what an operator should know of the settings; sentences without an end
   * @throws io.trimtab.config.UserError if one of them can't be read, or is not valid
   */
  public static List<String> checkFiles(Settings settings) {
    List<String> remarks = new ArrayList<>();
    settings.agreementNotKept().ifPresent(remarks::add);
    Set<Need> needs = settings.policy().inputs(settings);
    if (needs.contains(Need.MODEL) && settings.usage().model() != null) {
      ModelFile.read(Path.of(settings.usage().model()));
    }
    if (needs.contains(Need.SERVICE)) {
      ServiceWatch.check(settings.slo(), settings.guard().maxNodes()).ifPresent(remarks::add);
    }
    return remarks;
  }
}
