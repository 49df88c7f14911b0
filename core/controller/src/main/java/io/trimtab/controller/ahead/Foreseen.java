package io.trimtab.controller.ahead;

import io.trimtab.engineapi.plan.Counted;
import io.trimtab.models.outlook.Outlook;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * What is counted with for a purpose: how much more tables will be asked for within a time.
 *
 * @param outlooks by table; none for a table of which nothing was recorded
 * @param highest by table, the highest rate that was recorded, in requests a second; none for a
 *     table of which nothing was
 * @param which end of the interval is counted with: the low one where something is done for a rise,
 *     as far as it is sure; the high one where something is given up
 */
public record Foreseen(
    Map<String, Outlook> outlooks,
    Map<String, Double> highest,
    Duration within,
    ToDoubleFunction<Outlook> which) {
  /** A rise that is smaller is told as none. */
  private static final double TOLD = 0.02;

  /** How much more a table will be asked for than now, at least 1. */
  public double factor(String table) {
    Outlook outlook = outlooks.get(table);
    return outlook == null ? 1 : Math.max(1, which.applyAsDouble(outlook));
  }

  /**
   * Requests a second that a table will be asked for, at least as many as now, at most as many as
   * ever. Also of one that is asked for by next to nobody now, of which a multiple tells nothing.
   *
   * @param now requests a second
   */
  public double rate(String table, double now) {
    Outlook outlook = outlooks.get(table);
    if (outlook == null) {
      return now;
    }
    double then = Outlook.rate(which.applyAsDouble(outlook), now);
    return Math.max(now, Math.min(then, highest.getOrDefault(table, then)));
  }

  /** The same of the table that will be asked for most more. */
  public double most() {
    return outlooks.keySet().stream().mapToDouble(this::factor).max().orElse(1);
  }

  /**
   * By which rule the most is foreseen, and what a forecast lacks, to end a text; empty where no
   * table is foreseen to be asked for more, and nothing is lacking.
   */
  public String text() {
    return new TreeMap<>(outlooks)
            .entrySet().stream()
                .filter(table -> factor(table.getKey()) > 1 + TOLD)
                .max(Comparator.comparingDouble(table -> factor(table.getKey())))
                .map(table -> rise(table.getKey(), table.getValue()))
                .orElse("")
        + lacks();
  }

  private String rise(String table, Outlook outlook) {
    return String.format(
        Locale.ROOT,
        "; within %s table %s is expected to be asked for %.2f to %.2f times as much, as %s",
        minutes(within),
        table,
        outlook.low(),
        outlook.high(),
        outlook.rule());
  }

  private String lacks() {
    List<Duration> needs =
        outlooks.values().stream().flatMap(outlook -> outlook.needs().stream()).toList();
    return needs.isEmpty()
        ? ""
        : "; of "
            + (needs.size() == outlooks.size() ? "" : needs.size() + " of ")
            + Counted.of(outlooks.size(), "table")
            + " nothing can be foreseen until "
            + minutes(needs.stream().max(Comparator.naturalOrder()).orElseThrow())
            + " of load are recorded";
  }

  /** The time within which it is, to end a text. */
  public String minutes() {
    return minutes(within);
  }

  static String minutes(Duration time) {
    return Math.max(1, (time.toSeconds() + 59) / 60) + " min";
  }
}
