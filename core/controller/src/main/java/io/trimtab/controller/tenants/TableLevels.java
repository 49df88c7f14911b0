package io.trimtab.controller.tenants;

import io.trimtab.controller.observe.Rates;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.models.outlook.Outlook;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What tables were served when plans were decided. A node that is full does not tell how much it is
 * asked for, and clients that wait for answers fill it whatever is where; that a table is served
 * much less there than before does tell it.
 *
 * @param all at most one of each table
 */
public record TableLevels(List<Level> all) {
  /** Of a table that is served nearly as much as before nothing is said (ours). */
  private static final double LESS = 0.8;

  /** A table may ask for less by itself, so that no more is believed (ours). */
  private static final double MOST = 2;

  /** Of so many tables a line tells. */
  private static final int TOLD = 3;

  public static final TableLevels NONE = new TableLevels(List.of());

  /**
   * A table.
   *
   * @param perSecond requests that were served
   */
  public record Level(String table, double perSecond, Instant at) {
    private boolean isOld(Instant now, Duration counts) {
      return Duration.between(at, now).compareTo(counts) >= 0;
    }

    /** Whether a rate is much less. */
    private boolean isMuchMoreThan(double rate) {
      return rate < LESS * perSecond;
    }

    /** What is believed of it once a plan was decided at a rate that is less. */
    private Level after(double rate) {
      return isMuchMoreThan(rate) ? new Level(table, Math.sqrt(perSecond * rate), at) : this;
    }
  }

  public TableLevels {
    all = all == null ? List.of() : List.copyOf(all);
  }

  /** What each table is served, requests a second; also on nodes that could not be read. */
  public static SortedMap<String, Double> served(Map<PartitionId, Rates> rates) {
    SortedMap<String, Double> served = new TreeMap<>();
    rates.forEach((partition, its) -> served.merge(partition.table(), its.total(), Double::sum));
    return served;
  }

  /**
   * The same when another plan is decided. What a table was served before an earlier one stays as
   * long as that counts and is more: else each plan would make what the one before took from it
   * forgotten. What this plan does not give back is believed half as much, as a ratio, by the next
   * one: on a full cluster all tables' best levels may be more than it can serve, and one plan
   * would follow the other.
   *
   * @param served by table, requests a second
   * @param counts for how long a level counts
   */
  public TableLevels after(Map<String, Double> served, Instant now, Duration counts) {
    Map<String, Level> before = new TreeMap<>();
    all.forEach(level -> before.put(level.table(), level));
    List<Level> next = new ArrayList<>();
    served.forEach(
        (table, rate) -> {
          Level its = before.get(table);
          boolean stays = its != null && !its.isOld(now, counts) && its.perSecond() > rate;
          next.add(stays ? its.after(rate) : new Level(table, rate, now));
        });
    return new TableLevels(next);
  }

  /**
   * Tables that are served much less than before the last plans, each with how many times as much
   * as now that was, in (1, 2].
   *
   * @param served by table, requests a second
   * @param counts for how long a level counts
   */
  public SortedMap<String, Double> lacking(
      Map<String, Double> served, Instant now, Duration counts) {
    SortedMap<String, Double> lacking = new TreeMap<>();
    for (Level level : all) {
      double rate = served.getOrDefault(level.table(), 0.0);
      if (!level.isOld(now, counts)
          && level.perSecond() >= Outlook.NOTHING
          && rate > 0
          && level.isMuchMoreThan(rate)) {
        lacking.put(level.table(), Math.min(MOST, level.perSecond() / rate));
      }
    }
    return lacking;
  }

  /**
   * Which tables lack so much on full nodes, to end a text; empty if none does.
   *
   * @param lacking see {@link #lacking}
   */
  public static String told(Map<String, Double> lacking) {
    if (lacking.isEmpty()) {
      return "";
    }
    String worst =
        lacking.entrySet().stream()
            .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
            .limit(TOLD)
            .map(
                one ->
                    String.format(Locale.ROOT, "%s: %.2f of it", one.getKey(), 1 / one.getValue()))
            .collect(Collectors.joining(", "));
    int more = lacking.size() - TOLD;
    return "; on full nodes tables are served less than before the last plans ("
        + worst
        + (more > 0 ? " and " + more + " more" : "")
        + "), so these nodes are taken to be asked for more than they serve";
  }
}
