package io.trimtab.cli.control;

import io.trimtab.clikit.DurationConverter;
import io.trimtab.clikit.Terminal;
import io.trimtab.engineapi.EngineException;
import io.trimtab.runtime.ports.StateDir;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The kill switch. */
@Command(
    name = "stop",
    description = {
      "Stops the autopilots of this user on this machine.",
      "The action in progress is aborted and the database's own balancer is restored to its",
      "previous state; the command waits until that is done."
    },
    footer = {
      "",
      "Examples:",
      "  trimtab stop",
      "  trimtab stop --lab lab",
      "",
      "Exit code 1 if an autopilot has not ended in time; it continues to shut down."
    })
public final class StopCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private StateChoice choice;

  @Option(
      names = "--wait",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      defaultValue = "60s",
      description = "How long to wait for the autopilot to end; default: ${DEFAULT-VALUE}.")
  private Duration wait;

  StopCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws EngineException, InterruptedException {
    List<StateDir> running =
        choice.named(StateDir.all()).stream()
            .filter(state -> state.runningController().isPresent())
            .toList();
    if (running.isEmpty()) {
      terminal.line("no autopilot is running here");
      return 0;
    }
    boolean allEnded = true;
    for (StateDir state : running) {
      long pid = state.runningController().orElse(-1L);
      terminal.status("stopping the autopilot of cluster " + state.clusterId());
      boolean ended = state.stopController(wait);
      terminal.statusDone();
      terminal.line(
          "the autopilot of cluster %s (process %d) %s",
          state.clusterId(), pid, ended ? "has ended" : "is still shutting down; see: trimtab why");
      allEnded &= ended;
    }
    return allEnded ? 0 : 1;
  }
}
