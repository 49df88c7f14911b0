package io.trimtab.models.capacity;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/**
 * Response times and throughputs that clusters of some node types gave under some workloads, for
 * several numbers of clients and of nodes (Chalkiadaki 2013, ch. 3, Table 3.1). Between two numbers
 * of clients it is interpolated linearly, as Table 5.5 is from Table 5.1. Between two numbers of
 * nodes nothing is said: who has measured 4 and 6 has not tried 5. Immutable.
 */
public final class ProvisioningTable {
  /** A predicted value has this many root mean square errors to either side: 95 %. */
  private static final double WIDTH = 1.96;

  /**
   * One measurement, or the mean of several.
   *
   * @param workload a name; the table's maker says what it stands for
   * @param nodeType a name
   * @param clients that ask at the same time, ≥ 1
   * @param nodes ≥ 1
   * @param responseTimeMs mean, &gt; 0
   * @param throughputMBps of all clients together, ≥ 0
   * @param p95Ms 95th percentile of the response time; NaN where it was not measured
   * @param p99Ms 99th percentile of the response time; NaN where it was not measured
   * @param samples that the values are means of, ≥ 1
   */
  public record Cell(
      String workload,
      String nodeType,
      int clients,
      int nodes,
      double responseTimeMs,
      double throughputMBps,
      double p95Ms,
      double p99Ms,
      int samples) {

    public Cell {
      if (workload == null || workload.isBlank() || nodeType == null || nodeType.isBlank()) {
        throw new IllegalArgumentException("workload and nodeType must not be empty");
      }
      least("clients", clients, 1);
      least("nodes", nodes, 1);
      least("samples", samples, 1);
      if (!(responseTimeMs > 0 && responseTimeMs < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException("responseTimeMs must be > 0, not " + responseTimeMs);
      }
      if (!(throughputMBps >= 0 && throughputMBps < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException("throughputMBps must be ≥ 0, not " + throughputMBps);
      }
      percentile("p95Ms", p95Ms);
      percentile("p99Ms", p99Ms);
    }

    /** The same with another throughput, as a factor of this one. */
    public Cell withThroughput(double factor) {
      return new Cell(
          workload,
          nodeType,
          clients,
          nodes,
          responseTimeMs,
          throughputMBps * factor,
          p95Ms,
          p99Ms,
          samples);
    }

    private static void percentile(String what, double value) {
      if (!Double.isNaN(value) && !(value > 0 && value < Double.POSITIVE_INFINITY)) {
        throw new IllegalArgumentException(what + " must be > 0, not " + value);
      }
    }

    private static void least(String what, int value, int least) {
      if (value < least) {
        throw new IllegalArgumentException(what + " must be ≥ " + least + ", not " + value);
      }
    }
  }

  /**
   * A predicted value with an interval that holds the truth in 19 of 20 cases; the interval's ends
   * are NaN where the table has too few rows to tell, the value where it was not measured, and both
   * the value where this number of clients was.
   */
  public record Value(double value, double low, double high) {
    private static Value of(double value, double error) {
      return new Value(value, value * Math.max(0, 1 - WIDTH * error), value * (1 + WIDTH * error));
    }

    /**
     * At one end of its interval; what was not measured stays so.
     *
     * @param unknown where the end is not known
     */
    private Value at(double end, double unknown) {
      return Double.isNaN(value) ? this : new Value(Double.isNaN(end) ? unknown : end, low, high);
    }

    private Value least() {
      return at(low, 0);
    }

    private Value most() {
      return at(high, Double.POSITIVE_INFINITY);
    }
  }

  /**
   * What a cluster would do.
   *
   * @param extrapolated inputs outside of the measured ranges, one clause each; empty if none does
   */
  public record ServiceEstimate(
      Value responseTimeMs,
      Value throughputMBps,
      Value p95Ms,
      Value p99Ms,
      List<String> extrapolated) {
    public ServiceEstimate {
      extrapolated = List.copyOf(extrapolated);
    }

    /** As if every value were at the good end of its interval. */
    ServiceEstimate atBest() {
      return new ServiceEstimate(
          responseTimeMs.least(),
          throughputMBps.most(),
          p95Ms.least(),
          p99Ms.least(),
          extrapolated);
    }

    /** As if every value were at the bad end of its interval. */
    ServiceEstimate atWorst() {
      return new ServiceEstimate(
          responseTimeMs.most(), throughputMBps.least(), p95Ms.most(), p99Ms.most(), extrapolated);
    }
  }

  private record Series(String workload, String nodeType, int nodes) {}

  private final Map<Series, NavigableMap<Integer, Cell>> rows = new HashMap<>();
  private final Map<String, Errors> errors = new HashMap<>();

  /** Relative errors of interpolation, root mean square; NaN if unknown. */
  private record Errors(double responseTime, double throughput, double p95, double p99) {
    static final Errors NONE = new Errors(0, 0, 0, 0);

    Errors times(double factor) {
      return new Errors(factor * responseTime, factor * throughput, factor * p95, factor * p99);
    }
  }

  /**
   * @throws IllegalArgumentException where there is no cell, or two for the same clients, nodes,
   *     node type and workload
   */
  public ProvisioningTable(List<Cell> cells) {
    if (cells.isEmpty()) {
      throw new IllegalArgumentException("a provisioning table needs rows");
    }
    for (Cell cell : cells) {
      Series key = new Series(cell.workload(), cell.nodeType(), cell.nodes());
      Cell other = rows.computeIfAbsent(key, k -> new TreeMap<>()).put(cell.clients(), cell);
      if (other != null) {
        throw new IllegalArgumentException(
            "two rows for %s on %d nodes of type %s with %d clients"
                .formatted(cell.workload(), cell.nodes(), cell.nodeType(), cell.clients()));
      }
    }
    for (Series key : rows.keySet()) {
      errors.computeIfAbsent(kind(key.workload(), key.nodeType()), k -> errors(key));
    }
  }

  private static String kind(String workload, String nodeType) {
    return workload + "\n" + nodeType;
  }

  /** In the order of the alphabet. */
  public Set<String> workloads() {
    var names = new TreeSet<String>();
    rows.keySet().forEach(key -> names.add(key.workload()));
    return names;
  }

  /** The fewest that anything was measured with. */
  public int fewestClients() {
    return rows.values().stream().mapToInt(NavigableMap::firstKey).min().orElseThrow();
  }

  /** The most that anything was measured with. */
  public int mostClients() {
    return rows.values().stream().mapToInt(NavigableMap::lastKey).max().orElseThrow();
  }

  /** Those that the workload was measured on, in the order of the alphabet. */
  public Set<String> nodeTypes(String workload) {
    var names = new TreeSet<String>();
    rows.keySet().stream()
        .filter(key -> key.workload().equals(workload))
        .forEach(key -> names.add(key.nodeType()));
    return names;
  }

  /** Numbers of nodes that were measured, ascending. */
  public List<Integer> nodes(String workload, String nodeType) {
    return rows.keySet().stream()
        .filter(key -> key.workload().equals(workload) && key.nodeType().equals(nodeType))
        .map(Series::nodes)
        .sorted()
        .toList();
  }

  /**
   * @param clients ≥ 1
   * @throws IllegalArgumentException where this workload was not measured on so many nodes of this
   *     type
   */
  public ServiceEstimate at(String workload, String nodeType, int clients, int nodes) {
    NavigableMap<Integer, Cell> column = rows.get(new Series(workload, nodeType, nodes));
    if (column == null) {
      throw new IllegalArgumentException(
          "%s was not measured on %d nodes of type %s".formatted(workload, nodes, nodeType));
    }
    if (clients < 1) {
      throw new IllegalArgumentException("clients must be ≥ 1, not " + clients);
    }
    List<String> beyond = new ArrayList<>();
    if (clients > column.lastKey()) {
      beyond.add("more clients than the measured " + column.lastKey());
    } else if (clients < column.firstKey()) {
      beyond.add("fewer clients than the measured " + column.firstKey());
    }
    // Twice as wide outside the measured range, where linearity was not verified.
    double doubt = beyond.isEmpty() ? 1 : 2;
    // What was measured is not interpolated.
    Errors error =
        column.containsKey(clients)
            ? Errors.NONE
            : errors.get(kind(workload, nodeType)).times(doubt);
    return new ServiceEstimate(
        Value.of(along(column, clients, Cell::responseTimeMs), error.responseTime()),
        Value.of(along(column, clients, Cell::throughputMBps), error.throughput()),
        Value.of(along(column, clients, Cell::p95Ms), error.p95()),
        Value.of(along(column, clients, Cell::p99Ms), error.p99()),
        beyond);
  }

  /**
   * How many clients wait for an answer at a time, on average (Little's law). No client of a table
   * pauses between two requests, so that its rows tell what one request is worth.
   *
   * @param responseTimeMs mean, ≥ 0
   * @param throughputMBps of all clients together, ≥ 0
   * @return NaN if the table does not tell what a request is worth
   */
  public double waiting(
      String workload, String nodeType, double responseTimeMs, double throughputMBps) {
    double[] worth =
        rows.entrySet().stream()
            .filter(column -> column.getKey().workload().equals(workload))
            .filter(column -> column.getKey().nodeType().equals(nodeType))
            .flatMap(column -> column.getValue().values().stream())
            .mapToDouble(cell -> cell.throughputMBps() * cell.responseTimeMs() / cell.clients())
            .sorted()
            .toArray();
    double median = worth.length == 0 ? 0 : worth[worth.length / 2];
    return median > 0 ? throughputMBps * responseTimeMs / median : Double.NaN;
  }

  /** On the line through the two nearest rows; with one row only, its value. */
  private static double along(
      NavigableMap<Integer, Cell> column, int clients, ToDoubleFunction<Cell> value) {
    Map.Entry<Integer, Cell> low = column.floorEntry(clients);
    Map.Entry<Integer, Cell> high = column.higherEntry(clients);
    if (low != null && low.getKey() == clients) {
      return value.applyAsDouble(low.getValue());
    }
    if (column.size() == 1) {
      return value.applyAsDouble(column.firstEntry().getValue());
    }
    if (low == null) {
      low = column.firstEntry();
      high = column.higherEntry(low.getKey());
    } else if (high == null) {
      high = column.lastEntry();
      low = column.lowerEntry(high.getKey());
    }
    double share = (double) (clients - low.getKey()) / (high.getKey() - low.getKey());
    double at =
        value.applyAsDouble(low.getValue())
            + share * (value.applyAsDouble(high.getValue()) - value.applyAsDouble(low.getValue()));
    // Below the first row the line may go through zero; there is no such response time.
    return Math.max(at, 0);
  }

  /** How far off interpolation is for rows that are known: each left out once between its two. */
  private Errors errors(Series like) {
    var responseTime = new ArrayList<Double>();
    var throughput = new ArrayList<Double>();
    var p95 = new ArrayList<Double>();
    var p99 = new ArrayList<Double>();
    for (var column : rows.entrySet()) {
      Series key = column.getKey();
      if (!key.workload().equals(like.workload()) || !key.nodeType().equals(like.nodeType())) {
        continue;
      }
      List<Cell> cells =
          column.getValue().values().stream()
              .sorted(Comparator.comparingInt(Cell::clients))
              .toList();
      for (int i = 1; i < cells.size() - 1; i++) {
        Cell left = cells.get(i);
        var others = new TreeMap<>(column.getValue());
        others.remove(left.clients());
        responseTime.add(off(others, left, Cell::responseTimeMs));
        throughput.add(off(others, left, Cell::throughputMBps));
        p95.add(off(others, left, Cell::p95Ms));
        p99.add(off(others, left, Cell::p99Ms));
      }
    }
    return new Errors(
        rootMeanSquare(responseTime),
        rootMeanSquare(throughput),
        rootMeanSquare(p95),
        rootMeanSquare(p99));
  }

  private static double off(
      NavigableMap<Integer, Cell> others, Cell left, ToDoubleFunction<Cell> value) {
    double truth = value.applyAsDouble(left);
    return truth == 0 ? Double.NaN : along(others, left.clients(), value) / truth - 1;
  }

  private static double rootMeanSquare(List<Double> errors) {
    double[] known = errors.stream().mapToDouble(e -> e).filter(e -> !Double.isNaN(e)).toArray();
    return known.length == 0
        ? Double.NaN
        : Math.sqrt(Arrays.stream(known).map(e -> e * e).sum() / known.length);
  }
}
