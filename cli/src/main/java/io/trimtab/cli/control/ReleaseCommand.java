package io.trimtab.cli.control;

import io.trimtab.clikit.ClusterChoice;
import io.trimtab.clikit.Terminal;
import io.trimtab.engineapi.BalancerState;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.runtime.OperatorRelease;
import io.trimtab.runtime.ports.SystemPorts;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** For a cluster whose autopilot has died and is not to be started again. */
@Command(
    name = "release",
    description = {
      "Restores the database's own balancer after an autopilot that was killed.",
      "While an autopilot is in charge it keeps the balancer off; it restores it when it ends, or",
      "is stopped. One that was killed cannot. Refused while an autopilot is in charge, and,",
      "without --abandon, if a plan was left unfinished. Also moves partitions back to a node that",
      "a killed `trimtab model build --node` had taken out of service."
    },
    footer = {
      "",
      "Examples:",
      "  trimtab release --lab lab",
      "  trimtab release --lab lab --abandon",
      "  trimtab release --zookeeper zk1:2181",
      "  trimtab release --zookeeper zk1:2181 --provider provider.yaml --abandon",
      "",
      "Exit code 2 if it can't be done, also half-way: the line says what is left."
    })
public final class ReleaseCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private ClusterChoice choice;

  @Option(
      names = "--abandon",
      description = {
        "Abandon a plan that was left unfinished, and tidy up after it: nodes that were drained",
        "are reopened, nodes that do not serve yet are released, with the autopilot's --provider",
        "where connections.yaml has none. Also discards records of earlier autopilots that can't",
        "be read; what the balancer was before is then lost."
      })
  private boolean abandon;

  ReleaseCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws EngineException {
    try (Engine engine = choice.connect()) {
      Optional<BalancerState> restored =
          OperatorRelease.release(
              engine,
              choice.provider(terminal::line),
              abandon,
              new Narrator(terminal, ""),
              SystemPorts.ports());
      terminal.line(
          restored
              .map(
                  state ->
                      "restored: balancer %s, normalizer %s"
                          .formatted(
                              state.balancer() ? "on" : "off", state.normalizer() ? "on" : "off"))
              .orElse("nothing to restore: no autopilot keeps the balancer off"));
      return 0;
    }
  }
}
