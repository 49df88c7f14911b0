package io.trimtab.runtime.journal;

import io.trimtab.controller.observe.ColdNodes;
import io.trimtab.controller.place.UsagePrediction.Origin;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Predicted and observed usage of executed plans, derived from the entries of a journal. */
public final class PredictionLedger {
  /** Number of newest predictions that are used to judge a model. */
  static final int RECENT = 5;

  /** Minimum number of predictions needed to judge a model. */
  static final int LEAST = 3;

  /**
   * The prediction for one plan.
   *
   * @param model id of the built model; empty where usage was predicted from something else
   * @param predicted usage of the most used node after it
   * @param measured observed usage of the most used node, when caches have filled; NaN before
   * @param from what usage was predicted from
   * @param nodes the same by node
   * @param overtaken whether the next plan began before that, so that it is not measured
   */
  public record PredictionResult(
      Instant at,
      String planId,
      String model,
      List<String> kinds,
      double predicted,
      double measured,
      Origin from,
      NodeUsages nodes,
      boolean overtaken) {
    public PredictionResult {
      // Older controllers predicted the most used node only, from a built model.
      from = from == null ? Origin.BUILT : from;
      nodes = nodes == null ? NodeUsages.NONE : nodes;
    }

    private static PredictionResult of(Entry.Predicted p) {
      return new PredictionResult(
          p.at(),
          p.planId(),
          p.model(),
          p.kinds(),
          p.usage(),
          Double.NaN,
          p.from(),
          NodeUsages.of(p.nodes()),
          false);
    }

    public boolean known() {
      return !Double.isNaN(measured);
    }

    private PredictionResult with(Entry.Measured found) {
      return with(found.usage(), nodes.with(found.nodes()), false);
    }

    /** The same with the nodes' errors alone. */
    private PredictionResult brief() {
      return with(measured, nodes.brief(), overtaken);
    }

    private PredictionResult with(double found, NodeUsages its, boolean before) {
      return new PredictionResult(at, planId, model, kinds, predicted, found, from, its, before);
    }

    /** The same where the next plan has begun: of one that was measured before, nothing changes. */
    private PredictionResult overtake() {
      return with(measured, nodes, overtaken || !known());
    }

    /** Predicted minus observed usage of the most used node. */
    public double error() {
      return NodeUsages.error(predicted, measured);
    }

    /** Mean absolute error over all nodes; where they are not known, of the most used one. */
    public double meanError() {
      return nodes.errors().known() ? nodes.errors().mean() : Math.abs(error());
    }

    /**
     * What a model is judged by: decisions rest on the most used node, so that many idle ones don't
     * make up for it.
     */
    private double judged() {
      return Math.max(meanError(), Math.abs(error()));
    }
  }

  private final List<PredictionResult> lines = new ArrayList<>();
  private final UnaryOperator<PredictionResult> kept;

  private PredictionLedger() {
    kept = UnaryOperator.identity();
  }

  /**
   * Continues from earlier predictions, the oldest first. What was predicted and measured by node
   * is kept only until it is compared; of the rest the errors suffice to judge a model.
   */
  PredictionLedger(List<PredictionResult> earlier) {
    lines.addAll(earlier);
    kept = PredictionResult::brief;
  }

  /** All plans with a prediction, the oldest first. */
  public static List<PredictionResult> of(List<Entry> entries) {
    PredictionLedger ledger = new PredictionLedger();
    entries.forEach(ledger::read);
    return ledger.lines();
  }

  /** Processes the next entry. */
  void read(Entry entry) {
    if (entry instanceof Entry.Predicted p) {
      // Only the newest one is measured.
      lines.replaceAll(kept);
      lines.add(PredictionResult.of(p));
    } else if (entry instanceof Entry.Measured m) {
      lines.replaceAll(line -> line.planId().equals(m.planId()) ? kept.apply(line.with(m)) : line);
    } else if (entry instanceof Entry.PlanStarted) {
      planBegun();
    }
  }

  /** What was not measured before is not compared: the cluster is about to be another one. */
  void planBegun() {
    lines.replaceAll(PredictionResult::overtake);
  }

  List<PredictionResult> lines() {
    return List.copyOf(lines);
  }

  /**
   * The plan whose prediction is to be measured now: the newest one, if it has not been, when
   * caches have filled, or as long after it as they may take.
   *
   * @param filled whether they have since it ended, as far as that is known
   */
  Optional<String> due(Instant now, boolean filled) {
    if (lines.isEmpty()) {
      return Optional.empty();
    }
    PredictionResult newest = lines.get(lines.size() - 1);
    boolean late = Duration.between(newest.at(), now).compareTo(ColdNodes.LONGEST) >= 0;
    return !newest.known() && !newest.overtaken() && (filled || late)
        ? Optional.of(newest.planId())
        : Optional.empty();
  }

  /**
   * Mean of the plans' {@link PredictionResult#meanError} by kind of action; a plan counts for each
   * of its kinds.
   */
  public static SortedMap<String, Double> byKind(List<PredictionResult> lines) {
    return means(lines, PredictionResult::kinds);
  }

  /** The same by what usage was predicted from. */
  public static SortedMap<Origin, Double> byOrigin(List<PredictionResult> lines) {
    return means(lines, line -> List.of(line.from()));
  }

  private static <K> SortedMap<K, Double> means(
      List<PredictionResult> lines, Function<PredictionResult, List<K>> keys) {
    Map<K, List<Double>> errors = new TreeMap<>();
    for (PredictionResult line : lines) {
      if (line.known()) {
        for (K key : keys.apply(line)) {
          errors.computeIfAbsent(key, k -> new ArrayList<>()).add(line.meanError());
        }
      }
    }
    SortedMap<K, Double> means = new TreeMap<>();
    errors.forEach(
        (key, of) -> means.put(key, of.stream().mapToDouble(e -> e).average().orElseThrow()));
    return means;
  }

  /**
   * Mean over a built model's newest predictions of their errors: over all nodes, or of the most
   * used one where that is more; empty while they are too few.
   *
   * @param model its id
   */
  public static OptionalDouble recentError(List<PredictionResult> lines, String model) {
    List<PredictionResult> of =
        lines.stream()
            .filter(l -> l.known() && l.from() == Origin.BUILT && l.model().equals(model))
            .toList();
    List<PredictionResult> recent = of.subList(Math.max(0, of.size() - RECENT), of.size());
    return recent.size() < LEAST
        ? OptionalDouble.empty()
        : recent.stream().mapToDouble(PredictionResult::judged).average();
  }
}
