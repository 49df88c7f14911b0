package io.trimtab.cli.usage;

import io.trimtab.clikit.ClusterChoice;
import io.trimtab.clikit.DurationConverter;
import io.trimtab.clikit.Terminal;
import io.trimtab.config.UserError;
import io.trimtab.controller.observe.History;
import io.trimtab.controller.observe.Observation;
import io.trimtab.controller.settings.ObserveSettings;
import io.trimtab.engineapi.Engine;
import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.UsageReadings;
import java.time.Clock;
import java.time.Duration;
import picocli.CommandLine.Option;

/** Two looks at a cluster, for commands that need to know its load but not its history. */
public final class LoadSample {
  @Option(
      names = "--period",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "How long to observe the load; default: 10s.")
  private Duration period = Duration.ofSeconds(10);

  /** For a command that has its own option for how long the load is observed. */
  public static LoadSample of(Duration period) {
    LoadSample sample = new LoadSample();
    sample.period = period;
    return sample;
  }

  /** With how often blocks are requested, as far as a plug-in counts it. */
  Observation.Usable withBlocks(Terminal terminal, ClusterChoice choice)
      throws EngineException, InterruptedException {
    try (Engine engine = choice.connect()) {
      engine.startCounting();
      return take(terminal, engine, choice.label()).withBlocks(engine.histograms());
    }
  }

  /**
   * The load of a cluster all of whose nodes can be read, with where requests halve.
   *
   * @throws EngineException naming the first node that can't
   */
  public Observation.Usable take(Terminal terminal, Engine engine, String label)
      throws EngineException, InterruptedException {
    Observation.Usable usable = look(terminal, engine, label);
    if (!usable.snapshot().unreadNodes().isEmpty()) {
      throw partial(usable, label);
    }
    return usable.with(engine.splitHints());
  }

  /**
   * The same where some nodes may not be readable. Of these nothing is known but that they live.
   *
   * @throws EngineException if none is
   */
  public Observation.Usable ofReadable(Terminal terminal, Engine engine, String label)
      throws EngineException, InterruptedException {
    Observation.Usable usable = look(terminal, engine, label);
    if (usable.snapshot().liveNodes().stream().noneMatch(NodeState::readable)) {
      throw partial(usable, label);
    }
    return usable.with(engine.splitHints());
  }

  /** Two looks know no node as it was last seen. */
  private static EngineException partial(Observation.Usable seen, String label) {
    String first =
        seen.snapshot().unreadNodes().stream()
            .flatMap(node -> node.read().failure().stream())
            .findFirst()
            .orElse("no node lives");
    return new EngineException(label + ": the snapshot is partial: " + first);
  }

  private Observation.Usable look(Terminal terminal, Engine engine, String label)
      throws EngineException, InterruptedException {
    ObserveSettings settings;
    try {
      settings = ObserveSettings.builder().period(period).samples(2).alpha(1.0).build();
    } catch (IllegalArgumentException e) {
      throw new UserError(e.getMessage().replaceFirst("^observe\\.", "--"), e);
    }
    UsageReadings readings = new UsageReadings();
    History history = History.EMPTY.append(engine.snapshot(readings), settings);
    terminal.status("observing the load of " + label + " for " + period.toSeconds() + " s");
    Thread.sleep(period.toMillis());
    history = history.append(engine.snapshot(readings), settings);
    terminal.statusDone();
    Observation seen = Observation.of(history, Clock.systemUTC().instant(), settings);
    if (seen instanceof Observation.Unusable bad) {
      throw new EngineException(label + ": " + bad.reason());
    }
    return (Observation.Usable) seen;
  }
}
