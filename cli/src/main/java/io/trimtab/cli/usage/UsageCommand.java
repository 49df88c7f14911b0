package io.trimtab.cli.usage;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What a load uses of a node. */
@Command(
    synopsisSubcommandLabel = "COMMAND",
    name = "usage",
    description = "Predicts what share of a node a load uses, from a model that was measured.",
    subcommands = {UsagePredict.class, UsageHeadroom.class},
    footer = {
      "",
      "Examples:",
      "  trimtab usage predict --model model.json --hit-ratio 0.9 --reads 500",
      "  trimtab usage headroom --model model.json --hit-ratio 0.9 --reads 500 --usage 0.8"
    })
public final class UsageCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a subcommand is missing");
  }
}
