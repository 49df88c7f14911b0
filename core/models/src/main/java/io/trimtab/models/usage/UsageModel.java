package io.trimtab.models.usage;

import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Predicts server usage of a load: CPU user + system + I/O wait as a share of the node (Cruz 2016,
 * chapter 5). A model is measured on one node, and is valid for nodes of the same kind.
 *
 * <p>Reads: the cost of each read, the additional cost of each miss, and the cost of serving any
 * requests at all, fitted to all measurements by least squares ({@link RequestCosts}). (§5.3.1
 * instead joins points of equal usage by curves over the data size; these need more measurements,
 * and fail if usage hardly grows with throughput.) Scans: each scanner that is opened costs what a
 * read does, plus the cost of further rows, columns and blocks (§5.3.2), and of further calls.
 * Updates: a function of their throughput alone (§5.4), minus the cost of serving any requests at
 * all. Compactions, which the thesis does not model: rewritten bytes times the cost of a byte.
 *
 * @param schema {@link #SCHEMA}
 * @param engine {@code hbase} or {@code cassandra}
 * @param fingerprint properties of the nodes that the model is valid for
 * @param idle usage without load, in [0, 1]
 * @param reads measured points
 * @param updates measured points
 * @param scans additional costs of scans; null if not measured
 * @param compaction null if not measured
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

  /** What the fingerprint names the source of the measurements' I/O wait by. */
  public static final String WAIT_SOURCE = "ioWait";

  static final double SEARCH_MAX = 1e9;

  /**
   * One measurement.
   *
   * @param opsPerSecond throughput in operations per second
   * @param usage share of the node, in [0, 1]
   * @param ioWait the part of the usage that is I/O wait
   * @param hitRatio of the block cache for data blocks, in [0, 1]; NaN without reads
   * @param seconds duration
   * @param waitSource name of what I/O wait was computed from; empty if it was not recorded
   */
  public record Measurement(
      double opsPerSecond,
      double usage,
      double ioWait,
      double hitRatio,
      double seconds,
      String waitSource) {
    public Measurement {
      // Older files do not tell it.
      waitSource = waitSource == null ? "" : waitSource;
    }

    public Measurement(
        double opsPerSecond, double usage, double ioWait, double hitRatio, double seconds) {
      this(opsPerSecond, usage, ioWait, hitRatio, seconds, "");
    }
  }

  /**
   * Throughput of reads at a level of usage.
   *
   * @param hitRatio as measured, in (0, 1]
   * @param level of usage, in (0, 1)
   * @param runs all measurements made for this point
   */
  public record ReadPoint(
      double hitRatio, double level, double opsPerSecond, List<Measurement> runs) {
    public ReadPoint {
      runs = List.copyOf(runs);
    }
  }

  /** Throughput of updates at a level of usage. */
  public record UpdatePoint(double level, double opsPerSecond, List<Measurement> runs) {
    public UpdatePoint {
      runs = List.copyOf(runs);
    }
  }

  /**
   * Additional usage of one scan per second compared with one read per second: equations 5.1 to
   * 5.4, and the further calls of a long scan, which the thesis does not model.
   *
   * @param row for each further row
   * @param column for each further column of a row
   * @param blockHit for each further block that is in the cache
   * @param blockMiss for each further block that is not
   * @param call for each further call; null if not measured, as in files of version 0.1.0
   * @param residual root mean square error of the regression, in usage
   */
  public record ScanCosts(
      double row, double column, double blockHit, double blockMiss, Double call, double residual) {}

  /**
   * The cost of compactions.
   *
   * @param perByte usage caused by compacting one byte per second
   * @param rewrites number of times that a written byte is compacted
   */
  public record CompactionCost(double perByte, double rewrites) {}

  static void check(String what, double value, double min, double max) {
    if (!(value >= min && value <= max)) {
      throw new IllegalArgumentException(
          what
              + " must be "
              + (max == SEARCH_MAX ? "≥ " + (long) min : "in [0, 1]")
              + ", not "
              + value);
    }
  }

  /**
   * The load of a node.
   *
   * @param hitRatio of its block cache, in [0, 1]
   * @param reads single-row reads per second
   * @param scans per second: scanners opened on partitions, not their calls
   * @param scan what a scan asks for
   * @param updates updates per second
   * @param updateBytes bytes per update
   */
  public record Load(
      double hitRatio,
      double reads,
      double scans,
      ScanShape scan,
      double updates,
      double updateBytes) {

    /** So few requests a second are none. */
    private static final double FEW = 1e-9;

    public Load {
      check("the hit ratio", hitRatio, 0, 1);
      check("reads", reads, 0, SEARCH_MAX);
      check("scans", scans, 0, SEARCH_MAX);
      check("updates", updates, 0, SEARCH_MAX);
      check("bytes of an update", updateBytes, 0, SEARCH_MAX);
    }

    /** No requests at all. */
    public static final Load NONE = withoutScans(1, 0, 0, 0);

    /** Point reads alone. */
    public static Load ofReads(double hitRatio, double reads) {
      return withoutScans(hitRatio, reads, 0, 0);
    }

    /** Point reads and updates. */
    public static Load withoutScans(
        double hitRatio, double reads, double updates, double updateBytes) {
      return new Load(hitRatio, reads, 0, ScanShape.ONE_ROW, updates, updateBytes);
    }

    /** A copy with all rates multiplied by a factor. */
    public Load times(double factor) {
      return new Load(
          hitRatio, factor * reads, factor * scans, scan, factor * updates, updateBytes);
    }

    /** The same requests with another hit ratio. */
    public Load withHitRatio(double other) {
      return new Load(other, reads, scans, scan, updates, updateBytes);
    }

    /** Adds many up in less time than one by one. Not for several threads. */
    public static final class Sum {
      private double reads;
      private double scans;
      private double calls;
      private double rows;
      private double cells;
      private double blocks;
      private double updates;
      private double bytes;

      /** Adds one. */
      public void add(Load load) {
        reads += load.reads;
        if (load.scans > 0) {
          scans += load.scans;
          calls += load.scans * load.scan.calls();
          rows += load.scans * load.scan.rows();
          cells += load.scans * load.scan.rows() * load.scan.columns();
          blocks += load.scans * load.scan.blocks();
        }
        updates += load.updates;
        bytes += load.updates * load.updateBytes;
      }

      /** All that were added; the hit ratio is set to 1, as of two together. */
      public Load total() {
        ScanShape scan =
            scans > FEW
                ? new ScanShape(
                    mean(calls, scans), mean(rows, scans), mean(cells, rows), mean(blocks, scans))
                : ScanShape.ONE_ROW;
        return new Load(1, reads, scans, scan, updates, updates > FEW ? bytes / updates : 0);
      }

      private static double mean(double sum, double number) {
        return Math.max(1, sum / number);
      }
    }

    /** Both together; the hit ratio of the sum is not known from its parts, and is set to 1. */
    public Load plus(Load other) {
      return combined(other, scans + other.scans, updates + other.updates, 1);
    }

    /** What is left when a part is taken away again. */
    public Load minus(Load part) {
      return combined(
          part, Math.max(0, scans - part.scans), Math.max(0, updates - part.updates), -1);
    }

    /** Means over scans and updates are weighted by how many there are. */
    private Load combined(Load other, double newScans, double newUpdates, int sign) {
      return new Load(
          1,
          Math.max(0, reads + sign * other.reads),
          newScans,
          scan.mean(scans, other.scan, sign * other.scans),
          newUpdates,
          meanBytes(sign * other.updates, other.updateBytes));
    }

    private double meanBytes(double others, double theirBytes) {
      double n = updates + others;
      return n > FEW ? Math.max(0, (updates * updateBytes + others * theirBytes) / n) : 0;
    }
  }

  /**
   * A predicted usage; above 1 if the node can't serve the load.
   *
   * @param usage total usage, including idle usage
   * @param low lower end of the 95 % interval, for loads of a measured kind
   * @param reads the part of the usage caused by reads; the other parts likewise
   * @param extrapolated values outside the measured range, one clause each; empty if there are none
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

  /** Name of what the measurements' I/O wait was computed from; empty if it was not recorded. */
  public String waitSource() {
    return fingerprint.getOrDefault(WAIT_SOURCE, "");
  }

  /**
   * Predicts the usage of a load; for many loads create one {@link UsagePredictor}.
   *
   * @throws IllegalArgumentException if the model does not cover a kind of request in the load
   */
  public Prediction predict(Load load) {
    return new UsagePredictor(this).predict(load);
  }

  /**
   * The factor by which the load can be multiplied until the node reaches this usage; 0 if there is
   * none.
   */
  public double headroom(Load load, double targetUsage) {
    return new UsagePredictor(this).headroom(load, targetUsage);
  }

  /** Root mean square deviation of the read measurements from the model, in usage. */
  public double readResidual() {
    return new UsagePredictor(this).readResidual();
  }

  /** Root mean square deviation of the update measurements from the model, in usage. */
  public double updateResidual() {
    return new UsagePredictor(this).updateResidual();
  }
}
