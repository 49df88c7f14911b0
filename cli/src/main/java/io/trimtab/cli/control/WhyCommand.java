package io.trimtab.cli.control;

import io.trimtab.clikit.Terminal;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.plan.Counted;
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

/**
 * Explains from the journal; the cluster need not answer, but is asked for what the journal lacks.
 */
@Command(
    name = "why",
    description = {
      "Explains the last action, or why nothing was done.",
      "Names the setting that would change it. Without an option: for the cluster that an",
      "autopilot observed last."
    },
    footer = {
      "",
      "Examples:",
      "  trimtab why",
      "  trimtab why --lab lab",
      "  trimtab why --json",
    })
public final class WhyCommand implements Callable<Integer> {
  private final Terminal terminal;

  @Mixin private StateChoice choice;

  @Option(names = "--json", description = "Print JSON, with the newest journal entries.")
  private boolean json;

  WhyCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() throws EngineException {
    List<StateDir> states = choice.named(StateDir.all());
    List<Entry> entries = states.isEmpty() ? List.of() : states.get(0).journals().all();
    if (json) {
      terminal.line(Why.json(entries, Clock.systemUTC()));
      return 0;
    }
    if (!states.isEmpty()) {
      terminal.line("cluster " + states.get(0).clusterId());
    }
    terminal.line(Why.explain(entries, Clock.systemUTC()));
    unchecked(entries).ifPresent(terminal::line);
    int late = states.isEmpty() ? 0 : states.get(0).journals().late().size();
    if (late > 0) {
      terminal.line(
          "%s were written by a controller after its successor had begun; they had no effect.",
          Counted.of(late, "journal line"));
    }
    return 0;
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
