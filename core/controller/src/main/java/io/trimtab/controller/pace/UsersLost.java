package io.trimtab.controller.pace;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * What a plan has cost the cluster's users so far: by how much the level of their requests was
 * below that before it, added up over time. A table that is served more at one time makes up for
 * less at another, as its level also varies by chance; one table does not make up for another.
 */
public final class UsersLost {
  /** By name, so that sums are the same to the last digit wherever they are made. */
  private final Map<String, Lost> tables = new TreeMap<>();

  private boolean waiting;

  /**
   * @param before requests a second before the plan
   * @param seconds of its requests that were not served; below 0 if more were served than before
   */
  private record Lost(double before, double seconds) {}

  /**
   * Adds some seconds of a plan, unless it has waited in them.
   *
   * @param levels of tables that can be compared
   */
  public void add(List<UsersLevel.Level> levels, double seconds) {
    if (waiting) {
      waiting = false;
      return;
    }
    for (UsersLevel.Level level : levels) {
      Lost more = new Lost(level.before(), (1 - level.ofMean()) * seconds);
      tables.merge(
          level.table(), more, (one, two) -> new Lost(two.before(), one.seconds() + two.seconds()));
    }
  }

  /** The plan does nothing until more is added: what is lost meanwhile is not its cost. */
  public void waits() {
    waiting = true;
  }

  /**
   * Seconds of all users' requests, of which tables are as much as in {@link UsersLevel#kept};
   * empty if nothing could be compared.
   */
  public OptionalDouble seconds() {
    double requests = tables.values().stream().mapToDouble(Lost::before).sum();
    if (requests <= 0) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(
        tables.values().stream()
            .mapToDouble(
                t -> 0.5 * (t.before() / requests + 1.0 / tables.size()) * Math.max(0, t.seconds()))
            .sum());
  }
}
