package io.trimtab.runtime.journal;

import io.trimtab.config.Bytes;
import io.trimtab.controller.choice.Alternative;
import io.trimtab.controller.tenants.TableChange;
import java.util.List;
import java.util.Locale;

/** Formats what a decision has weighed. */
public final class AlternativesText {
  private static final String ROW = "%-38s %9s %6s %6s %6s %7s %10s %10s %10s %10s %10s  %s%n";
  private static final double SECONDS_PER_MINUTE = 60;

  private AlternativesText() {}

  /**
   * A table, one alternative a line: the most used node now and then, and about how many minutes
   * the plan takes; prices and savings in minutes of one node. At the end which tables are
   * predicted to be served more or less than now, relative to that.
   */
  public static String table(List<Alternative> alternatives) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            ROW,
            "alternative",
            "most used",
            "then",
            "nodes",
            "moves",
            "splits",
            "moved",
            "rewritten",
            "takes, min",
            "price, min",
            "saves, min",
            ""));
    for (Alternative a : alternatives) {
      text.append(
          String.format(
              Locale.ROOT,
              ROW,
              a.title(),
              usage(a.before()),
              usage(a.most()),
              a.nodes(),
              a.moves(),
              a.splits(),
              Bytes.human((long) a.bytes()),
              Bytes.human((long) a.rewritten()),
              minutes(a.seconds()),
              minutes(a.price()),
              minutes(a.gain()),
              a.verdict() + tables(a)));
    }
    return text.toString().stripTrailing();
  }

  private static String tables(Alternative alternative) {
    String changes = TableChange.text(alternative.tables());
    return changes.isEmpty() ? "" : " (" + changes + ")";
  }

  private static String usage(double usage) {
    return String.format(Locale.ROOT, "%.2f", usage);
  }

  private static String minutes(double seconds) {
    return String.format(Locale.ROOT, "%.1f", seconds / SECONDS_PER_MINUTE);
  }
}
