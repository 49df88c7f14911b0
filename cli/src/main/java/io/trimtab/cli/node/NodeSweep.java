package io.trimtab.cli.node;

import io.trimtab.clikit.ClusterChoice;
import io.trimtab.clikit.DurationConverter;
import io.trimtab.clikit.Terminal;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Machine;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.providers.Orphans;
import io.trimtab.runtime.control.ControlDocuments;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Gives back what an interrupted request has left. */
@Command(
    name = "sweep",
    description = {
      "Finds machines that nobody needs, and gives them back with --act.",
      "These were started by request, the cluster does not have their node, and no open plan waits",
      "for them: their controller was killed before it heard of them, or its plan was abandoned.",
      "Their data are kept, unless the provider's settings say that they are elsewhere."
    },
    footer = {
      "",
      "Examples:",
      "  trimtab node sweep --zookeeper zk1:2181 --provider provider.yaml",
      "  trimtab node sweep --zookeeper zk1:2181 --provider provider.yaml --act"
    })
final class NodeSweep implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private ClusterChoice choice;

  @Mixin private GivingBack givingBack;

  @Option(
      names = "--older-than",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      defaultValue = "30m",
      description = "Leave younger machines alone; default: ${DEFAULT-VALUE}.")
  private Duration age;

  @Option(
      names = "--limit",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      defaultValue = "10m",
      description = "Time limit for each machine; default: ${DEFAULT-VALUE}.")
  private Duration limit;

  NodeSweep(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws EngineException {
    givingBack.check();
    try (Engine engine = choice.connect()) {
      NodeProvider provider = NodeCommand.provider(choice, terminal::line);
      List<Machine> orphans = orphans(engine, provider);
      if (orphans.isEmpty()) {
        terminal.line("no machine is left over");
        return 0;
      }
      terminal.line(NodeList.table(orphans, engine.snapshot()).toString().stripTrailing());
      if (!givingBack.agreed(terminal, orphans.size())) {
        return 0;
      }
      // The answer took its time: one may have joined, or a plan asked for it, meanwhile.
      giveBack(orphans, orphans(engine, provider), provider);
      return 0;
    }
  }

  private void giveBack(List<Machine> asked, List<Machine> still, NodeProvider provider)
      throws EngineException {
    List<String> left = new ArrayList<>();
    for (Machine machine : asked) {
      if (still.stream().noneMatch(now -> now.name().equals(machine.name()))) {
        terminal.line("kept: %s is needed by now", machine.name());
        continue;
      }
      try {
        provider.release(machine, limit);
        terminal.line("given back: %s", machine.name());
      } catch (EngineException e) {
        left.add(machine.name() + ": " + e.getMessage());
      }
    }
    if (!left.isEmpty()) {
      throw new EngineException(
          "not given back: " + String.join("; ", left) + "; the same command tries again");
    }
  }

  private List<Machine> orphans(Engine engine, NodeProvider provider) throws EngineException {
    // The machines first: one that is asked for after this look is not among them.
    List<Machine> machines = provider.machines();
    for (Machine machine : Orphans.unknown(machines, Instant.now(), age)) {
      terminal.line(
          "%s runs, but its provider does not tell its node: it is kept; check whether it serves",
          machine.name());
    }
    String open = ControlDocuments.read(engine.shared()).open().map(o -> o.plan().id()).orElse("");
    ClusterSnapshot seen = NodeCommand.whole(engine.snapshot());
    Set<NodeId> members = seen.nodes().stream().map(NodeState::id).collect(Collectors.toSet());
    return Orphans.of(machines, members, open, Instant.now(), age).stream()
        .sorted(Machine.NEWEST_FIRST)
        .toList();
  }
}
