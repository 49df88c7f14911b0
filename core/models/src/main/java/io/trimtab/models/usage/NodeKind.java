package io.trimtab.models.usage;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * What a model's nodes are compared by with other nodes: a model predicts the usage of nodes of the
 * kind that it was measured on (Cruz 2016, ch. 5).
 */
public enum NodeKind {
  /** {@code hbase} or {@code cassandra}; a model has it besides its fingerprint. */
  ENGINE("engine", 0, v -> v, v -> v),
  VERSION("engineVersion", 0, v -> "engine version " + v, v -> v),
  /** Number of cores that the node may use. */
  CORES("cores", 0.01, NodeKind::cores, NodeKind::number),
  /** Memory limit, page cache included, with a unit. */
  MEMORY("memory", 0, v -> v + " of memory", v -> v),
  /** Bytes; a JVM's heap is a little smaller than what it was given. */
  HEAP("heapBytes", 0.1, v -> mebibytes(v) + " of heap", NodeKind::mebibytes),
  /** Bytes of the block cache, or of Cassandra's row cache. */
  CACHE("cacheBytes", 0.1, v -> mebibytes(v) + " of cache", NodeKind::mebibytes),
  PAGE_CACHE("pageCache", 0, v -> v + " of page cache", v -> v),
  /** Reads a second that may reach the disk; 0: any number. */
  DISK_READS(
      "diskReadsPerSecond",
      0.01,
      v -> number(v).equals("0") ? "unlimited disk reads" : number(v) + " disk reads a second",
      v -> number(v).equals("0") ? "no such limit" : number(v) + " a second"),
  /** The processor's name. */
  CPU("cpu", 0, v -> "the processor " + v, v -> v);

  private static final String NUMBER = "[0-9]+([.][0-9]+)?(E[0-9]+)?";

  private final String key;
  private final double tolerance;
  private final UnaryOperator<String> phrase;
  private final UnaryOperator<String> value;

  /**
   * @param key in fingerprints
   * @param tolerance relative difference up to which two numbers are alike; 0 for words
   * @param phrase of a value, to follow "nodes with"
   * @param value a value, to follow "has" in the same sentence
   */
  NodeKind(
      String key, double tolerance, UnaryOperator<String> phrase, UnaryOperator<String> value) {
    this.key = key;
    this.tolerance = tolerance;
    this.phrase = phrase;
    this.value = value;
  }

  /** Its key in fingerprints. */
  public String key() {
    return key;
  }

  /**
   * A thing in which two nodes differ.
   *
   * @param measured how the measured node is, to follow "nodes with"
   * @param its how the other is, to follow "has" in the same sentence
   */
  public record Difference(String measured, String its) {}

  /**
   * The first thing in which a node differs from those that were measured. What either does not
   * tell is not compared.
   *
   * @param measured the fingerprint of the measured nodes
   * @param its the same of the node
   */
  public static Optional<Difference> difference(
      Map<String, String> measured, Map<String, String> its) {
    for (NodeKind kind : values()) {
      String there = measured.getOrDefault(kind.key, "");
      String here = its.getOrDefault(kind.key, "");
      if (kind.tells(there) && kind.tells(here) && !kind.alike(there, here)) {
        return Optional.of(new Difference(kind.phrase.apply(there), kind.value.apply(here)));
      }
    }
    return Optional.empty();
  }

  private boolean tells(String text) {
    return tolerance > 0 ? text.matches(NUMBER) : !text.isEmpty();
  }

  private boolean alike(String there, String here) {
    if (tolerance == 0) {
      return there.equals(here);
    }
    double one = Double.parseDouble(there);
    double other = Double.parseDouble(here);
    return Math.abs(one - other) <= tolerance * Math.max(one, other);
  }

  private static String cores(String text) {
    return number(text) + (number(text).equals("1") ? " core" : " cores");
  }

  private static String number(String text) {
    return new BigDecimal(text).stripTrailingZeros().toPlainString();
  }

  private static String mebibytes(String bytes) {
    return String.format(Locale.ROOT, "%,.0f MiB", Double.parseDouble(bytes) / (1 << 20));
  }
}
