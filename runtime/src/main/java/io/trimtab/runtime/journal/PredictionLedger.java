package io.trimtab.runtime.journal;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** Predicted and observed usage of executed plans, derived from the entries of a journal. */
public final class PredictionLedger {
  /** Number of newest predictions that are used to judge a model. */
  static final int RECENT = 5;

  /** Minimum number of predictions needed to judge a model. */
  static final int LEAST = 3;

  /**
   * The prediction for one plan.
   *
   * @param predicted usage of the most used node after it
   * @param measured observed usage of the most used node, after enough samples; NaN before
   */
  public record PredictionResult(
      Instant at,
      String planId,
      String model,
      List<String> kinds,
      double predicted,
      double measured) {
    public boolean known() {
      return !Double.isNaN(measured);
    }

    private PredictionResult with(double usage) {
      return new PredictionResult(at, planId, model, kinds, predicted, usage);
    }

    /** Predicted minus observed usage. */
    public double error() {
      return predicted - measured;
    }
  }

  private final List<PredictionResult> lines = new ArrayList<>();

  PredictionLedger() {}

  /** Continues from earlier predictions, the oldest first. */
  PredictionLedger(List<PredictionResult> earlier) {
    lines.addAll(earlier);
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
      lines.add(
          new PredictionResult(p.at(), p.planId(), p.model(), p.kinds(), p.usage(), Double.NaN));
    } else if (entry instanceof Entry.Measured m) {
      lines.replaceAll(line -> line.planId().equals(m.planId()) ? line.with(m.usage()) : line);
    }
  }

  List<PredictionResult> lines() {
    return List.copyOf(lines);
  }

  /** The plan with the newest prediction, if its result has not been measured yet. */
  Optional<String> unmeasured() {
    return lines.isEmpty() || lines.get(lines.size() - 1).known()
        ? Optional.empty()
        : Optional.of(lines.get(lines.size() - 1).planId());
  }

  /** Mean absolute error by kind of action; a plan counts for each of its kinds. */
  public static Map<String, Double> byKind(List<PredictionResult> lines) {
    Map<String, double[]> sums = new TreeMap<>();
    lines.stream()
        .filter(PredictionResult::known)
        .forEach(
            line ->
                line.kinds()
                    .forEach(
                        kind -> {
                          double[] sum = sums.computeIfAbsent(kind, k -> new double[2]);
                          sum[0] += Math.abs(line.error());
                          sum[1]++;
                        }));
    Map<String, Double> means = new TreeMap<>();
    sums.forEach((kind, sum) -> means.put(kind, sum[0] / sum[1]));
    return means;
  }

  /** Mean absolute error of a model's newest predictions; empty while they are too few. */
  public static OptionalDouble recentError(List<PredictionResult> lines, String model) {
    List<PredictionResult> of =
        lines.stream().filter(l -> l.known() && l.model().equals(model)).toList();
    List<PredictionResult> recent = of.subList(Math.max(0, of.size() - RECENT), of.size());
    return recent.size() < LEAST
        ? OptionalDouble.empty()
        : recent.stream().mapToDouble(l -> Math.abs(l.error())).average();
  }
}
