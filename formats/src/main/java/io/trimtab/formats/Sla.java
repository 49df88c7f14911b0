package io.trimtab.formats;

import io.trimtab.config.ByteRate;
import io.trimtab.config.Bytes;
import io.trimtab.config.StrictYaml;
import io.trimtab.models.capacity.Objective;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;

/**
 * A service level agreement: what a tenant asks with, and how it is to be answered (Chalkiadaki
 * 2013, ch. 3). As YAML; the schema is beside this class.
 *
 * @param name letters, digits, {@code _}, {@code -} and {@code .}, at most 60
 * @param table whose requests it is about; for people, may be missing
 * @param workload as provisioning tables name it
 * @param dataSize for people, may be missing
 * @param rowSize for people, may be missing
 * @param locality for people, may be missing
 * @param reads share of the operations, in [0, 1]; for people, may be missing
 * @param clients that ask at the same time, in [1, 1,000,000]
 * @param objective how the tenant is to be answered
 * @param maxNodes that the tenant will have, in [1, 10,000]; default 100
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
    Integer maxNodes) {

  private static final int NODES_MAX = 10_000;
  private static final int NODES_DEFAULT = 100;
  private static final int CLIENTS_MAX = 1_000_000;

  /** Which rows are asked for. */
  public enum Locality {
    UNIFORM,
    ZIPFIAN
  }

  /**
   * At least one of them.
   *
   * @param responseTime the mean is to be no more
   * @param p95 the 95th percentile is to be no more
   * @param p99 the 99th percentile is to be no more
   * @param throughput of all clients together, at least
   */
  public record Targets(Duration responseTime, Duration p95, Duration p99, ByteRate throughput) {
    public Targets {
      positive("objective.responseTime", responseTime);
      positive("objective.p95", p95);
      positive("objective.p99", p99);
      if (responseTime == null && p95 == null && p99 == null && throughput == null) {
        throw new IllegalArgumentException(
            "objective needs at least one of responseTime, p95, p99, throughput");
      }
      ordered("objective.p95", p95, "objective.responseTime", responseTime);
      ordered("objective.p99", p99, "objective.responseTime", responseTime);
      ordered("objective.p99", p99, "objective.p95", p95);
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
  }

  private static void within(String key, int value, int most) {
    if (value < 1 || value > most) {
      throw new IllegalArgumentException(key + " must be in [1, " + most + "], not " + value);
    }
  }

  public static Sla read(Path file) {
    return StrictYaml.read(file, Sla.class);
  }

  /** What it asks of a provisioning table. */
  public Objective asked() {
    return new Objective(
        workload,
        clients,
        millis(objective.responseTime()),
        millis(objective.p95()),
        millis(objective.p99()),
        objective.throughput() == null ? Double.NaN : objective.throughput().megabytesPerSecond(),
        maxNodes);
  }

  private static double millis(Duration time) {
    return time == null ? Double.NaN : time.toNanos() / 1e6;
  }

  /** As {@link #read} takes it. */
  public String yaml() {
    StringBuilder text = new StringBuilder();
    line(text, "name", name);
    line(text, "table", quoted(table));
    line(text, "workload", quoted(workload));
    line(text, "dataSize", dataSize);
    line(text, "rowSize", rowSize);
    line(text, "locality", locality == null ? null : locality.name().toLowerCase(Locale.ROOT));
    line(text, "reads", reads);
    line(text, "clients", clients);
    line(text, "maxNodes", maxNodes);
    text.append("objective:\n");
    line(text, "  responseTime", millisText(objective.responseTime()));
    line(text, "  p95", millisText(objective.p95()));
    line(text, "  p99", millisText(objective.p99()));
    line(text, "  throughput", objective.throughput());
    return text.toString();
  }

  private static void line(StringBuilder text, String key, Object value) {
    if (value != null) {
      text.append(key).append(": ").append(value).append('\n');
    }
  }

  /** As {@link #read} and agreements in XML take it; null where there is none. */
  static String millisText(Duration time) {
    return time == null ? null : time.toMillis() + "ms";
  }

  /** Free text may hold what YAML takes for something else. */
  private static String quoted(String text) {
    return text == null ? null : "'" + text.replace("'", "''") + "'";
  }
}
