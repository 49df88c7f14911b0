package io.trimtab.cli.control;

import io.trimtab.clikit.DurationConverter;
import io.trimtab.clikit.Terminal;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.SharedState;
import io.trimtab.runtime.ports.StateDir;
import io.trimtab.runtime.ports.SystemPorts;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
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
      "previous state; the command waits until that is done."
    },
    footer = {
      "",
      "Examples:",
      "  trimtab stop",
      "  trimtab stop --lab lab",
      "  trimtab stop --zookeeper zk1,zk2,zk3:2181",
      "",
      "Exit code 1 if an autopilot has not ended in time; it continues to shut down."
    })
public final class StopCommand implements Callable<Integer> {
  private static final long POLL_MS = 200;

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
        "database and is continued by the next `trimtab run --act`."
      })
  private boolean undo;

  StopCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws EngineException, InterruptedException {
    Optional<Engine> named = choice.connect();
    if (named.isPresent()) {
      try (Engine engine = named.get()) {
        return stop(engine.shared()) ? 0 : 1;
      }
    }
    List<StateDir> running =
        choice.named(StateDir.all()).stream()
            .filter(state -> state.runningController().isPresent())
            .toList();
    if (running.isEmpty()) {
      terminal.line(
          "no autopilot is running here; to stop one on another host, give the cluster's address");
      return 0;
    }
    boolean allEnded = true;
    for (StateDir state : running) {
      long pid = state.runningController().orElse(-1L);
      terminal.status("stopping the autopilot of cluster " + state.clusterId());
      boolean ended = state.stopController(wait, undo);
      terminal.statusDone();
      terminal.line(
          "the autopilot of cluster %s (process %d) %s",
          state.clusterId(), pid, ended ? "has ended" : "is still shutting down; see: trimtab why");
      allEnded &= ended;
    }
    return allEnded ? 0 : 1;
  }

  /** Through the cluster, which every controller of it watches. */
  private boolean stop(SharedState shared) throws EngineException, InterruptedException {
    Optional<String> holder = shared.holder();
    shared.requestStop(SystemPorts.requester() + (undo ? ", undo" : ""));
    if (holder.isEmpty()) {
      terminal.line("no autopilot is in charge of this cluster; those that wait for it end");
      return true;
    }
    long begunNs = System.nanoTime();
    while (shared.holder().equals(holder)) {
      long waitedNs = System.nanoTime() - begunNs;
      if (waitedNs > wait.toNanos()) {
        terminal.statusDone();
        terminal.line("the autopilot %s is still shutting down", holder.get());
        return false;
      }
      terminal.status(
          "asked the autopilot %s to stop; it is tidying up, %d s"
              .formatted(holder.get(), TimeUnit.NANOSECONDS.toSeconds(waitedNs)));
      TimeUnit.MILLISECONDS.sleep(POLL_MS);
    }
    terminal.statusDone();
    terminal.line("the autopilot %s has ended", holder.get());
    return true;
  }
}
