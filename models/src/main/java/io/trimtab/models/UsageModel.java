package io.trimtab.models;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What share of a node a load uses: CPU user + system + I/O wait (Cruz 2016, chapter 5). It is made
 * of measurements on one node of a kind, and holds for nodes of that kind.
 *
 * <p>Reads: at each level of usage, the reads a second that cause it; joined by monotone cubics
 * over the miss ratio and linearly between levels. (§5.3.1 joins them over the data size that has
 * this hit ratio when read uniformly; over the miss ratio, and for the time between reads, the
 * curve is nearly a line, since each miss costs the same.) Scans: as reads, and what further rows,
 * columns and blocks cost (§5.3.2). Updates: over their throughput alone (§5.4). Compactions, which
 * the thesis left out: bytes rewritten times what one costs.
 *
 * @param schema {@link #SCHEMA}
 * @param engine {@code hbase}
 * @param fingerprint what the model holds for; other values are other machines
 * @param idle usage without any load, in [0, 1]
 * @param reads measured points
 * @param updates measured points
 * @param scans what scans cost beyond a read; null where that was not measured
 * @param compaction null where that was not measured
 */
public record UsageModel(
    int schema,
    String engine,
    SortedMap<String, String> fingerprint,
    double idle,
    List<ReadPoint> reads,
    List<UpdatePoint> updates,
    ScanCosts scans,
    CompactionCost compaction) {

  public static final int SCHEMA = 1;

  /** A predicted share has this many standard deviations to either side: 95 %. */
  private static final double WIDTH = 1.96;

  private static final double SEARCH_MAX = 1e9;
  private static final int HALVINGS = 100;

  /** How far below the smallest measured hit ratio nothing is said yet. */
  private static final double HIT_RATIO_SLACK = 0.01;

  /**
   * One measurement.
   *
   * @param opsPerSecond served
   * @param usage share of the node, in [0, 1]
   * @param hitRatio of the block cache for data blocks, in [0, 1]; NaN where nothing was read
   * @param seconds that it took
   */
  public record Measurement(double opsPerSecond, double usage, double hitRatio, double seconds) {}

  /**
   * Reads a second that use so much of the node.
   *
   * @param hitRatio as measured, in (0, 1]
   * @param level of usage, in (0, 1)
   * @param runs all measurements that led there
   */
  public record ReadPoint(
      double hitRatio, double level, double opsPerSecond, List<Measurement> runs) {
    public ReadPoint {
      runs = List.copyOf(runs);
    }
  }

  /** Updates a second that use so much of the node. */
  public record UpdatePoint(double level, double opsPerSecond, List<Measurement> runs) {
    public UpdatePoint {
      runs = List.copyOf(runs);
    }
  }

  /**
   * Usage that one scan a second adds to one read a second.
   *
   * @param row for each further row
   * @param column for each further column of a row
   * @param blockHit for each further block that is in the cache
   * @param blockMiss for each further block that is not
   * @param residual root mean square error of the regression, in usage
   */
  public record ScanCosts(
      double row, double column, double blockHit, double blockMiss, double residual) {}

  /**
   * @param perByte usage that compacting one byte a second causes
   * @param rewrites how often a written byte is compacted
   */
  public record CompactionCost(double perByte, double rewrites) {}

  /**
   * What a node is asked for.
   *
   * @param hitRatio of its block cache, in [0, 1]
   * @param reads single-row reads a second
   * @param scans a second
   * @param scanLength rows of a scan, ≥ 1
   * @param columns of a row that a scan reads, ≥ 1
   * @param blocksPerScan ≥ 1
   * @param updates a second
   * @param updateBytes bytes of an update
   */
  public record Load(
      double hitRatio,
      double reads,
      double scans,
      double scanLength,
      double columns,
      double blocksPerScan,
      double updates,
      double updateBytes) {

    public Load {
      check("the hit ratio", hitRatio, 0, 1);
      check("reads", reads, 0, SEARCH_MAX);
      check("scans", scans, 0, SEARCH_MAX);
      check("the scan length", scanLength, 1, SEARCH_MAX);
      check("columns", columns, 1, SEARCH_MAX);
      check("blocks per scan", blocksPerScan, 1, SEARCH_MAX);
      check("updates", updates, 0, SEARCH_MAX);
      check("bytes of an update", updateBytes, 0, SEARCH_MAX);
    }

    private static void check(String what, double value, double min, double max) {
      if (!(value >= min && value <= max)) {
        throw new IllegalArgumentException(
            what
                + " must be "
                + (max == SEARCH_MAX ? "≥ " + (long) min : "in [0, 1]")
                + ", not "
                + value);
      }
    }

    /** Point reads alone. */
    public static Load ofReads(double hitRatio, double reads) {
      return new Load(hitRatio, reads, 0, 1, 1, 1, 0, 0);
    }

    /** The same requests, so many times as often. */
    public Load times(double factor) {
      return new Load(
          hitRatio,
          factor * reads,
          factor * scans,
          scanLength,
          columns,
          blocksPerScan,
          factor * updates,
          updateBytes);
    }
  }

  /**
   * A predicted usage; more than 1 where the node can't serve the load.
   *
   * @param usage of all together, idle included
   * @param low of an interval that holds the truth in 19 of 20 cases, if the load is of a measured
   *     kind
   * @param reads their part of the usage; the other parts alike
   * @param extrapolated what lies outside what was measured, a clause each; empty where nothing
   *     does
   */
  public record Prediction(
      double usage,
      double low,
      double high,
      double reads,
      double scans,
      double updates,
      double compaction,
      List<String> extrapolated) {
    public Prediction {
      extrapolated = List.copyOf(extrapolated);
    }
  }

  public UsageModel {
    if (schema != SCHEMA) {
      throw new IllegalArgumentException(
          "schema " + schema + " is not known; this program reads schema " + SCHEMA);
    }
    if (engine == null || fingerprint == null || reads == null || reads.isEmpty()) {
      throw new IllegalArgumentException("engine, fingerprint or reads is missing");
    }
    if (!(idle >= 0 && idle < 1)) {
      throw new IllegalArgumentException("idle must be in [0, 1), not " + idle);
    }
    for (ReadPoint point : reads) {
      if (!(point.hitRatio() > 0 && point.hitRatio() <= 1)
          || !(point.level() > 0 && point.level() < 1)
          || !(point.opsPerSecond() > 0 && point.opsPerSecond() < SEARCH_MAX)) {
        throw new IllegalArgumentException(
            "reads has an impossible point: hit ratio %s, level %s, %s ops/s"
                .formatted(point.hitRatio(), point.level(), point.opsPerSecond()));
      }
    }
    fingerprint = new TreeMap<>(fingerprint);
    reads = List.copyOf(reads);
    updates = updates == null ? List.of() : List.copyOf(updates);
  }

  /**
   * Usage that a load causes.
   *
   * @throws IllegalArgumentException where the model has no part for a kind of request in the load
   */
  public Prediction predict(Load load) {
    var beyond = new ArrayList<String>();
    double single = load.reads() + load.scans();
    double points = readUsage(load.hitRatio(), single, beyond) - idle;
    double readPart = single > 0 ? points * load.reads() / single : 0;
    double scanPart = points - readPart + scanExtra(load);
    double updatePart = updateUsage(load.updates(), beyond) - idle;
    double compactionPart =
        compaction == null || load.updates() == 0
            ? 0
            : load.updates() * load.updateBytes() * compaction.rewrites() * compaction.perByte();
    double usage = idle + readPart + scanPart + updatePart + compactionPart;
    double width = WIDTH * deviation(load) * (beyond.isEmpty() ? 1 : 2);
    return new Prediction(
        usage,
        Math.max(0, usage - width),
        usage + width,
        readPart,
        scanPart,
        updatePart,
        compactionPart,
        beyond);
  }

  /** How many times the load makes the node as busy as this; 0 where nothing does. */
  public double headroom(Load load, double usage) {
    if (!(usage > 0 && usage <= 1)) {
      throw new IllegalArgumentException("the usage must be in (0, 1], not " + usage);
    }
    if (predict(load.times(0)).usage() >= usage
        || load.reads() + load.scans() + load.updates() == 0) {
      return 0;
    }
    double most =
        SEARCH_MAX / Math.max(1, Math.max(load.reads(), Math.max(load.scans(), load.updates())));
    double low = 0;
    double high = 1;
    while (predict(load.times(high)).usage() < usage) {
      low = high;
      high *= 2;
      if (high > most) {
        return most;
      }
    }
    for (int i = 0; i < HALVINGS && high - low > 1e-9 * high; i++) {
      double middle = (low + high) / 2;
      if (predict(load.times(middle)).usage() < usage) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  private double readUsage(double hitRatio, double perSecond, List<String> beyond) {
    if (perSecond == 0) {
      return idle;
    }
    double smallest = reads.stream().mapToDouble(ReadPoint::hitRatio).min().orElse(1);
    if (hitRatio < smallest - HIT_RATIO_SLACK) {
      beyond.add("hit ratio below the measured " + percent(smallest));
    }
    var places = new ArrayList<double[]>();
    places.add(new double[] {0, idle});
    double last = 0;
    for (double level : levels()) {
      // A curve that dips under the level below it would make usage fall with throughput.
      double ops = Math.max(last * (1 + 1e-9) + 1e-9, opsAt(level, hitRatio));
      places.add(new double[] {ops, level});
      last = ops;
    }
    if (perSecond > last) {
      beyond.add(
          "more reads than at the highest measured usage, "
              + percent(places.get(places.size() - 1)[1]));
    }
    return line(places, perSecond);
  }

  private static double line(List<double[]> places, double at) {
    int i = 1;
    while (i < places.size() - 1 && places.get(i)[0] < at) {
      i++;
    }
    double[] from = places.get(i - 1);
    double[] to = places.get(i);
    return from[1] + (at - from[0]) * (to[1] - from[1]) / (to[0] - from[0]);
  }

  private List<Double> levels() {
    return reads.stream().map(ReadPoint::level).distinct().sorted().toList();
  }

  /** Reads a second at a level. */
  private double opsAt(double level, double hitRatio) {
    var points =
        reads.stream()
            .filter(p -> p.level() == level)
            .sorted(Comparator.comparingDouble(p -> 1 - p.hitRatio()))
            .toList();
    double[] missRatio = new double[points.size()];
    double[] seconds = new double[points.size()];
    int n = 0;
    for (ReadPoint point : points) {
      double miss = 1 - point.hitRatio();
      if (n > 0 && miss <= missRatio[n - 1]) {
        continue;
      }
      missRatio[n] = miss;
      seconds[n++] = 1 / point.opsPerSecond();
    }
    var curve =
        new MonotoneSpline(
            java.util.Arrays.copyOf(missRatio, n), java.util.Arrays.copyOf(seconds, n));
    double miss = Math.max(1 - hitRatio, missRatio[0]);
    return 1 / Math.max(1e-9, curve.at(miss));
  }

  private double scanExtra(Load load) {
    if (load.scans() == 0) {
      return 0;
    }
    if (scans == null) {
      throw new IllegalArgumentException("the model has no scans; build it with them");
    }
    double blocks = load.blocksPerScan() - 1;
    return load.scans()
        * (scans.row() * (load.scanLength() - 1)
            + scans.column() * (load.columns() - 1) * load.scanLength()
            + scans.blockHit() * blocks * load.hitRatio()
            + scans.blockMiss() * blocks * (1 - load.hitRatio()));
  }

  private double updateUsage(double perSecond, List<String> beyond) {
    if (perSecond == 0) {
      return idle;
    }
    if (updates.isEmpty()) {
      throw new IllegalArgumentException("the model has no updates; build it with them");
    }
    var ascending =
        updates.stream().sorted(Comparator.comparingDouble(UpdatePoint::opsPerSecond)).toList();
    var ops = new ArrayList<Double>(List.of(0.0));
    var usage = new ArrayList<Double>(List.of(idle));
    for (UpdatePoint point : ascending) {
      if (point.opsPerSecond() > ops.get(ops.size() - 1)) {
        ops.add(point.opsPerSecond());
        usage.add(Math.max(point.level(), usage.get(usage.size() - 1)));
      }
    }
    if (perSecond > ops.get(ops.size() - 1)) {
      beyond.add(
          "more updates than at the highest measured usage, "
              + percent(usage.get(usage.size() - 1)));
    }
    return new MonotoneSpline(array(ops), array(usage)).at(perSecond);
  }

  /** Standard deviation of a prediction: of the model's own measurements about it. */
  private double deviation(Load load) {
    double squares = 0;
    if (load.reads() + load.scans() > 0) {
      squares += Math.pow(readResidual(), 2);
    }
    if (load.scans() > 0 && scans != null) {
      squares += Math.pow(scans.residual(), 2);
    }
    if (load.updates() > 0) {
      squares += Math.pow(updateResidual(), 2);
    }
    return Math.sqrt(squares);
  }

  /** Root mean square of what the read measurements differ from the model, in usage. */
  public double readResidual() {
    double squares = 0;
    int n = 0;
    for (ReadPoint point : reads) {
      for (Measurement run : point.runs()) {
        double miss =
            run.usage() - readUsage(run.hitRatio(), run.opsPerSecond(), new ArrayList<>());
        squares += miss * miss;
        n++;
      }
    }
    return n == 0 ? 0 : Math.sqrt(squares / n);
  }

  /** The same of the update measurements. */
  public double updateResidual() {
    double squares = 0;
    int n = 0;
    for (UpdatePoint point : updates) {
      for (Measurement run : point.runs()) {
        double miss = run.usage() - updateUsage(run.opsPerSecond(), new ArrayList<>());
        squares += miss * miss;
        n++;
      }
    }
    return n == 0 ? 0 : Math.sqrt(squares / n);
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private static String percent(double share) {
    return Math.round(100 * share) + " %";
  }
}
