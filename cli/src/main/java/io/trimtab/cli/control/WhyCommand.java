package io.trimtab.cli.control;

import io.trimtab.clikit.JsonOutput;
import io.trimtab.clikit.Terminal;
import io.trimtab.config.UserError;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.plan.Counted;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.runtime.journal.Entry;
import io.trimtab.runtime.journal.Why;
import io.trimtab.runtime.ports.StateDir;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/**
 * Explains from the journal; the cluster need not answer, but is asked for what the journal lacks.
 */
@Command(
    name = "why",
    description = {
      "Explains the last action, or why nothing was done.",
      "Names the setting that would change it. Without an option: for the cluster that an",
      "autopilot observed last. With a node's name: how each coordinator of reads sees that node",
      "now, and why it avoids it."
    },
    footer = {
      "",
      "Examples:",
      "  trimtab why",
      "  trimtab why --lab lab",
      "  trimtab why --json",
      "  trimtab why 10.0.0.3:9042 --cassandra 10.0.0.1",
    })
public final class WhyCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private StateChoice choice;

  @Parameters(
      arity = "0..1",
      paramLabel = "NODE",
      description = "A node, as host:port or by its host; needs the cluster's address.")
  private String node;

  @Option(names = "--json", description = "Print JSON, with the newest journal entries.")
  private boolean json;

  WhyCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws EngineException {
    if (node != null) {
      return seen();
    }
    List<StateDir> states = choice.named(StateDir.all());
    List<Entry> entries = states.isEmpty() ? List.of() : states.get(0).journals().all();
    if (json) {
      terminal.line(Why.json(entries, Clock.systemUTC()));
      return 0;
    }
    if (!states.isEmpty()) {
      terminal.line("cluster " + states.get(0).clusterId());
    }
    List<Entry> dry = states.isEmpty() ? List.of() : states.get(0).journals().dryRun();
    terminal.line(Why.explain(entries, dry, Clock.systemUTC()));
    unchecked(entries).ifPresent(terminal::line);
    int late = states.isEmpty() ? 0 : states.get(0).journals().late().size();
    if (late > 0) {
      terminal.line(
          "%s were written by a controller after its successor had begun; they had no effect.",
          Counted.of(late, "journal line"));
    }
    return 0;
  }

  private int seen() throws EngineException {
    try (Engine engine =
        choice
            .engine()
            .orElseThrow(
                () ->
                    new UserError(
                        "to show how " + node + " is seen, give the cluster's address"))) {
      ClusterSnapshot snapshot = engine.snapshot();
      SeenNode seen = SeenNode.of(snapshot, node);
      terminal.line(json ? JsonOutput.text(seen.json()) : seen.text());
      return 0;
    }
  }

  /** Of a cluster that is named and answers; the rest is told without it. */
  private Optional<String> unchecked(List<Entry> entries) {
    try {
      Optional<Engine> found = choice.engine();
      if (found.isEmpty()) {
        return Optional.empty();
      }
      try (Engine engine = found.get()) {
        return SpaceWarning.of(engine.snapshot(), entries);
      }
    } catch (EngineException e) {
      return Optional.empty();
    }
  }
}
