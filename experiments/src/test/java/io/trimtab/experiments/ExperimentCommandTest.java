package io.trimtab.experiments;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.clikit.Terminal;
import io.trimtab.config.UserError;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ExperimentCommandTest {
  @TempDir private Path folder;

  private static void refused(String why, String... arguments) {
    ExperimentCommand command =
        new ExperimentCommand(
            new Terminal(new StringWriter(), new StringWriter(), false, false, false));
    new CommandLine(command).parseArgs(arguments);
    assertThatThrownBy(command::call).isInstanceOf(UserError.class).hasMessage(why);
  }

  @Test
  void optionsOfOtherExperimentsAreRefused() {
    refused(
        "--again is for E6PARTS, E8, E8RING, E12, OWN, LATENCY, POLICIES and RIVALS, not for E1",
        "E1",
        "--again");
    refused("--learn is for E8 and E8RING, not for E7", "E7", "--learn", "20m");
    refused("--learn must be at least 3m, not 60s", "E8", "--learn", "1m");
    refused("--for is for RIVALS, not for POLICIES", "POLICIES", "--for", "150m");
    refused("--for is for RIVALS, not for RIVALSIM", "RIVALSIM", "--for", "150m");
    refused("--rival is for RIVALS and RIVALSIM, not for E2", "E2", "--rival", "met");
    refused(
        "--continue keeps the runs in the folder, --again replaces them: choose",
        "RIVALS",
        "--continue",
        "--again");
  }

  /** Before a cluster is started. */
  @Test
  void runsThatAreKeptAreNotReplacedUnasked() throws Exception {
    Files.writeString(
        folder.resolve("runs.json"),
        "{\"setting\": [\"five nodes\"], \"runs\": [{\"rival\": \"met\", \"run\": 1}]}");

    refused(
        folder
            + " holds 1 run of RIVALS: --continue keeps them and makes what is missing; --again"
            + " replaces them; --out takes another folder",
        "RIVALS",
        "--out",
        folder.toString());
  }

  @Test
  void aRivalThatDoesNotExistIsRefused() {
    refused(
        "--rival must be one of none, balancer, balancer-by-requests, met-1, met, autopilot,"
            + " cache-aware, autopilot-on-bucket-caches, not 'nobody'",
        "RIVALS",
        "--rival",
        "nobody",
        "--out",
        folder.toString());
    refused(
        "--rival must be one of none, met-1, met, autopilot for RIVALSIM, not 'balancer'",
        "RIVALSIM",
        "--rival",
        "balancer",
        "--out",
        folder.toString());
  }
}
