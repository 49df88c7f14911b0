package io.trimtab.runtime.journal;

import io.trimtab.engineapi.NodeId;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Predicted and measured usage by node, for one plan.
 *
 * @param predicted by the node's name; empty where only the most used node is known, and where they
 *     were left out
 * @param measured the same; empty until it is measured
 * @param errors of the nodes that have both
 */
public record NodeUsages(
    Map<String, Double> predicted, Map<String, Double> measured, Errors errors) {
  static final NodeUsages NONE = new NodeUsages(Map.of(), Map.of(), Errors.NONE);

  /** Steps of a noted usage from 0 to 1: more digits are not worth their bytes. */
  private static final double STEPS = 1e4;

  public NodeUsages {
    predicted = Collections.unmodifiableMap(new TreeMap<>(predicted));
    measured = Collections.unmodifiableMap(new TreeMap<>(measured));
  }

  /**
   * How wrong a prediction was.
   *
   * @param nodes that were predicted and measured
   * @param mean of their absolute errors; NaN without nodes
   * @param worstNode the name of the one with the greatest absolute error; empty without nodes
   * @param worst its error, with its sign: predicted minus measured; NaN without nodes
   */
  public record Errors(int nodes, double mean, String worstNode, double worst) {
    static final Errors NONE = new Errors(0, Double.NaN, "", Double.NaN);

    public boolean known() {
      return nodes > 0;
    }

    private static Errors of(List<Line> lines) {
      List<Line> both = lines.stream().filter(Line::known).toList();
      if (both.isEmpty()) {
        return NONE;
      }
      Comparator<Line> byError = Comparator.comparingDouble(l -> Math.abs(l.error()));
      Line worst = Collections.max(both, byError);
      double mean = both.stream().mapToDouble(l -> Math.abs(l.error())).average().orElseThrow();
      return new Errors(both.size(), mean, worst.node(), worst.error());
    }
  }

  /**
   * One node.
   *
   * @param predicted NaN for a node that has come since
   * @param measured NaN for a node that has left since, and until it is measured
   */
  public record Line(String node, double predicted, double measured) {
    /** Whether it was predicted and measured. */
    public boolean known() {
      return !Double.isNaN(predicted) && !Double.isNaN(measured);
    }

    /** Predicted minus measured usage; NaN unless both are known. */
    public double error() {
      return NodeUsages.error(predicted, measured);
    }
  }

  /** Predictions that are to be measured. */
  static NodeUsages of(Map<String, Double> predicted) {
    return new NodeUsages(predicted, Map.of(), Errors.NONE);
  }

  /**
   * What is noted of nodes' usage.
   *
   * @param names of nodes that went by placeholders
   */
  public static SortedMap<String, Double> noted(
      Map<NodeId, Double> usage, Map<NodeId, NodeId> names) {
    SortedMap<String, Double> noted = new TreeMap<>();
    usage.forEach(
        (node, value) ->
            noted.put(names.getOrDefault(node, node).name(), Math.round(value * STEPS) / STEPS));
    return noted;
  }

  /**
   * Predicted minus measured usage. No more can be measured than a node that is used fully, so that
   * a prediction beyond that counts as that.
   */
  static double error(double predicted, double measured) {
    return Math.min(predicted, Math.max(1, measured)) - measured;
  }

  /** The same with what was measured. */
  NodeUsages with(Map<String, Double> found) {
    return predicted.isEmpty()
        ? this
        : new NodeUsages(predicted, found, Errors.of(lines(predicted, found)));
  }

  /** The errors alone. */
  NodeUsages brief() {
    return new NodeUsages(Map.of(), Map.of(), errors);
  }

  /** All nodes that were predicted or measured, by name. */
  public List<Line> lines() {
    return lines(predicted, measured);
  }

  private static List<Line> lines(Map<String, Double> predicted, Map<String, Double> measured) {
    SortedSet<String> all = new TreeSet<>(predicted.keySet());
    all.addAll(measured.keySet());
    return all.stream()
        .map(
            node ->
                new Line(
                    node,
                    predicted.getOrDefault(node, Double.NaN),
                    measured.getOrDefault(node, Double.NaN)))
        .toList();
  }
}
