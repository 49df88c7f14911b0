package io.trimtab.controller.observe;

import io.trimtab.controller.ahead.Ahead;
import io.trimtab.controller.learn.NodeLearning;
import io.trimtab.controller.maintenance.BusyNodes;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.models.outlook.Lasting;
import io.trimtab.models.outlook.Outlook;
import io.trimtab.models.outlook.RateSeries;
import io.trimtab.models.usage.LearnedNodes;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a cluster has shown over days, plans or not: what requests cost, and what each table is
 * asked for. Immutable, of constant size for the same tables.
 */
public final class LoadRecord {
  /** What a table is asked for is kept by the mean of this time. */
  private static final Duration STEP = Duration.ofMinutes(5);

  private static final Duration GONE = Duration.ofHours(1);

  /** Fifteen days: one more than two weeks. */
  private static final int STEPS_KEPT = 15 * 24 * 12;

  public static final LoadRecord NOTHING =
      new LoadRecord(
          Optional.empty(), Optional.empty(), NodeLearning.NOTHING, Map.of(), BusyNodes.NONE);

  /** When it was kept by an earlier controller; empty if it was not. */
  private final Optional<Instant> kept;

  private final Optional<ClusterSnapshot> last;
  private final NodeLearning learning;
  private final Map<String, RateSeries> series;
  private final BusyNodes busy;

  private LoadRecord(
      Optional<Instant> kept,
      Optional<ClusterSnapshot> last,
      NodeLearning learning,
      Map<String, RateSeries> series,
      BusyNodes busy) {
    this.kept = kept;
    this.last = last;
    this.learning = learning;
    this.series = series;
    this.busy = busy;
  }

  /** With what nodes have used for what they served since the last snapshot. */
  public LoadRecord with(ClusterSnapshot next) {
    return with(next, Set.of());
  }

  /**
   * The same.
   *
   * @param unexplained nodes whose usage is not explained by what they served, so that nothing is
   *     learned from it
   */
  public LoadRecord with(ClusterSnapshot next, Set<NodeId> unexplained) {
    NodeLearning before = learning;
    if (last.isEmpty() && kept.isPresent()) {
      Duration since = Duration.between(kept.get(), next.takenAt());
      before = since.isNegative() ? before : before.after(since);
    }
    BusyNodes busyBefore = last.isEmpty() ? busy.resumed(next.takenAt()) : busy;
    return new LoadRecord(
        kept,
        Optional.of(next),
        before.with(last, next, unexplained),
        series,
        busyBefore.append(next));
  }

  /**
   * With what tables are asked for; one that is gone is forgotten after {@link #GONE}, since it may
   * only be disabled.
   */
  public LoadRecord with(Observation.Usable seen) {
    Map<String, Double> sums = new HashMap<>();
    seen.rates().forEach((id, rates) -> sums.merge(id.table(), rates.total(), Double::sum));
    Map<String, RateSeries> next = new HashMap<>(series);
    Instant oldest = seen.snapshot().takenAt().minus(GONE);
    next.values().removeIf(its -> its.latest().isBefore(oldest));
    sums.forEach(
        (table, rate) ->
            next.put(
                table,
                series
                    .getOrDefault(table, RateSeries.of(STEP, STEPS_KEPT))
                    .with(seen.snapshot().takenAt(), rate)));
    return new LoadRecord(kept, last, learning, next, busy);
  }

  /**
   * What is kept of it on disk, so that the next controller knows it.
   *
   * @param schema {@link #SCHEMA}; what was written as {@link #WITHOUT_KINDS} has it from then on
   * @param at time of the last snapshot
   * @param learned what requests cost on each kind of node; nothing of files without kinds, whose
   *     costs are of all nodes as if they were alike
   * @param tables what each table was asked for
   * @param busy nodes that did work beside serving
   */
  public record Kept(
      int schema,
      Instant at,
      NodeLearning.Kept learned,
      Map<String, RateSeries.Kept> tables,
      BusyNodes.Kept busy) {
    public static final int SCHEMA = 2;

    /** Of controllers that learned one cost for nodes of all kinds. */
    public static final int WITHOUT_KINDS = 1;

    public Kept {
      if (schema == WITHOUT_KINDS) {
        learned = NodeLearning.Kept.NOTHING;
      } else if (schema != SCHEMA) {
        throw new IllegalArgumentException("schema " + schema + ", not " + SCHEMA);
      }
      if (at == null || learned == null || tables == null) {
        throw new IllegalArgumentException("it must have a time, what was learned, and tables");
      }
      schema = SCHEMA;
      tables = Map.copyOf(tables);
      // Older controllers kept none.
      busy = busy == null ? BusyNodes.NONE.kept() : busy;
    }
  }

  /** The same, as it is kept; empty before the first snapshot. */
  public Optional<Kept> kept() {
    Map<String, RateSeries.Kept> tables = new TreeMap<>();
    series.forEach((table, its) -> tables.put(table, its.kept()));
    return last.map(
        at -> new Kept(Kept.SCHEMA, at.takenAt(), learning.kept(), tables, busy.kept()));
  }

  /** One that was kept, which goes on. */
  public static LoadRecord of(Kept kept) {
    Map<String, RateSeries> series = new HashMap<>();
    kept.tables().forEach((table, its) -> series.put(table, RateSeries.of(its, STEPS_KEPT)));
    return new LoadRecord(
        Optional.of(kept.at()),
        Optional.empty(),
        NodeLearning.of(kept.learned()),
        series,
        BusyNodes.of(kept.busy()));
  }

  /** As one that begins anew with what was kept: the next snapshot is its first. */
  public LoadRecord resumed() {
    return kept().map(LoadRecord::of).orElse(this);
  }

  /** When it was made or, if nothing was seen since, kept; empty for nothing. */
  public Optional<Instant> at() {
    return last.map(ClusterSnapshot::takenAt).or(() -> kept);
  }

  /** Nodes that do work beside serving, also as earlier controllers have seen them. */
  public BusyNodes busy() {
    return busy;
  }

  /** What requests cost; empty before anything was seen. */
  public Optional<LearnedNodes> costs() {
    return learning.learned();
  }

  /** How much more each table will be asked for, by table. */
  public Map<String, Outlook> outlooks(Duration within) {
    Map<String, Outlook> outlooks = new HashMap<>();
    series.forEach((table, its) -> outlooks.put(table, Outlook.of(its, within)));
    return outlooks;
  }

  private Map<String, Double> highest(Duration past) {
    Map<String, Double> highest = new HashMap<>();
    series.forEach((table, its) -> highest.put(table, its.highest(past)));
    return highest;
  }

  /** What is expected of the load. */
  public Ahead ahead() {
    return new Ahead(this::outlooks, this::highest, Lasting.of(series.values()), Optional.empty());
  }
}
