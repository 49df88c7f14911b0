package io.trimtab.cli.control;

import io.trimtab.clikit.DurationConverter;
import io.trimtab.config.UserError;
import io.trimtab.controller.policy.Policies;
import io.trimtab.controller.policy.Policy;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.controller.settings.Settings;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The autopilot's settings: a file's, and options that go before it. */
public final class LoopOptions {
  @Mixin private ConfigOption config;

  @Option(
      names = "--policy",
      paramLabel = "NAME",
      converter = ByName.class,
      description =
          "Policy: autopilot (all changes weighed), met-1 (placement and profiles), met (as"
              + " published: no splits), tiramola (thresholds), usage (predicted usage) or slo"
              + " (agreement); default: that of --config, or else autopilot, which only advises"
              + " where another policy made the last plan.")
  private Policy policy;

  @Option(
      names = "--samples",
      paramLabel = "N",
      description = "Number of samples before each decision; default: that of --config, or else 6.")
  private Integer samples;

  @Option(
      names = "--period",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "Time between two samples; default: that of --config, or else 30s.")
  private Duration period;

  /** Policies that are registered. */
  static final class ByName implements ITypeConverter<Policy> {
    @Override
    public Policy convert(String value) {
      try {
        return Policies.ALL.named(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  /** Whether the user has set anything. */
  boolean given() {
    return config.given() || policy != null || samples != null || period != null;
  }

  Settings settings() {
    Settings base = config.settings();
    ObserveSettings observe = base.observe();
    try {
      Settings all =
          base.with(
              observe.toBuilder()
                  .period(period == null ? observe.period() : period)
                  .samples(samples == null ? observe.samples() : samples)
                  .build());
      return policy == null ? all : all.with(policy);
    } catch (IllegalArgumentException e) {
      throw new UserError(e.getMessage().replaceFirst("^observe\\.", "--"), e);
    }
  }
}
