package io.trimtab.runtime;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** What was predicted of plans that were carried out, and what came of it; from the journal. */
public final class Ledger {
  /** Predictions that a model's standing rests on, the newest. */
  static final int RECENT = 5;

  /** With fewer nothing is concluded. */
  static final int LEAST = 3;

  /**
   * One plan.
   *
   * @param predicted usage of the most used node after it
   * @param measured the same, once the cluster had been watched long enough; NaN before
   */
  public record Line(
      Instant at,
      String planId,
      String model,
      List<String> kinds,
      double predicted,
      double measured) {
    public boolean known() {
      return !Double.isNaN(measured);
    }

    /** Predicted less measured, in usage. */
    public double error() {
      return predicted - measured;
    }
  }

  private Ledger() {}

  /** All plans with a prediction, the oldest first. */
  public static List<Line> of(List<Entry> entries) {
    Map<String, Double> measured = new HashMap<>();
    entries.forEach(
        e -> {
          if (e instanceof Entry.Measured m) {
            measured.put(m.planId(), m.usage());
          }
        });
    List<Line> lines = new ArrayList<>();
    for (Entry entry : entries) {
      if (entry instanceof Entry.Predicted p) {
        lines.add(
            new Line(
                p.at(),
                p.planId(),
                p.model(),
                p.kinds(),
                p.usage(),
                measured.getOrDefault(p.planId(), Double.NaN)));
      }
    }
    return lines;
  }

  /** Mean absolute error by kind of action; a plan counts for each kind that it had. */
  public static Map<String, Double> byKind(List<Line> lines) {
    Map<String, double[]> sums = new TreeMap<>();
    lines.stream()
        .filter(Line::known)
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
  static OptionalDouble recentError(List<Line> lines, String model) {
    List<Line> of = lines.stream().filter(l -> l.known() && l.model().equals(model)).toList();
    List<Line> recent = of.subList(Math.max(0, of.size() - RECENT), of.size());
    return recent.size() < LEAST
        ? OptionalDouble.empty()
        : recent.stream().mapToDouble(l -> Math.abs(l.error())).average();
  }
}
