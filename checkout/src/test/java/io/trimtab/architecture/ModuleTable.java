package io.trimtab.architecture;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What each module sees besides itself and the JDK: the table of ARCHITECTURE.md. */
final class ModuleTable {
  static final String ROOT = "io.trimtab.";
  private static final String JACKSON = "com.fasterxml.jackson..";
  private static final String SLF4J = "org.slf4j..";
  private static final String LOGBACK = "ch.qos.logback..";

  /** All of HBase's and Hadoop's packages, and the libraries that they bring along. */
  private static final String HADOOP = "org.apache..";

  /** The server for clients' reports. */
  private static final String NETTY = "io.netty..";

  private static final String HDR_HISTOGRAM = "org.HdrHistogram..";

  /** Cassandra's driver. */
  private static final String CQL = "com.datastax.oss.driver..";

  private static final String PICOCLI = "picocli..";

  /** The SDK of Amazon's APIs. */
  private static final String AWS = "software.amazon.awssdk..";

  /** The client of Kubernetes' API server. */
  private static final String KUBERNETES = "io.fabric8..";

  /** What coprocessors speak; HBase brings it along unshaded for them. */
  private static final String PROTOBUF = "com.google.protobuf..";

  static final Map<String, List<String>> MAY_SEE =
      new TreeMap<>(
          Map.ofEntries(
              entry("engineapi"),
              entry("config", JACKSON),
              entry("host", own("engineapi"), "dev.failsafe..", SLF4J),
              entry("controller", own("engineapi"), own("models")),
              entry("models", "org.hipparchus.."),
              entry("plugincore", "org.apache.datasketches.."),
              entry(
                  "formats",
                  own("engineapi"),
                  own("config"),
                  own("models"),
                  own("controller"),
                  JACKSON),
              entry(
                  "runtime",
                  own("controller"),
                  own("models"),
                  own("engineapi"),
                  own("config"),
                  own("formats"),
                  JACKSON,
                  SLF4J,
                  NETTY,
                  HDR_HISTOGRAM),
              entry("testkit", own("engineapi"), own("models"), "org.junit..", "org.assertj.."),
              entry("hbasewire", own("plugincore"), PROTOBUF),
              entry("hbaseplugin", own("hbasewire"), own("plugincore"), HADOOP, SLF4J, PROTOBUF),
              entry("hbasecounting", own("hbaseplugin"), HADOOP),
              entry(
                  "cassandraplugin",
                  own("plugincore"),
                  "org.apache.cassandra..",
                  // The type of Cassandra's own metrics.
                  "com.codahale.metrics..",
                  SLF4J),
              entry(
                  "hbase",
                  own("engineapi"),
                  own("host"),
                  own("hbasewire"),
                  HADOOP,
                  "org.apache.curator..",
                  PROTOBUF,
                  JACKSON,
                  SLF4J),
              entry("cassandra", own("engineapi"), own("host"), CQL, SLF4J),
              entry(
                  "providers",
                  own("engineapi"),
                  own("config"),
                  own("host"),
                  JACKSON,
                  SLF4J,
                  AWS,
                  KUBERNETES),
              entry("sources", own("engineapi"), own("config"), own("host"), JACKSON, SLF4J),
              entry(
                  "clikit",
                  own("engineapi"),
                  own("config"),
                  own("sources"),
                  JACKSON,
                  SLF4J,
                  PICOCLI),
              entry(
                  "cli",
                  own("clikit"),
                  own("engineapi"),
                  own("config"),
                  own("models"),
                  own("plugincore"),
                  own("controller"),
                  own("formats"),
                  own("runtime"),
                  own("sources"),
                  own("hbase"),
                  own("hbasewire"),
                  own("cassandra"),
                  own("host"),
                  own("providers"),
                  JACKSON,
                  SLF4J,
                  PICOCLI,
                  LOGBACK),
              entry(
                  "workload",
                  own("config"),
                  own("clikit"),
                  own("engineapi"),
                  HADOOP,
                  CQL,
                  JACKSON,
                  SLF4J,
                  PICOCLI,
                  "site.ycsb..",
                  HDR_HISTOGRAM),
              entry(
                  "lab",
                  own("engineapi"),
                  own("config"),
                  own("clikit"),
                  own("models"),
                  own("hbase"),
                  own("cassandra"),
                  own("host"),
                  own("plugincore"),
                  own("workload"),
                  HADOOP,
                  JACKSON,
                  SLF4J,
                  PICOCLI),
              entry(
                  "simulator",
                  own("engineapi"),
                  own("config"),
                  own("models"),
                  own("controller"),
                  own("runtime"),
                  own("formats"),
                  own("testkit"),
                  own("clikit"),
                  own("plugincore"),
                  JACKSON,
                  HDR_HISTOGRAM,
                  PICOCLI),
              entry(
                  "calibrate",
                  own("engineapi"),
                  own("config"),
                  own("clikit"),
                  own("formats"),
                  own("models"),
                  own("cassandra"),
                  own("workload"),
                  own("lab"),
                  JACKSON,
                  SLF4J,
                  PICOCLI),
              entry(
                  "experiments",
                  own("engineapi"),
                  own("config"),
                  own("clikit"),
                  own("formats"),
                  own("models"),
                  own("plugincore"),
                  own("controller"),
                  own("runtime"),
                  own("hbase"),
                  own("cassandra"),
                  own("workload"),
                  own("lab"),
                  own("calibrate"),
                  own("simulator"),
                  "org.hipparchus..",
                  HADOOP,
                  JACKSON,
                  SLF4J,
                  PICOCLI,
                  HDR_HISTOGRAM,
                  "org.hipparchus..",
                  "org.knowm.xchart..")));

  private ModuleTable() {}

  private static Map.Entry<String, List<String>> entry(String module, String... sees) {
    return Map.entry(module, List.of(sees));
  }

  static String own(String module) {
    return ROOT + module + "..";
  }
}
