package io.trimtab.controller.tenants;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A table that is predicted to be served more or less than now.
 *
 * @param now share of what it is asked for that is served, in (0, 1]
 * @param then the same after a change
 */
public record TableChange(String table, double now, double then) {
  /** Of so many tables a line tells, of each kind. */
  private static final int TOLD = 3;

  /** Which tables gain and which lose, those that change most first; empty where none does. */
  public static String text(List<TableChange> changes) {
    String gain = text(changes.stream().filter(one -> one.share() > 0).toList(), "gains", "gain");
    String lose = text(changes.stream().filter(one -> one.share() < 0).toList(), "loses", "lose");
    return gain.isEmpty() || lose.isEmpty() ? gain + lose : gain + "; " + lose;
  }

  private static String text(List<TableChange> some, String one, String many) {
    if (some.isEmpty()) {
      return "";
    }
    String first =
        some.stream()
            .sorted((a, b) -> Double.compare(Math.abs(b.share()), Math.abs(a.share())))
            .limit(TOLD)
            .map(its -> String.format(Locale.ROOT, "%s %+.0f %%", its.table, 100 * its.share()))
            .collect(Collectors.joining(", "));
    int more = some.size() - TOLD;
    return (some.size() == 1 ? one : many)
        + " "
        + first
        + (more > 0 ? " and " + more + " more" : "");
  }

  /** Relative to what is served now. */
  private double share() {
    return then / now - 1;
  }
}
