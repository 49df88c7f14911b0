package io.trimtab.controller.observe;

import io.trimtab.controller.ahead.Ahead;
import io.trimtab.controller.maintenance.BusyNodes;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.WaitSource;
import io.trimtab.models.outlook.Lasting;
import io.trimtab.models.outlook.Outlook;
import io.trimtab.models.outlook.RateSeries;
import io.trimtab.models.usage.CostLearner;
import io.trimtab.models.usage.CostSample;
import io.trimtab.models.usage.LearnedCosts;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
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
          Optional.empty(),
          Optional.empty(),
          CostLearner.NOTHING,
          Map.of(),
          Map.of(),
          BusyNodes.NONE,
          true);

  /** When it was kept by an earlier controller; empty if it was not. */
  private final Optional<Instant> kept;

  private final Optional<ClusterSnapshot> last;
  private final CostLearner learner;
  private final Map<String, RateSeries> series;

  /** What each node's I/O wait was last computed from. */
  private final Map<NodeId, WaitSource> waits;

  private final BusyNodes busy;

  /** As of {@link Kept#missesOnce}. */
  private final boolean missesOnce;

  private LoadRecord(
      Optional<Instant> kept,
      Optional<ClusterSnapshot> last,
      CostLearner learner,
      Map<String, RateSeries> series,
      Map<NodeId, WaitSource> waits,
      BusyNodes busy,
      boolean missesOnce) {
    this.kept = kept;
    this.last = last;
    this.learner = learner;
    this.series = series;
    this.waits = waits;
    this.busy = busy;
    this.missesOnce = missesOnce;
  }

  /**
   * With what nodes have used for what they served since the last snapshot. Costs that were learned
   * from I/O wait of another source are forgotten, and so are those of controllers that counted
   * misses in caches beside the heap twice.
   */
  public LoadRecord with(ClusterSnapshot next) {
    Map<NodeId, WaitSource> now = new HashMap<>();
    boolean others = false;
    for (NodeState node : next.nodes()) {
      WaitSource before = waits.get(node.id());
      WaitSource source = node.usage().known() ? node.usage().waitSource() : before;
      if (source != null) {
        now.put(node.id(), source);
        others |= before != null && before != source;
      }
    }
    boolean beside = next.nodes().stream().anyMatch(node -> node.gauges().cacheBesideHeap());
    CostLearner learned = others || (beside && !missesOnce) ? CostLearner.NOTHING : learner;
    if (last.isEmpty() && kept.isPresent()) {
      Duration since = Duration.between(kept.get(), next.takenAt());
      learned = since.isNegative() ? learned : learned.after(since);
    }
    if (last.isPresent()) {
      for (CostSample sample : CostSamples.between(last.get(), next).values()) {
        learned = learned.with(sample);
      }
      double seconds = Math.max(0, next.secondsSince(last.get()));
      learned = learned.after(Duration.ofMillis((long) (1000 * seconds)));
    }
    BusyNodes before = last.isEmpty() ? busy.resumed(next.takenAt()) : busy;
    return new LoadRecord(
        kept, Optional.of(next), learned, series, now, before.append(next), missesOnce || beside);
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
    return new LoadRecord(kept, last, learner, next, waits, busy, missesOnce);
  }

  /**
   * What is kept of it on disk, so that the next controller knows it.
   *
   * @param schema always {@link #SCHEMA}
   * @param at time of the last snapshot
   * @param costs what requests cost
   * @param tables what each table was asked for
   * @param waits what each node's I/O wait was computed from
   * @param busy nodes that did work beside serving
   * @param missesOnce whether misses in caches beside the heap were counted once, if there are any;
   *     false of older controllers, which counted them twice
   */
  public record Kept(
      int schema,
      Instant at,
      CostLearner.Kept costs,
      Map<String, RateSeries.Kept> tables,
      Map<String, WaitSource> waits,
      BusyNodes.Kept busy,
      boolean missesOnce) {
    public static final int SCHEMA = 1;

    public Kept {
      if (schema != SCHEMA) {
        throw new IllegalArgumentException("schema " + schema + ", not " + SCHEMA);
      }
      if (at == null || costs == null || tables == null || waits == null) {
        throw new IllegalArgumentException("it must have a time, costs, tables and waits");
      }
      tables = Map.copyOf(tables);
      waits = Map.copyOf(waits);
      // Older controllers kept none.
      busy = busy == null ? BusyNodes.NONE.kept() : busy;
    }
  }

  /** The same, as it is kept; empty before the first snapshot. */
  public Optional<Kept> kept() {
    Map<String, RateSeries.Kept> tables = new TreeMap<>();
    series.forEach((table, its) -> tables.put(table, its.kept()));
    Map<String, WaitSource> sources = new TreeMap<>();
    waits.forEach((node, source) -> sources.put(node.name(), source));
    return last.map(
        at ->
            new Kept(
                Kept.SCHEMA,
                at.takenAt(),
                learner.kept(),
                tables,
                sources,
                busy.kept(),
                missesOnce));
  }

  /** One that was kept, which goes on. */
  public static LoadRecord of(Kept kept) {
    Map<String, RateSeries> series = new HashMap<>();
    kept.tables().forEach((table, its) -> series.put(table, RateSeries.of(its, STEPS_KEPT)));
    Map<NodeId, WaitSource> waits = new HashMap<>();
    kept.waits().forEach((node, source) -> waits.put(new NodeId(node), source));
    return new LoadRecord(
        Optional.of(kept.at()),
        Optional.empty(),
        CostLearner.of(kept.costs()),
        series,
        waits,
        BusyNodes.of(kept.busy()),
        kept.missesOnce());
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
  public Optional<LearnedCosts> costs() {
    return learner.weight() > 0 ? Optional.of(learner.costs()) : Optional.empty();
  }

  /** How much more each table will be asked for, by table. */
  public Map<String, Outlook> outlooks(Duration within) {
    Map<String, Outlook> outlooks = new HashMap<>();
    series.forEach((table, its) -> outlooks.put(table, Outlook.of(its, within)));
    return outlooks;
  }

  /** What is expected of the load. */
  public Ahead ahead() {
    return new Ahead(this::outlooks, Lasting.of(series.values()), Optional.empty());
  }
}
