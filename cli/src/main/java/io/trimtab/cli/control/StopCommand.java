package io.trimtab.cli.control;

import io.trimtab.clikit.DurationConverter;
import io.trimtab.clikit.Terminal;
import io.trimtab.engineapi.ControlAccess;
import io.trimtab.engineapi.EngineException;
import io.trimtab.runtime.ports.StateDir;
import io.trimtab.runtime.ports.SystemPorts;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The kill switch. */
@Command(
    name = "stop",
    description = {
      "Stops the autopilot of a cluster.",
      "Works from any host that reaches the cluster, if its address is given; autopilots that wait",
      "with --standby end, too. Without an address it stops those of this user on this machine.",
      "The action in progress is aborted and the database's own balancer is restored to its",
      "previous state; the command waits until that is done, and says what goes on."
    },
    footer = {
      "",
      "Examples:",
      "  trimtab stop",
      "  trimtab stop --lab lab",
      "  trimtab stop --zookeeper zk1,zk2,zk3:2181",
      "",
      "Exit code 1 if an autopilot has not ended in time, and continues to shut down, or if it",
      "could not put back the database's own balancer or tidy up."
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

  @Option(
      names = "--undo",
      description = {
        "Also undo a node's joining or leaving of a ring, which otherwise goes on inside the",
        "database and is continued by the next `trimtab run --act`. Where no autopilot is in",
        "charge any more: shows the command that undoes it."
      })
  private boolean undo;

  StopCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws EngineException, InterruptedException {
    Stopping stopping = new Stopping(terminal, wait, undo, SystemPorts.requester());
    Optional<ControlAccess> named = choice.control();
    if (named.isPresent()) {
      try (ControlAccess access = named.get()) {
        return stopping.throughCluster(access) ? 0 : 1;
      }
    }
    return stopping.here(choice.named(StateDir.all())) ? 0 : 1;
  }
}
