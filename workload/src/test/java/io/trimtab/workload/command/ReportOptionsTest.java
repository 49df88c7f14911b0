package io.trimtab.workload.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.config.UserError;
import io.trimtab.workload.Reporter;
import io.trimtab.workload.WorkloadSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Mistakes are told before a load starts. */
class ReportOptionsTest {
  private static final String URL = "http://127.0.0.1:7390/report";

  private static final WorkloadSpec SPEC =
      WorkloadSpec.parse(
          "t.yaml",
          """
          tenants:
            - {name: shop, records: 10, fields: 2, fieldLength: 100, mix: {read: 1.0}, threads: 7}
          """);

  @TempDir Path folder;

  @Command
  private static final class Host {
    @Mixin private ReportOptions reports;
  }

  private static Optional<Reporter> reporter(String... arguments) {
    Host host = new Host();
    new CommandLine(host).parseArgs(arguments);
    return host.reports.reporter(SPEC);
  }

  private Path tokens(String tenant, String mode) throws IOException {
    Path file = folder.resolve("tokens.yaml");
    Files.writeString(file, "tokens: {" + tenant + ": a-token-0123456789}\n");
    return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString(mode));
  }

  @Test
  void reportsAreSentOnlyWhereTheyAreAskedFor() throws IOException {
    assertThat(reporter()).isEmpty();
    assertThat(reporter("--report", URL)).isPresent();
    String file = tokens("shop", "rw-------").toString();
    assertThat(reporter("--report", URL, "--report-tokens", file)).isPresent();
  }

  @Test
  void aBadAddressOrAMissingTokenIsAnError() throws IOException {
    assertThatThrownBy(() -> reporter("--report", "host:7390"))
        .isInstanceOf(UserError.class)
        .hasMessageContaining("--report must be a URL");
    // Sending to these fails in the client, at the first report.
    for (String none :
        new String[] {"http:/report", "http://shop_1:7390/report", "http://h:99999"}) {
      assertThatThrownBy(() -> reporter("--report", none))
          .as(none)
          .isInstanceOf(UserError.class)
          .hasMessage("--report: no host and port can be read in " + none);
    }
    assertThatThrownBy(() -> reporter("--report", URL, "--report-every", "2m"))
        .isInstanceOf(UserError.class)
        .hasMessageStartingWith("--report-every must be at most 60s, not 120s: ");
    assertThat(reporter("--report", URL, "--report-every", "60s")).isPresent();
    String others = tokens("logs", "rw-------").toString();
    assertThatThrownBy(() -> reporter("--report", URL, "--report-tokens", others))
        .isInstanceOf(UserError.class)
        .hasMessage("--report-tokens: " + others + " has no token of tenant shop");
    String open = tokens("shop", "rw-r--r--").toString();
    assertThatThrownBy(() -> reporter("--report", URL, "--report-tokens", open))
        .isInstanceOf(UserError.class)
        .hasMessage(
            "--report-tokens: others than its owner may use " + open + "; run: chmod 600 " + open);
  }
}
