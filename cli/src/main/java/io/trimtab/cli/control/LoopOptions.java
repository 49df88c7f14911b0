package io.trimtab.cli.control;

import io.trimtab.clikit.DurationConverter;
import io.trimtab.config.UserError;
import io.trimtab.controller.ObserveSettings;
import io.trimtab.controller.Settings;
import io.trimtab.formats.SettingsFile;
import java.nio.file.Path;
import java.time.Duration;
import picocli.CommandLine.Option;

/** The autopilot's settings: a file's, and options that go before it. */
public final class LoopOptions {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The autopilot's settings as YAML; default: all defaults.")
  private Path config;

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      description =
          "met (placement and profiles), tiramola (thresholds), usage (predicted usage) or slo (an"
              + " agreement); default: met.")
  private Settings.PolicyName policy;

  @Option(
      names = "--samples",
      paramLabel = "N",
      description = "Samples that a decision needs; default: 6.")
  private Integer samples;

  @Option(
      names = "--period",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "Time between two samples; default: 30s.")
  private Duration period;

  /** Whether the user has set anything. */
  boolean given() {
    return config != null || policy != null || samples != null || period != null;
  }

  Settings settings() {
    Settings base = config == null ? Settings.defaults() : SettingsFile.read(config);
    ObserveSettings observe = base.observe();
    try {
      return base.with(
              observe.toBuilder()
                  .period(period == null ? observe.period() : period)
                  .samples(samples == null ? observe.samples() : samples)
                  .build())
          .with(policy == null ? base.policy() : policy);
    } catch (IllegalArgumentException e) {
      throw new UserError(e.getMessage().replaceFirst("^observe\\.", "--"), e);
    }
  }
}
