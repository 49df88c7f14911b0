package io.trimtab.experiments.placement;

import io.trimtab.experiments.report.ExperimentReport;
import io.trimtab.lab.testbed.RunResult;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What E11 found: each way to place on more and more nodes, until they are enough. */
final class NodesNeeded {
  /** MeT's default threshold, above which a node is overloaded. */
  static final double OVERLOADED = 0.80;

  static final double SERVED = 0.97;

  /** What decides who goes where. */
  enum Arm {
    REQUESTS("by requests a second"),
    USAGE("by predicted usage");

    final String title;

    Arm(String title) {
      this.title = title;
    }
  }

  /**
   * One arm on so many nodes.
   *
   * @param nodeOf by tenant
   * @param predicted usage, by node
   * @param usage observed, by node
   * @param target operations a second that the clients try for
   * @param served operations a second that were answered
   */
  record Outcome(
      Arm arm,
      int nodes,
      int[] nodeOf,
      double[] predicted,
      double[] usage,
      double target,
      double served,
      RunResult result) {
    double most() {
      return Arrays.stream(usage).max().orElse(Double.NaN);
    }

    boolean enough() {
      return served >= SERVED * target && most() <= OVERLOADED;
    }
  }

  private NodesNeeded() {}

  static void write(ExperimentReport report, List<Outcome> outcomes, long seed, String verified) {
    var rows = new ArrayList<List<String>>();
    for (Outcome o : outcomes) {
      rows.add(
          ExperimentReport.row(
              o.arm().title,
              o.nodes(),
              String.format(
                  Locale.ROOT, "%.0f (%.1f %%)", o.served(), 100 * o.served() / o.target()),
              percents(o.usage()),
              percents(o.predicted()),
              o.enough() ? "yes" : "no"));
    }
    report
        .paragraph(
            ("Made by `./trimtab lab run E11 --runs 1 --seed %d` on %s. Cruz 2016, §6.3: there 4"
                    + " nodes by requests (usage 76, 48, 69 and 4 %%) and 3 by usage (69, 59 and"
                    + " 60 %%) for the same throughput.")
                .formatted(seed, LocalDate.now(ZoneOffset.UTC)))
        .heading("Result")
        .paragraph(
            "Nodes needed: by requests a second %s, by predicted usage %s."
                .formatted(needed(outcomes, Arm.REQUESTS), needed(outcomes, Arm.USAGE)))
        .table(
            List.of("placed", "nodes", "ops/s (of target)", "usage by node", "predicted", "enough"),
            rows)
        .paragraph(
            ("Enough: at least %.0f %% of the target is served, and no node is used for more than"
                    + " %.0f %%.")
                .formatted(100 * SERVED, 100 * OVERLOADED))
        .heading("Data")
        .paragraph(verified);
  }

  private static String needed(List<Outcome> outcomes, Arm arm) {
    return outcomes.stream()
        .filter(o -> o.arm() == arm && o.enough())
        .map(o -> Integer.toString(o.nodes()))
        .findFirst()
        .orElse("more than are there");
  }

  static String percents(double[] shares) {
    return Arrays.stream(shares)
            .mapToObj(share -> String.format(Locale.ROOT, "%.0f", 100 * share))
            .reduce((a, b) -> a + ", " + b)
            .orElse("–")
        + " %";
  }
}
