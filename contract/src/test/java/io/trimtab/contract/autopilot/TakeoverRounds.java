package io.trimtab.contract.autopilot;

import static org.assertj.core.api.Assertions.assertThat;

import io.trimtab.contract.autopilot.Takeover.Loss;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.ToDoubleFunction;

/** Takeovers one after the other, each from a controller that is lost at a random point. */
final class TakeoverRounds {
  /** Long enough for any point of the plan, which takes at least a second longer. */
  private static final int PLAN_MS = 5_000;

  private static final double LIMIT_S = 30;

  private final int rounds = Integer.getInteger("trimtab.takeovers", 20);
  private final long seed = Long.getLong("trimtab.seed", 7);
  private final String engine;
  private final List<Loss> losses;

  /**
   * @param engine name and version, for the report
   * @param losses taken in turns
   */
  TakeoverRounds(String engine, Loss... losses) {
    this.engine = engine;
    this.losses = List.of(losses);
  }

  /** Begins a plan and takes it over; asserts that it was done. */
  interface Round {
    Takeover.Result run(int round, Loss loss, long afterMs) throws Exception;
  }

  /** Writes the report after each round, and fails after the last if one took too long. */
  void run(Path report, Round takeover) throws Exception {
    Random random = new Random(seed);
    List<String> rows = new ArrayList<>();
    List<Takeover.Result> results = new ArrayList<>();
    for (int i = 0; i < rounds; i++) {
      long afterMs = random.nextInt(PLAN_MS);
      Takeover.Result result = takeover.run(i, losses.get(i % losses.size()), afterMs);
      results.add(result);
      rows.add(
          String.format(
              Locale.ROOT,
              "| %d | %s | %.1f | %.1f | %.1f | %.1f | %s |",
              i + 1,
              name(result.loss()),
              afterMs / 1000.0,
              result.lastBeganS(),
              result.resumedS(),
              result.endedS(),
              result.outcome().replaceFirst(":.*", "")));
      System.out.println(rows.get(i));
      write(report, results, rows);
    }
    assertThat(results).allSatisfy(r -> assertThat(r.resumedS()).isLessThan(LIMIT_S));
  }

  private void write(Path report, List<Takeover.Result> results, List<String> rows)
      throws IOException {
    StringBuilder text = new StringBuilder();
    text.append("# Takeovers: ").append(engine).append("\n\n");
    text.append(
        """
        Made by `./trimtab test --takeovers` on %s, seed %d, JDK %s, %d cores. Two controllers with
        folders of their own; the first is lost at a random point of a plan of 9 actions of at
        least 0.7 s each, under load, and the second takes over. Seconds from the loss: until the
        first one's last action began (negative: before the loss), until the second one went on with
        the plan (asked: %.0f at most), and until it had ended the plan. After each round the
        cluster was as planned; at the end no read had been wrong and no acknowledged write was
        lost.

        | | rounds | last begun | goes on after: median (range) | plan ended: median (range) |
        |---|---|---|---|---|
        """
            .formatted(
                LocalDate.now(ZoneOffset.UTC),
                seed,
                Runtime.version().feature(),
                Runtime.getRuntime().availableProcessors(),
                LIMIT_S));
    for (Loss loss : losses) {
      List<Takeover.Result> of = results.stream().filter(r -> r.loss() == loss).toList();
      if (!of.isEmpty()) {
        text.append(
            String.format(
                Locale.ROOT,
                "| %s | %d | %.1f at the latest | %s | %s |\n",
                name(loss),
                of.size(),
                of.stream().mapToDouble(Takeover.Result::lastBeganS).max().orElseThrow(),
                spread(of, Takeover.Result::resumedS),
                spread(of, Takeover.Result::endedS)));
      }
    }
    text.append("\n| round | loss | lost after | last begun | goes on after | ended | plan |\n");
    text.append("|---|---|---|---|---|---|---|\n");
    text.append(String.join("\n", rows)).append("\n");
    Files.createDirectories(report.getParent());
    Files.writeString(report, text);
  }

  private static String spread(
      List<Takeover.Result> results, ToDoubleFunction<Takeover.Result> of) {
    double[] sorted = results.stream().mapToDouble(of).sorted().toArray();
    int n = sorted.length;
    return String.format(
        Locale.ROOT,
        "%.1f (%.1f–%.1f)",
        (sorted[(n - 1) / 2] + sorted[n / 2]) / 2,
        sorted[0],
        sorted[n - 1]);
  }

  private static String name(Loss loss) {
    return switch (loss) {
      case HOST -> "host lost";
      case FREEZE -> "frozen";
      case CUT -> "cut off";
    };
  }
}
