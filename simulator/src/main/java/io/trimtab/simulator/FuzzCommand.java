package io.trimtab.simulator;

import io.trimtab.clikit.Terminal;
import io.trimtab.config.UserError;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Runs seeds. */
@Command(
    name = "fuzz",
    description = {
      "Simulates controllers on clusters in memory, with faults, and checks the promises.",
      "Each seed makes a cluster, a load, a policy and faults: controllers are killed, frozen, cut",
      "off, snapshots and operations fail, nodes die. The same seed gives the same episode.",
      "docs/safety.md lists the promises."
    },
    footer = {
      "",
      "Examples:",
      "  trimtab fuzz",
      "  trimtab fuzz --seeds 10000 --seed 1",
      "  trimtab fuzz --minutes 30",
      "  trimtab fuzz --seeds 1 --seed 4711 --verbose",
      "",
      "Exit code 1 if a promise was broken."
    })
public final class FuzzCommand implements Callable<Integer> {
  private static final int SHOWN_MAX = 5;
  private static final long UNLIMITED = Long.MAX_VALUE;

  private final Terminal terminal;
  private final LongFunction<Episode.Result> episodes;

  @Option(
      names = "--seeds",
      paramLabel = "N",
      description = "Number of seeds; default: 300, with --minutes: no limit.")
  private Long seeds;

  @Option(names = "--minutes", paramLabel = "M", description = "Time limit; default: none.")
  private Double minutes;

  @Option(
      names = "--seed",
      paramLabel = "S",
      defaultValue = "0",
      description = "The first seed; default: ${DEFAULT-VALUE}.")
  private long first;

  @Option(names = "--first", description = "End at the first seed that breaks a promise.")
  private boolean endsAtFirst;

  @Option(names = "--verbose", description = "Print everything that happens.")
  private boolean verbose;

  FuzzCommand(Terminal terminal) {
    this(terminal, Episode::run);
  }

  /**
   * @param episodes runs a seed
   */
  FuzzCommand(Terminal terminal, LongFunction<Episode.Result> episodes) {
    this.terminal = terminal;
    this.episodes = episodes;
  }

  @Override
  public Integer call() {
    if (seeds != null && seeds < 1) {
      throw new UserError("--seeds must be at least 1, not " + seeds);
    }
    if (minutes != null && !(minutes > 0)) {
      throw new UserError("--minutes must be positive, not " + minutes);
    }
    long most = seeds != null ? seeds : minutes != null ? UNLIMITED : 300;
    terminal.line(
        "Java %s, first seed %d, %s, %s",
        System.getProperty("java.version"),
        first,
        most == UNLIMITED ? "any number of seeds" : most + " seeds",
        minutes == null ? "no time limit" : "at most " + minutes + " minutes");
    long begunNs = System.nanoTime();
    double limitNs = minutes == null ? Double.MAX_VALUE : minutes * TimeUnit.MINUTES.toNanos(1);
    Coverage coverage = new Coverage();
    List<Long> violated = new ArrayList<>();
    long done = 0;
    while (done < most
        && System.nanoTime() - begunNs < limitNs
        && !(endsAtFirst && !violated.isEmpty())) {
      Episode.Result result = episodes.apply(first + done);
      done++;
      coverage.add(result.coverage());
      if (verbose) {
        result.lines().forEach(line -> terminal.line("%s", line));
      }
      if (!result.violations().isEmpty()) {
        violated.add(result.seed());
        show(result, violated.size());
      }
      if (done % 20 == 0) {
        double perMinute = done / ((System.nanoTime() - begunNs) / 60e9);
        terminal.status(
            "%d seeds, %d violated, %.0f a minute".formatted(done, violated.size(), perMinute));
      }
    }
    terminal.statusDone();
    terminal.line(coverage.table());
    double perMinute = done / ((System.nanoTime() - begunNs) / 60e9);
    terminal.line("%.0f seeds a minute", perMinute);
    terminal.line("%d seeds, %d violations", done, violated.size());
    return violated.isEmpty() ? 0 : 1;
  }

  private void show(Episode.Result result, int number) {
    if (number > SHOWN_MAX) {
      return;
    }
    terminal.statusDone();
    terminal.line("seed %d:", result.seed());
    result.violations().stream().limit(SHOWN_MAX).forEach(v -> terminal.line("  %s", v));
    terminal.line("  replay: ./trimtab fuzz --seeds 1 --seed %d --verbose", result.seed());
  }
}
