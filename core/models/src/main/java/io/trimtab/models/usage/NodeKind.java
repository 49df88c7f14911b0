package io.trimtab.models.usage;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What a model's nodes are compared by with other nodes: a model predicts the usage of nodes of the
 * kind that it was measured on (Cruz 2016, ch. 5).
 */
public enum NodeKind {
  /** {@code hbase} or {@code cassandra}; a model has it besides its fingerprint. */
  ENGINE("engine", 0),
  VERSION("engineVersion", 0),
  /** Number of cores that the node may use. */
  CORES("cores", 0.01),
  /** Memory limit, page cache included, with a unit. */
  MEMORY("memory", 0),
  /** Bytes; a JVM's heap is a little smaller than what it was given. */
  HEAP("heapBytes", 0.1),
  /** Bytes of the block cache, or of Cassandra's row cache. */
  CACHE("cacheBytes", 0.1),
  PAGE_CACHE("pageCache", 0),
  /** Reads a second that may reach the disk; 0: any number. */
  DISK_READS("diskReadsPerSecond", 0.01),
  /** What its disk is, to follow "a disk that is": where it is, and what a read takes if known. */
  DISK("disk", 0),
  /** The processor's name. */
  CPU("cpu", 0);

  private static final String NUMBER = "[0-9]+([.][0-9]+)?(E[0-9]+)?";

  private final String key;
  private final double tolerance;

  /**
   * @param key in fingerprints
   * @param tolerance relative difference up to which two numbers are alike; 0 for words
   */
  NodeKind(String key, double tolerance) {
    this.key = key;
    this.tolerance = tolerance;
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
        return Optional.of(new Difference(kind.phrase(there), kind.value(here)));
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

  /** To follow "nodes with". */
  private String phrase(String text) {
    String value = value(text);
    return switch (this) {
      case ENGINE -> value;
      case VERSION -> "engine version " + value;
      case CORES -> value + (value.equals("1") ? " core" : " cores");
      case MEMORY -> value + " of memory";
      case HEAP -> value + " of heap";
      case CACHE -> value + " of cache";
      case PAGE_CACHE -> value + " of page cache";
      case DISK_READS ->
          number(text).equals("0") ? "unlimited disk reads" : number(text) + " disk reads a second";
      case DISK -> "a disk that is " + text;
      case CPU -> "the processor " + value;
    };
  }

  /** To follow "has" in the same sentence. */
  private String value(String text) {
    return switch (this) {
      case CORES -> number(text);
      case HEAP, CACHE -> mebibytes(text);
      case DISK_READS -> number(text).equals("0") ? "no such limit" : number(text) + " a second";
      case DISK -> "one that is " + text;
      case ENGINE, VERSION, MEMORY, PAGE_CACHE, CPU -> text;
    };
  }

  private static String number(String text) {
    return new BigDecimal(text).stripTrailingZeros().toPlainString();
  }

  private static String mebibytes(String bytes) {
    return String.format(Locale.ROOT, "%,.0f MiB", Double.parseDouble(bytes) / (1 << 20));
  }
}
