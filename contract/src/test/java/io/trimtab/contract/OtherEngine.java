package io.trimtab.contract;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Another version of a database than the one of the build, of which the lab's nodes are to be; see
 * {@code ./trimtab test --engine}.
 */
public final class OtherEngine {
  private static final String HBASE_CLASSPATH = "trimtab.classpath";
  private static final String CASSANDRA_CLASSPATH = "trimtab.cassandra.classpath";
  private static final String CASSANDRA_JAVA = "trimtab.cassandra.java";

  /** The build's nodes write their logs by another library. */
  private static final Pattern LOGGING =
      Pattern.compile("/(slf4j-[a-z0-9]+|reload4j|log4j[-a-z0-9.]*)/[^/]*/[^/]*$");

  private OtherEngine() {}

  /** As Maven Central has it. */
  public static String version() {
    return System.getProperty("trimtab.engine.version");
  }

  /** What an engine's version begins with: without what stands behind a hyphen. */
  public static String release() {
    return version().replaceFirst("-.*", "");
  }

  private static String jars() throws IOException {
    return Files.readString(Path.of(System.getProperty("trimtab.engine.classpath"))).strip();
  }

  /**
   * From now on HBase's nodes have its jars instead of the build's, and all else as always. Names
   * of traces belong to it: 2.6.1 and 2.5.10 want classes that later versions of these have not.
   * Where it comes with a Hadoop of its own, all that this needs comes along, but for the log's.
   */
  public static void hbase() throws IOException {
    Predicate<String> hadoop = entry -> entry.contains("/org/apache/hadoop/");
    Predicate<String> own =
        entry -> entry.contains("/org/apache/hbase/") || entry.contains("/opentelemetry-semconv/");
    List<String> its = List.of(jars().split(":"));
    boolean withHadoop = its.stream().anyMatch(hadoop);
    Predicate<String> taken = withHadoop ? entry -> !LOGGING.matcher(entry).find() : own;
    Predicate<String> left = withHadoop ? own.or(hadoop).negate() : own.negate();
    String built = System.getProperty("java.class.path");
    System.setProperty(
        HBASE_CLASSPATH,
        Stream.concat(its.stream().filter(taken), Arrays.stream(built.split(":")).filter(left))
            .collect(Collectors.joining(":")));
  }

  /**
   * Of controllers and commands that a test starts: this test's own, whatever nodes have. A runner
   * that starts its JVM with a manifest only has put it into a property.
   */
  public static String ownClassPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  /** From now on Cassandra's nodes have its jars; those of 4 need a Java 11. */
  public static void cassandra() throws IOException {
    System.setProperty(CASSANDRA_CLASSPATH, jars());
    if (version().startsWith("4.")) {
      System.setProperty(CASSANDRA_JAVA, System.getenv("TRIMTAB_JAVA11"));
    }
  }

  /** Nodes are those of the build again. */
  public static void clear() {
    System.clearProperty(HBASE_CLASSPATH);
    System.clearProperty(CASSANDRA_CLASSPATH);
    System.clearProperty(CASSANDRA_JAVA);
  }
}
