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
import io.trimtab.engineapi.snapshot.UsageReadings;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
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

  public Observation.Usable take(Terminal terminal, Engine engine, String label)
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
    Observation.Usable usable = (Observation.Usable) seen;
    // Two looks know no node as it was last seen.
    Optional<String> unread =
        usable.snapshot().unreadNodes().stream()
            .flatMap(node -> node.read().failure().stream())
            .findFirst();
    if (unread.isPresent()) {
      throw new EngineException(label + ": the snapshot is partial: " + unread.get());
    }
    return usable.with(engine.splitHints());
  }
}
