package io.trimtab.cli.control;

import io.trimtab.clikit.Terminal;
import io.trimtab.runtime.journal.PlanText;
import io.trimtab.runtime.journal.SavedPlan;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** A saved plan, to be read. */
@Command(
    name = "show",
    description = {
      "Prints a plan that was saved.",
      "It is read from the file alone; whether the cluster is still as it was is checked by run."
    },
    footer = {"", "Examples:", "  trimtab plan show plan.json"})
final class PlanShowCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(paramLabel = "FILE", description = "A file that trimtab plan --save wrote.")
  private Path file;

  PlanShowCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    SavedPlan saved = SavedPlan.read(file);
    terminal.line(PlanText.table(saved.plan()));
    terminal.line("");
    terminal.line(
        "for cluster %s, as it was at %s; made by version %s",
        saved.plan().clusterId(), saved.plan().snapshotAt(), saved.version());
    return 0;
  }
}
