package io.trimtab.cli.node;

import io.trimtab.clikit.ClusterChoice;
import io.trimtab.clikit.Terminal;
import io.trimtab.engineapi.ControlAccess;
import io.trimtab.engineapi.EngineException;
import io.trimtab.providers.ProviderContext;
import io.trimtab.providers.manual.ManualRequests;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** A person has done what the provider manual has asked for. */
@Command(
    name = "joined",
    description = {
      "Says which node was started for a request of the provider `manual`.",
      "Only needed where the autopilot can't see that by itself. Run it on the autopilot's host,",
      "as the same user. The plan goes on within seconds."
    },
    footer = {
      "",
      "Examples:",
      "  trimtab node joined tiramola-7/new-1 node9.example:16020 --zookeeper zk1:2181"
    })
final class NodeJoined implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private ClusterChoice choice;

  @Parameters(index = "0", paramLabel = "REQUEST", description = "As trimtab node list shows it.")
  private String request;

  @Parameters(index = "1", paramLabel = "NODE", description = "The node: host:port.")
  private String node;

  NodeJoined(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws EngineException {
    new ManualRequests(ProviderContext.folder(folder())).joined(request, node);
    terminal.line("node %s is that of request %s", node, request);
    return 0;
  }

  /** A cluster that is being made may not answer yet. */
  private Path folder() throws EngineException {
    Optional<Path> founded = MachineFolder.founded(request.split("/", 2)[0]);
    if (founded.isPresent()) {
      return founded.get();
    }
    try (ControlAccess access = choice.control()) {
      return MachineFolder.of(access.shared(), access.clusterId());
    }
  }
}
