package io.trimtab.controller.settings;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A condition on nodes (Konstantinou 2011, abstract and §4.4).
 *
 * @param metric of each node
 * @param above what the metric must be greater than; null if {@code below} is given
 * @param below what it must be less than; null if {@code above} is given
 * @param nodes how many nodes must be so
 */
public record Trigger(Metric metric, Double above, Double below, Nodes nodes) {

  /** What is known of every node, on HBase and on Cassandra. */
  public enum Metric {
    /** CPU in user mode and in the kernel, smoothed; a share in [0, 1]. */
    CPU(1, 2),
    /** Server usage, smoothed: CPU and I/O wait; a share in [0, 1]. */
    USAGE(1, 2),
    /** Smoothed; a share in [0, 1]. */
    IOWAIT(1, 2),
    /** Five-minute load average of the node's machine, processes per core. */
    LOAD5(Double.MAX_VALUE, 2),
    /** Used heap; a share of the greatest heap in [0, 1]. */
    HEAP(1, 2),
    /** Compactions that wait. */
    COMPACTIONS(Double.MAX_VALUE, 0),
    /** Flushes that wait. */
    FLUSHES(Double.MAX_VALUE, 0);

    private final double most;
    private final int digits;

    Metric(double most, int digits) {
      this.most = most;
      this.digits = digits;
    }

    /** A value for display. */
    public String text(double value) {
      return String.format(Locale.ROOT, "%." + digits + "f", value);
    }

    /** As in settings files. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** How many nodes must meet a condition. */
  public enum Nodes {
    ANY,
    ALL;

    /** As in settings files. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public Trigger {
    if (metric == null) {
      throw new IllegalArgumentException("metric is missing: one of " + words(Metric.values()));
    }
    if ((above == null) == (below == null)) {
      throw new IllegalArgumentException("needs either above or below");
    }
    if (nodes == null) {
      throw new IllegalArgumentException("nodes is missing: " + words(Nodes.values()));
    }
    double limit = above == null ? below : above;
    SettingCheck.that(
        limit >= 0 && limit <= metric.most,
        above == null ? "below" : "above",
        metric.most == 1 ? "in [0, 1]" : "≥ 0",
        limit);
  }

  private static String words(Object[] values) {
    return Arrays.stream(values).map(Object::toString).collect(Collectors.joining(", "));
  }

  public static Trigger above(Metric metric, double limit, Nodes nodes) {
    return new Trigger(metric, limit, null, nodes);
  }

  public static Trigger below(Metric metric, double limit, Nodes nodes) {
    return new Trigger(metric, null, limit, nodes);
  }

  /** Whether a node's value is so; not if it is unknown (NaN). */
  public boolean isMetBy(double value) {
    return above == null ? value < below : value > above;
  }

  /** Whether one is below a limit that is above the other's, of the same metric. */
  boolean overlaps(Trigger other) {
    return isOpposite(other) && gap(other) < 0;
  }

  /** Whether no cluster meets both. */
  boolean excludes(Trigger other) {
    boolean all = nodes == Nodes.ALL || other.nodes == Nodes.ALL;
    return isOpposite(other) && gap(other) >= 0 && all;
  }

  private boolean isOpposite(Trigger other) {
    return metric == other.metric && (above == null) != (other.above == null);
  }

  /** From the limit that is to be below to the one that is to be above. */
  private double gap(Trigger other) {
    return above == null ? other.above - below : above - other.below;
  }

  /** The comparison: "above 0.40". */
  public String limit() {
    return above == null ? "below " + metric.text(below) : "above " + metric.text(above);
  }

  /** As in settings files. */
  @Override
  public String toString() {
    return "{metric: %s, %s, nodes: %s}"
        .formatted(metric, above == null ? "below: " + below : "above: " + above, nodes);
  }
}
