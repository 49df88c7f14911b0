package io.trimtab.models.usage;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What share of a node a load uses: CPU user + system + I/O wait (Cruz 2016, chapter 5). It is made
 * of measurements on one node of a kind, and holds for nodes of that kind.
 *
 * <p>Reads: what each costs, what each miss costs beyond that, and what it costs that there are
 * requests at all, from all measurements by least squares ({@link RequestCosts}). (§5.3.1 joins
 * points of one usage by curves over the data size instead; those need more measurements, and went
 * wrong where usage hardly grows with throughput.) Scans: as reads, and what further rows, columns
 * and blocks cost (§5.3.2). Updates: over their throughput alone (§5.4), less what it costs that
 * there are requests at all. Compactions, which the thesis left out: bytes rewritten times what one
 * costs.
 *
 * @param schema {@link #SCHEMA}
 * @param engine {@code hbase} or {@code cassandra}
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

  static final double SEARCH_MAX = 1e9;

  /**
   * One measurement.
   *
   * @param opsPerSecond served
   * @param usage share of the node, in [0, 1]
   * @param ioWait what of it was waiting for the disk
   * @param hitRatio of the block cache for data blocks, in [0, 1]; NaN where nothing was read
   * @param seconds that it took
   */
  public record Measurement(
      double opsPerSecond, double usage, double ioWait, double hitRatio, double seconds) {}

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
   * Usage that a load causes; for many loads make one {@link UsagePredictor}.
   *
   * @throws IllegalArgumentException where the model has no part for a kind of request in the load
   */
  public Prediction predict(Load load) {
    return new UsagePredictor(this).predict(load);
  }

  /** How many times the load makes the node as busy as this; 0 where nothing does. */
  public double headroom(Load load, double targetUsage) {
    return new UsagePredictor(this).headroom(load, targetUsage);
  }

  /** Root mean square of what the read measurements differ from the model, in usage. */
  public double readResidual() {
    return new UsagePredictor(this).readResidual();
  }

  /** The same of the update measurements. */
  public double updateResidual() {
    return new UsagePredictor(this).updateResidual();
  }
}
