package io.trimtab.formats;

import io.trimtab.config.ByteRate;
import io.trimtab.config.Bytes;
import io.trimtab.config.StrictYaml;
import io.trimtab.models.capacity.Latency;
import io.trimtab.models.capacity.Objective;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/**
 * A service level agreement: a tenant's load and its objectives (Chalkiadaki 2013, ch. 3). As YAML;
 * the schema is next to this class.
 *
 * @param name letters, digits, {@code _}, {@code -} and {@code .}, at most 60
 * @param table the table that it covers; informative, may be null
 * @param workload name of the workload in provisioning tables
 * @param dataSize of all records; this and the next three choose among the workload's tables
 *     ({@link TableChoice}), and may be null
 * @param rowSize of a record
 * @param locality of the requested records
 * @param reads share of the operations, in [0, 1]
 * @param clients number of clients that send requests at the same time, in [1, 1,000,000]
 * @param objective the tenant's objectives
 * @param maxNodes maximum number of nodes that the tenant accepts, in [1, 10,000]; default 100
 * @param clientPrice price of an hour of a client above {@code clients}, ≥ 0; null if there is none
 */
public record Sla(
    String name,
    String table,
    String workload,
    Bytes dataSize,
    Bytes rowSize,
    Locality locality,
    Double reads,
    Integer clients,
    Targets objective,
    Integer maxNodes,
    Double clientPrice) {

  private static final int NODES_MAX = 10_000;
  private static final int NODES_DEFAULT = 100;
  private static final int CLIENTS_MAX = 1_000_000;
  private static final double PRICE_MAX = 1e6;

  /** Distribution of the requested rows. */
  public enum Locality {
    UNIFORM,
    ZIPFIAN;

    /** As files write it. */
    String key() {
      return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Of a file's word.
     *
     * @throws IllegalArgumentException if there is none
     */
    static Locality of(String key) {
      for (Locality locality : values()) {
        if (locality.key().equals(key)) {
          return locality;
        }
      }
      throw new IllegalArgumentException("locality must be uniform or zipfian, not " + key);
    }
  }

  /**
   * Objectives for one kind of operation, of which at least one must be set.
   *
   * @param responseTime maximum mean response time
   * @param p95 maximum 95th percentile
   * @param p99 maximum 99th percentile
   */
  public record KindTargets(Duration responseTime, Duration p95, Duration p99) {
    private static Latency limits(KindTargets kind) {
      return kind == null
          ? Latency.UNKNOWN
          : new Latency(millis(kind.responseTime), millis(kind.p95), millis(kind.p99));
    }
  }

  /**
   * The objectives, of which at least one must be set.
   *
   * @param responseTime maximum mean response time
   * @param p95 maximum 95th percentile
   * @param p99 maximum 99th percentile
   * @param throughput minimum throughput of all clients together
   * @param reads for reads alone
   * @param writes for writes alone
   */
  public record Targets(
      Duration responseTime,
      Duration p95,
      Duration p99,
      ByteRate throughput,
      KindTargets reads,
      KindTargets writes) {
    public Targets {
      times("objective", responseTime, p95, p99);
      if (responseTime == null
          && p95 == null
          && p99 == null
          && throughput == null
          && reads == null
          && writes == null) {
        throw new IllegalArgumentException(
            "objective needs at least one of responseTime, p95, p99, throughput, reads, writes");
      }
      kind("objective.reads", reads);
      kind("objective.writes", writes);
    }

    private static void kind(String key, KindTargets kind) {
      if (kind == null) {
        return;
      }
      if (kind.responseTime == null && kind.p95 == null && kind.p99 == null) {
        throw new IllegalArgumentException(key + " needs at least one of responseTime, p95, p99");
      }
      times(key, kind.responseTime, kind.p95, kind.p99);
    }

    private static void times(String key, Duration mean, Duration p95, Duration p99) {
      positive(key + ".responseTime", mean);
      positive(key + ".p95", p95);
      positive(key + ".p99", p99);
      ordered(key + ".p95", p95, key + ".responseTime", mean);
      ordered(key + ".p99", p99, key + ".responseTime", mean);
      ordered(key + ".p99", p99, key + ".p95", p95);
    }

    private static void ordered(String key, Duration more, String other, Duration less) {
      if (more != null && less != null && more.compareTo(less) < 0) {
        throw new IllegalArgumentException(key + " must not be less than " + other);
      }
    }

    private static void positive(String key, Duration value) {
      if (value != null && value.isZero()) {
        throw new IllegalArgumentException(key + " must be > 0");
      }
    }
  }

  public Sla {
    if (name == null || !name.matches("[A-Za-z0-9_.-]{1,60}")) {
      throw new IllegalArgumentException("name must be 1 to 60 of A-Z a-z 0-9 _ - ., not " + name);
    }
    if (workload == null || workload.isBlank()) {
      throw new IllegalArgumentException("workload is missing");
    }
    if (clients == null) {
      throw new IllegalArgumentException("clients is missing");
    }
    if (objective == null) {
      throw new IllegalArgumentException("objective is missing");
    }
    within("clients", clients, CLIENTS_MAX);
    maxNodes = maxNodes == null ? NODES_DEFAULT : maxNodes;
    within("maxNodes", maxNodes, NODES_MAX);
    if (reads != null && !(reads >= 0 && reads <= 1)) {
      throw new IllegalArgumentException("reads must be in [0, 1], not " + reads);
    }
    if (clientPrice != null && !(clientPrice >= 0 && clientPrice <= PRICE_MAX)) {
      throw new IllegalArgumentException(
          "clientPrice must be in [0, %.0f], not %s".formatted(PRICE_MAX, clientPrice));
    }
  }

  private static void within(String key, int value, int most) {
    if (value < 1 || value > most) {
      throw new IllegalArgumentException(key + " must be in [1, " + most + "], not " + value);
    }
  }

  public static Sla read(Path file) {
    return StrictYaml.read(file, Sla.class);
  }

  /** The objective to look up in a provisioning table. */
  public Objective toObjective() {
    return new Objective(
        workload,
        clients,
        millis(objective.responseTime()),
        millis(objective.p95()),
        millis(objective.p99()),
        objective.throughput() == null ? Double.NaN : objective.throughput().megabytesPerSecond(),
        maxNodes,
        KindTargets.limits(objective.reads()),
        KindTargets.limits(objective.writes()));
  }

  /** What tables must have been measured with to hold for it. */
  TableProfile profile() {
    return new TableProfile(dataSize, rowSize, locality, reads);
  }

  private static double millis(Duration time) {
    return time == null ? Double.NaN : time.toNanos() / 1e6;
  }

  /** The agreement as YAML that {@link #read} accepts. */
  public String yaml() {
    StringBuilder text = new StringBuilder();
    line(text, "name", name);
    line(text, "table", quoted(table));
    line(text, "workload", quoted(workload));
    line(text, "dataSize", dataSize);
    line(text, "rowSize", rowSize);
    line(text, "locality", locality == null ? null : locality.key());
    line(text, "reads", reads);
    line(text, "clients", clients);
    line(text, "maxNodes", maxNodes);
    line(text, "clientPrice", clientPrice);
    text.append("objective:\n");
    line(text, "  responseTime", millisText(objective.responseTime()));
    line(text, "  p95", millisText(objective.p95()));
    line(text, "  p99", millisText(objective.p99()));
    line(text, "  throughput", objective.throughput());
    kind(text, "reads", objective.reads());
    kind(text, "writes", objective.writes());
    return text.toString();
  }

  private static void kind(StringBuilder text, String key, KindTargets kind) {
    if (kind != null) {
      text.append("  ").append(key).append(":\n");
      line(text, "    responseTime", millisText(kind.responseTime()));
      line(text, "    p95", millisText(kind.p95()));
      line(text, "    p99", millisText(kind.p99()));
    }
  }

  private static void line(StringBuilder text, String key, Object value) {
    if (value != null) {
      text.append(key).append(": ").append(value).append('\n');
    }
  }

  /** A time as accepted by {@link #read} and used in XML; null for null. */
  static String millisText(Duration time) {
    return time == null ? null : time.toMillis() + "ms";
  }

  /** Quotes free text, which YAML might parse as another type. */
  private static String quoted(String text) {
    return text == null ? null : "'" + text.replace("'", "''") + "'";
  }
}
