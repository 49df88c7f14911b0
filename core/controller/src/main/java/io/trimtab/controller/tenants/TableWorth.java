package io.trimtab.controller.tenants;

import io.trimtab.controller.observe.Partitions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * What depends on partitions being served. All tables that are asked for count alike, however many
 * requests they have: a small tenant's loss is as much of a loss to it as a large one's. Tables
 * that next to nobody asks for are worth nothing.
 *
 * <p>What a table loses counts relative to what it is served now, and the more often the more it
 * is: each twentieth multiplies its weight by the loss aversion. Little is within what predictions
 * can tell, and counts as a gain does; a table that loses a seventh outweighs, by default, whatever
 * one other can gain.
 */
public final class TableWorth {
  /** Share of what a table is served; so much is within what a prediction can tell. */
  private static final double TOLERATED = 0.05;

  /** Of what a table is asked for; below it nothing is told of a change. */
  private static final double TOLD = 0.01;

  /** Of a table of which less is served no share can be told. */
  private static final double SERVED_MIN = 0.1;

  /** Requests a second below which nobody depends on a table (ours): one in 100 s. */
  private static final double ASKED_MIN = 0.01;

  private final String[] names;
  private final int[] tables;
  private final double[] loads;
  private final double[] requests;
  private final double each;

  /**
   * @param loads by partition, requests a second that are counted with
   * @param nodes that all tables together are worth, in nodes
   */
  public TableWorth(Partitions partitions, double[] loads, int nodes) {
    this.loads = loads;
    names = new String[partitions.tables()];
    tables = new int[partitions.size()];
    requests = new double[names.length];
    for (int p = 0; p < partitions.size(); p++) {
      tables[p] = partitions.table(p);
      names[tables[p]] = partitions.state(p).id().table();
      requests[tables[p]] += loads[p];
    }
    int asked = 0;
    for (int table = 0; table < requests.length; table++) {
      asked += isAsked(table) ? 1 : 0;
    }
    each = asked > 0 ? (double) nodes / asked : 0;
  }

  private boolean isAsked(int table) {
    return requests[table] >= ASKED_MIN;
  }

  /** What a partition's being served is worth, in nodes. */
  public double of(int partition) {
    int table = tables[partition];
    return isAsked(table) ? each * (loads[partition] / requests[table]) : 0;
  }

  public int tables() {
    return names.length;
  }

  public String name(int table) {
    return names[table];
  }

  /**
   * Share of what is asked of each table that is served; 1 of a table that hardly is asked for.
   *
   * @param lost by table, in nodes
   */
  public double[] served(double[] lost) {
    double[] served = new double[names.length];
    for (int table = 0; table < served.length; table++) {
      double share = isAsked(table) ? 1 - lost[table] / each : 1;
      served[table] = Math.max(SERVED_MIN, Math.min(1, share));
    }
    return served;
  }

  /** Share of what a table is served now that it loses; 0 if it loses nothing. */
  private static double lost(double now, double then) {
    return Math.max(0, now - then) / now;
  }

  /**
   * What losses weigh beyond what is served less, in nodes.
   *
   * @param now by table, the share that is served
   * @param aversion by which each twentieth of a loss multiplies its weight, ≥ 1
   */
  public double regret(double[] now, double[] then, double aversion) {
    double sum = 0;
    for (int table = 0; table < now.length; table++) {
      double lost = lost(now[table], then[table]);
      sum += lost * Math.pow(aversion, lost / TOLERATED) - Math.max(0, now[table] - then[table]);
    }
    return each * sum;
  }

  /** The table that loses most, if that is more than is tolerated. */
  public static OptionalInt loser(double[] now, double[] then) {
    return IntStream.range(0, now.length)
        .filter(table -> lost(now[table], then[table]) > TOLERATED)
        .boxed()
        .max(Comparator.comparingDouble(table -> lost(now[table], then[table])))
        .map(OptionalInt::of)
        .orElse(OptionalInt.empty());
  }

  /** Tables that are served more or less than now, by name. */
  public List<TableChange> changes(double[] now, double[] then) {
    List<TableChange> changes = new ArrayList<>();
    for (int table = 0; table < now.length; table++) {
      if (Math.abs(then[table] - now[table]) >= TOLD) {
        changes.add(new TableChange(names[table], now[table], then[table]));
      }
    }
    changes.sort(Comparator.comparing(TableChange::table));
    return changes;
  }
}
