package io.trimtab.cli.node;

import io.trimtab.clikit.ClusterChoice;
import io.trimtab.clikit.Table;
import io.trimtab.clikit.Terminal;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.Machine;
import io.trimtab.engineapi.NodeCapacity;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.NodeProvider;
import io.trimtab.engineapi.Removable;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.providers.ProviderContext;
import io.trimtab.providers.manual.ManualRequests;
import java.nio.file.Path;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The machines that were started by request. */
@Command(
    name = "list",
    description = {
      "Lists the machines that were started for a cluster by request, and what can be added.",
      "Also what a person was asked to do and has not done yet."
    },
    footer = {"", "Examples:", "  trimtab node list --zookeeper zk1:2181 --provider provider.yaml"})
public final class NodeList implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private ClusterChoice choice;

  NodeList(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws EngineException {
    try (Engine engine = choice.connect()) {
      NodeProvider provider = NodeCommand.provider(choice, terminal::line);
      ClusterSnapshot seen = engine.snapshot();
      terminal.line(table(provider.machines(), seen).toString().stripTrailing());
      NodeCapacity capacity = provider.capacity();
      terminal.line(text(capacity));
      given(capacity.removable(), seen).ifPresent(terminal::line);
      restarted(capacity.reconfigurable(), seen).ifPresent(terminal::line);
      Path folder = MachineFolder.of(engine.shared(), seen.clusterId());
      new ManualRequests(ProviderContext.folder(folder)).open().forEach(terminal::line);
      return 0;
    }
  }

  static Table table(List<Machine> machines, ClusterSnapshot seen) {
    Table table = new Table("machine", "node", "in the cluster", "state", "request", "since");
    for (Machine machine : machines) {
      table.row(
          machine.name(),
          machine.node().map(NodeId::name).orElse("-"),
          machine.node().flatMap(seen::node).map(n -> n.alive() ? "yes" : "dead").orElse("no"),
          machine.state().name().toLowerCase(Locale.ROOT),
          machine.requestId().isEmpty() ? "-" : machine.requestId(),
          machine.since().map(at -> at.truncatedTo(ChronoUnit.SECONDS).toString()).orElse("-"));
    }
    return table;
  }

  /** The nodes that can be given back now; empty if all can. */
  static Optional<String> given(Removable removable, ClusterSnapshot seen) {
    if (removable.all()) {
      return Optional.empty();
    }
    String now = names(seen, node -> removable.allows(node, List.of(), false));
    return Optional.of(
        (now.isEmpty() ? "no node can be given back now" : "can be given back now: " + now)
            + "; "
            + removable.rule());
  }

  /** The nodes that can be restarted with another profile; empty if all can. */
  static Optional<String> restarted(
      NodeCapacity.Reconfigurable reconfigurable, ClusterSnapshot seen) {
    if (reconfigurable.all()) {
      return Optional.empty();
    }
    String now = names(seen, reconfigurable::allows);
    return Optional.of(
        (now.isEmpty()
                ? "no node can be restarted with another profile"
                : "can be restarted with another profile: " + now)
            + "; "
            + reconfigurable.rule());
  }

  /** The live nodes of which something holds. */
  private static String names(ClusterSnapshot seen, Predicate<NodeId> holds) {
    return seen.liveNodes().stream()
        .map(NodeState::id)
        .filter(holds)
        .map(NodeId::name)
        .collect(Collectors.joining(", "));
  }

  public static String text(NodeCapacity capacity) {
    StringBuilder text = new StringBuilder(capacity.spare() + " can be added");
    capacity.quota().ifPresent(quota -> text.append(", at most ").append(quota).append(" in all"));
    capacity
        .hourlyPrice()
        .ifPresent(p -> text.append(String.format(Locale.ROOT, ", %.4g per hour each", p)));
    new TreeMap<>(capacity.profilePrices())
        .forEach(
            (profile, price) ->
                text.append(String.format(Locale.ROOT, ", with profile %s %.4g", profile, price)));
    capacity
        .boot()
        .ifPresent(boot -> text.append(", each in about ").append(boot.toSeconds()).append(" s"));
    return text.toString();
  }
}
