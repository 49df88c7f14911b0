package io.trimtab.controller.observe;

import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.snapshot.ClusterSnapshot;
import io.trimtab.engineapi.snapshot.NodeState;
import io.trimtab.engineapi.snapshot.WaitSource;
import io.trimtab.models.outlook.Outlook;
import io.trimtab.models.outlook.RateSeries;
import io.trimtab.models.usage.CostLearner;
import io.trimtab.models.usage.CostSample;
import io.trimtab.models.usage.LearnedCosts;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What a cluster has shown over days, plans or not: what requests cost, and what each table is
 * asked for. Immutable, of constant size for the same tables.
 */
public final class LoadRecord {
  /** What a table is asked for is kept by the mean of this time. */
  private static final Duration STEP = Duration.ofMinutes(5);

  /** Fifteen days: one more than two weeks. */
  private static final int STEPS_KEPT = 15 * 24 * 12;

  public static final LoadRecord NOTHING =
      new LoadRecord(Optional.empty(), CostLearner.NOTHING, Map.of(), Map.of());

  private final Optional<ClusterSnapshot> last;
  private final CostLearner learner;
  private final Map<String, RateSeries> series;

  /** What each node's I/O wait was last computed from. */
  private final Map<NodeId, WaitSource> waits;

  private LoadRecord(
      Optional<ClusterSnapshot> last,
      CostLearner learner,
      Map<String, RateSeries> series,
      Map<NodeId, WaitSource> waits) {
    this.last = last;
    this.learner = learner;
    this.series = series;
    this.waits = waits;
  }

  /**
   * With what nodes have used for what they served since the last snapshot. Costs that were learned
   * from I/O wait of another source are forgotten.
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
    CostLearner learned = others ? CostLearner.NOTHING : learner;
    if (last.isPresent()) {
      for (CostSample sample : CostSamples.between(last.get(), next).values()) {
        learned = learned.with(sample);
      }
      double seconds = Math.max(0, next.secondsSince(last.get()));
      learned = learned.after(Duration.ofMillis((long) (1000 * seconds)));
    }
    return new LoadRecord(Optional.of(next), learned, series, now);
  }

  /** With what tables are asked for; a table that is gone is forgotten. */
  public LoadRecord with(Observation.Usable seen) {
    Map<String, Double> sums = new HashMap<>();
    seen.rates().forEach((id, rates) -> sums.merge(id.table(), rates.total(), Double::sum));
    Map<String, RateSeries> next = new HashMap<>();
    sums.forEach(
        (table, rate) ->
            next.put(
                table,
                series
                    .getOrDefault(table, RateSeries.of(STEP, STEPS_KEPT))
                    .with(seen.snapshot().takenAt(), rate)));
    return new LoadRecord(last, learner, next, waits);
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
}
