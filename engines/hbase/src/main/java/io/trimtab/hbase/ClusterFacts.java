package io.trimtab.hbase;

import io.trimtab.engineapi.EngineException;
import io.trimtab.hbase.hdfs.NameNodePages;
import io.trimtab.hbase.hdfs.RootFolder;
import io.trimtab.hbase.tables.SplitRules;
import io.trimtab.host.Interrupts;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What does not change while a cluster runs, as far as it is known yet.
 *
 * @param clusterId HBase's own id of the cluster
 * @param version of HBase
 * @param replication copies that HDFS keeps of each block
 * @param nameNodes addresses of HDFS's information pages, {@code host:port}, with {@code http://}
 *     or {@code https://} where HBase's own pages are served otherwise; empty where the data is not
 *     on HDFS, or it is not known whose NameNodes have it
 * @param nameNodeGiven whether the user gave that address
 * @param onHdfs whether the data is on HDFS at all
 * @param serverGroups whether the master is configured for groups of RegionServers
 * @param splits where regions may be split
 * @param settingsRead whether the master told its settings; otherwise HDFS's defaults are assumed
 */
record ClusterFacts(
    String clusterId,
    String version,
    int replication,
    List<String> nameNodes,
    boolean nameNodeGiven,
    boolean onHdfs,
    boolean serverGroups,
    SplitRules splits,
    boolean settingsRead) {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterFacts.class);
  private static final List<String> SUPPORTED = List.of("2.4.", "2.5.", "2.6.");

  /** Schemes of file systems that keep copies by themselves, or none. */
  private static final Set<String> NOT_HDFS =
      Set.of(
          "file", "s3", "s3a", "s3n", "gs", "abfs", "abfss", "wasb", "wasbs", "adl", "oss", "obs",
          "cosn", "ofs", "o3fs", "maprfs", "swift");

  private static final EnumSet<Option> MASTER = EnumSet.of(Option.MASTER, Option.MASTER_INFO_PORT);

  /** Why clusters of a version are not driven; empty if they are. */
  static Optional<String> refusal(String version) {
    return SUPPORTED.stream().anyMatch(version::startsWith)
        ? Optional.empty()
        : Optional.of("HBase " + version + " is not supported; 2.4 to 2.6 are");
  }

  static ClusterFacts read(Cluster cluster) throws EngineException {
    String servers = cluster.target().zookeeper();
    try {
      ClusterMetrics metrics =
          cluster
              .admin()
              .getClusterMetrics(
                  EnumSet.of(
                      Option.CLUSTER_ID,
                      Option.HBASE_VERSION,
                      Option.MASTER,
                      Option.MASTER_INFO_PORT));
      String version = metrics.getHBaseVersion();
      Optional<String> refusal = refusal(version);
      if (refusal.isPresent()) {
        throw new EngineException(servers + ": " + refusal.get());
      }
      return of(
          metrics.getClusterId(),
          version,
          cluster.target().nameNode(),
          masterSettings(cluster, metrics));
    } catch (IOException e) {
      throw HBaseErrors.failed(servers + ": the HBase master does not answer", e);
    }
  }

  /**
   * The same, or with what the master tells now if it did not tell its settings before.
   *
   * @param cluster the cluster of these facts
   */
  ClusterFacts again(Cluster cluster) {
    return settingsRead
        ? this
        : again(
            cluster.target().nameNode(),
            () -> {
              try {
                return masterSettings(cluster, cluster.admin().getClusterMetrics(MASTER));
              } catch (IOException e) {
                // An interrupt is not lost: whoever goes on sees the thread's flag.
                LOG.debug("The master does not answer, interrupted: {}", Interrupts.in(e), e);
                return Optional.empty();
              }
            });
  }

  /** As {@link #again(Cluster)}. */
  ClusterFacts again(Optional<String> nameNode, Supplier<Optional<Map<String, String>>> settings) {
    return settingsRead ? this : of(clusterId, version, nameNode, settings.get());
  }

  private static Optional<Map<String, String>> masterSettings(
      Cluster cluster, ClusterMetrics metrics) throws IOException {
    if (metrics.getMasterName() == null) {
      return Optional.empty();
    }
    String page = metrics.getMasterName().getHostname() + ":" + metrics.getMasterInfoPort();
    try {
      return Optional.of(cluster.jmx().settings(page));
    } catch (IOException e) {
      if (Interrupts.in(e)) {
        throw e;
      }
      LOG.warn("The master's settings can't be read: {}", e.toString());
      return Optional.empty();
    }
  }

  /**
   * @param nameNode address that the user gave
   * @param read the master's settings; empty if they can't be read
   */
  static ClusterFacts of(
      String clusterId,
      String version,
      Optional<String> nameNode,
      Optional<Map<String, String>> read) {
    Map<String, String> settings = read.orElse(Map.of());
    boolean onHdfs = onHdfs(settings);
    int replication = Integer.parseInt(settings.getOrDefault("dfs.replication", "3"));
    return new ClusterFacts(
        clusterId,
        version,
        onHdfs ? replication : 1,
        nameNode.map(List::of).orElseGet(() -> NameNodePages.of(settings)),
        nameNode.isPresent(),
        onHdfs,
        serverGroups(settings),
        SplitRules.of(settings),
        read.isPresent());
  }

  /**
   * By the scheme of the root folder, or of what it is relative to. What is not known counts as
   * HDFS, since that may have other names (viewfs): then no node is stopped before copies were
   * checked, and who can't check them says so.
   */
  static boolean onHdfs(Map<String, String> masterSettings) {
    return !NOT_HDFS.contains(RootFolder.of(masterSettings).scheme());
  }

  /** By the coprocessor or the balancer that HBase's reference guide names for it. */
  static boolean serverGroups(Map<String, String> masterSettings) {
    return masterSettings.getOrDefault("hbase.coprocessor.master.classes", "").contains(".rsgroup.")
        || masterSettings.getOrDefault("hbase.master.loadbalancer.class", "").contains(".rsgroup.");
  }
}
