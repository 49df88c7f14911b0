package io.trimtab.simulator.replicas;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Simulations of a database's own parts. */
@Command(
    name = "sim",
    description = "Simulates parts of a database.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = ReplicasCommand.class,
    footer = {"", "Examples:", "  trimtab sim replicas --ranking oracle,trimtab,c3,random"})
public final class SimCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a subcommand is missing");
  }
}
