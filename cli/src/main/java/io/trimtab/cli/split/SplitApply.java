package io.trimtab.cli.split;

import io.trimtab.cli.control.ConfigOption;
import io.trimtab.cli.control.Narrator;
import io.trimtab.cli.usage.LoadSample;
import io.trimtab.clikit.ClusterChoice;
import io.trimtab.clikit.Signals;
import io.trimtab.clikit.Terminal;
import io.trimtab.config.UserError;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.policy.Decision;
import io.trimtab.controller.settings.Settings;
import io.trimtab.controller.split.SplitPlanner;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.engineapi.RowKey;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.engineapi.snapshot.SplitHint;
import io.trimtab.runtime.Executor;
import io.trimtab.runtime.FaultPoints;
import io.trimtab.runtime.LoopContext;
import io.trimtab.runtime.OperatorPlan;
import io.trimtab.runtime.journal.PlanText;
import io.trimtab.runtime.ports.SystemPorts;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Splits one partition of a live cluster. */
@Command(
    name = "apply",
    description = {
      "Splits one partition where its requests halve.",
      "The right half moves to another node. Without --act the command only prints what it would",
      "do. With it, the autopilot's settings hold too: blackouts, cooldown, limits and excluded",
      "tables. Name the file that the autopilot is started with (--config)."
    },
    footer = {
      "",
      "Examples:",
      "  trimtab split apply usertable/3f2a9c11 --lab lab",
      "  trimtab split apply usertable/3f2a9c11 --lab lab --act --config trimtab.yaml",
      "  trimtab split apply usertable/3f2a9c11 --key user5000 --to node2:16020 --act",
      "",
      "Partitions and their keys are listed by: trimtab split advise."
    })
final class SplitApply implements Callable<Integer> {
  private final Terminal terminal;

  @Parameters(
      paramLabel = "PARTITION",
      description =
          "Partition as TABLE/NAME, as listed; the first characters of the name are enough.")
  private String partition;

  @Mixin private ClusterChoice choice;
  @Mixin private LoadSample sample;
  @Mixin private ConfigOption config;

  @Option(
      names = "--key",
      paramLabel = "KEY",
      description = "First key of the right half; default: the key at which the requests halve.")
  private String key;

  @Option(names = "--hex", description = "--key is in hexadecimal digits.")
  private boolean hex;

  @Option(
      names = "--to",
      paramLabel = "NODE",
      description = "Node that serves the right half; default: the least loaded other node.")
  private String to;

  @Option(names = "--act", description = "Carry out the split.")
  private boolean act;

  SplitApply(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws EngineException, InterruptedException {
    RowKey ordered = orderedKey();
    Settings settings = config.settings();
    try (Engine engine = choice.connect()) {
      Observation.Usable seen = sample.take(terminal, engine, choice.label());
      Decision.Act order = order(seen, find(seen), ordered);
      terminal.line(PlanText.table(order.plan()));
      if (!act) {
        terminal.line("");
        terminal.line("nothing was changed; to carry it out, add --act");
        return 0;
      }
      return carryOut(engine, order, settings);
    }
  }

  private int carryOut(Engine engine, Decision.Act order, Settings settings)
      throws EngineException {
    AtomicBoolean stop = new AtomicBoolean();
    try (Signals signals = Signals.stop(() -> stop.set(true))) {
      Executor.Outcome outcome =
          OperatorPlan.carryOut(
              new LoopContext(
                  engine,
                  Optional.empty(),
                  settings,
                  new Narrator(terminal, ""),
                  SystemPorts.ports(),
                  FaultPoints.NONE),
              "split apply",
              order,
              state -> state.after(order.plan().actions(), order.plan().snapshotAt()),
              stop::get);
      terminal.line("%s: %s", outcome.how(), outcome.why());
      return outcome.done() ? 0 : 1;
    }
  }

  private RowKey orderedKey() {
    if (key == null) {
      return RowKey.EMPTY;
    }
    try {
      return RowKey.of(hex ? HexFormat.of().parseHex(key) : key.getBytes(StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      throw new UserError("--key: not hexadecimal digits: " + key, e);
    }
  }

  private PartitionId find(Observation.Usable seen) {
    int slash = partition.lastIndexOf('/');
    if (slash < 0) {
      throw new UserError("PARTITION must be TABLE/NAME, not " + partition);
    }
    String table = partition.substring(0, slash);
    String name = partition.substring(slash + 1);
    List<PartitionId> found =
        seen.snapshot().partitions().stream()
            .map(PartitionState::id)
            .filter(id -> id.table().equals(table) && id.name().startsWith(name))
            .toList();
    if (found.size() != 1) {
      throw new UserError(
          choice.label()
              + " has "
              + (found.isEmpty() ? "no partition " : found.size() + " partitions like ")
              + partition
              + "; see: trimtab split advise");
    }
    return found.get(0);
  }

  private Decision.Act order(Observation.Usable seen, PartitionId id, RowKey ordered) {
    RowKey at = ordered;
    // The shares of a key chosen by the operator are unknown.
    double left = 0.5;
    if (ordered.isEmpty()) {
      SplitHint hint =
          seen.hints().stream()
              .filter(h -> h.partition().equals(id))
              .findFirst()
              .orElseGet(() -> SplitHint.unknown(id));
      if (hint.refusal().isPresent()) {
        throw new UserError(id + ": " + hint.refusal().get() + "; to split it anyway, give --key");
      }
      at = hint.key();
      left = hint.leftShare();
    }
    try {
      return SplitPlanner.ordered(seen, id, at, left, Optional.ofNullable(to).map(NodeId::new));
    } catch (IllegalArgumentException e) {
      throw new UserError(e.getMessage(), e);
    }
  }
}
