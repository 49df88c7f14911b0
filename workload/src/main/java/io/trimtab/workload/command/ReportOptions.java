package io.trimtab.workload.command;

import io.trimtab.clikit.DurationConverter;
import io.trimtab.config.TokenFile;
import io.trimtab.config.UserError;
import io.trimtab.workload.Reporter;
import io.trimtab.workload.WorkloadSpec;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Whether and where tenants report what they get. */
final class ReportOptions {
  private static final int PORT_MAX = 65_535;

  /** Whoever has not reported for 75 s counts as gone. */
  private static final Duration EVERY_MAX = Duration.ofSeconds(60);

  @Option(
      names = "--report",
      paramLabel = "URL",
      description = {
        "Send reports to an autopilot that keeps an agreement, for example",
        "http://host:7390/report.",
        "A tenant with more clients than agreed asks for as little as the answers say."
      })
  private URI report;

  @Option(
      names = "--report-every",
      converter = DurationConverter.class,
      paramLabel = "TIME",
      description = "Time between two reports, at most 60s; default: 30s.")
  private Duration every = Duration.ofSeconds(30);

  @Option(
      names = "--report-tokens",
      paramLabel = "FILE",
      description = "The tenants' tokens, if the autopilot has slo.tokens; the same kind of file.")
  private Path tokens;

  /**
   * Empty if nothing is to be reported.
   *
   * @throws UserError if an option is invalid, or a tenant has no token
   */
  Optional<Reporter> reporter(WorkloadSpec spec) {
    if (report == null) {
      return Optional.empty();
    }
    if (!String.valueOf(report.getScheme()).matches("https?")) {
      throw new UserError("--report must be a URL like http://host:7390/report, not " + report);
    }
    if (report.getHost() == null || report.getPort() > PORT_MAX) {
      // As of service_1: a name with an underscore is none for a URL.
      throw new UserError("--report: no host and port can be read in " + report);
    }
    if (every.compareTo(EVERY_MAX) > 0) {
      throw new UserError(
          "--report-every must be at most 60s, not %ds: clients of which the autopilot has heard"
                  .formatted(every.toSeconds())
              + " nothing for 75 s count as gone");
    }
    Map<String, String> byTenant =
        tokens == null ? Map.of() : TokenFile.read("--report-tokens", tokens).tokens();
    spec.tenants()
        .forEach(
            tenant -> {
              if (tokens != null && !byTenant.containsKey(tenant.name())) {
                throw new UserError(
                    "--report-tokens: " + tokens + " has no token of tenant " + tenant.name());
              }
            });
    return Optional.of(new Reporter(report, every, spec, byTenant));
  }
}
