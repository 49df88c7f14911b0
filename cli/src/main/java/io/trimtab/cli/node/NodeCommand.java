package io.trimtab.cli.node;

import io.trimtab.clikit.ClusterChoice;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import java.util.List;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The machines of a cluster's node provider. */
@Command(
    name = "node",
    description = "Shows and gives back the machines that a node provider has started.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {NodeList.class, NodeSweep.class, NodeJoined.class},
    footer = {
      "",
      "Examples:",
      "  trimtab node list --zookeeper zk1:2181 --provider provider.yaml",
      "  trimtab node sweep --zookeeper zk1:2181 --provider provider.yaml"
    })
public final class NodeCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a subcommand is missing");
  }

  static NodeProvider provider(ClusterChoice choice, Consumer<String> notices) {
    return choice
        .provider(notices)
        .orElseThrow(
            () ->
                new UserError(
                    choice.label()
                        + ": nothing can start or stop its nodes;"
                        + " name a provider with --provider"));
  }

  /**
   * A look that lacks no node: a machine whose node it lacked would be taken for nobody's. A node
   * that could not be read is known to be the cluster's all the same.
   */
  static ClusterSnapshot whole(ClusterSnapshot seen) throws EngineException {
    List<String> gaps = seen.clusterGaps();
    if (!gaps.isEmpty() || !seen.blockers().isEmpty()) {
      String why = gaps.isEmpty() ? seen.blockers().get(0) : gaps.get(0);
      throw new EngineException("the cluster can't be seen as a whole now: " + why);
    }
    return seen;
  }
}
