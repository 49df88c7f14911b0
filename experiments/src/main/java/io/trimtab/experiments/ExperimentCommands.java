package io.trimtab.experiments;

import io.trimtab.clikit.CommandModule;
import java.util.List;

/** What experiments add to the command line. */
public final class ExperimentCommands implements CommandModule {

  @Override
  public List<Added> commands() {
    return List.of(
        new Added("", 10, DemoCommand.class), new Added("lab", 40, ExperimentCommand.class));
  }

  @Override
  public List<String> firstSteps() {
    return List.of(
        "  trimtab demo --quick            a demonstration on a local cluster, in a few minutes");
  }
}
