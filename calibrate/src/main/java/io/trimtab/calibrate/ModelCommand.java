package io.trimtab.calibrate;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Models of what loads use. */
@Command(
    synopsisSubcommandLabel = "COMMAND",
    name = "model",
    description = "Measures what loads use of a node, and makes a model of it.",
    subcommands = ModelBuildCommand.class,
    footer = {"", "Examples:", "  trimtab model build --engine hbase --out model.json --quick"})
public final class ModelCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a subcommand is missing");
  }
}
