package io.trimtab.hbase;

import io.trimtab.engineapi.EngineException;
import io.trimtab.host.Interrupts;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What does not change while a cluster runs.
 *
 * @param clusterId HBase's own id of the cluster
 * @param version of HBase
 * @param replication copies that HDFS keeps of each block
 * @param nameNodes addresses of HDFS's information pages, {@code host:port}; empty where the data
 *     is not on HDFS
 * @param onHdfs whether the data is on HDFS at all
 * @param serverGroups whether the master is configured for groups of RegionServers
 */
record ClusterFacts(
    String clusterId,
    String version,
    int replication,
    List<String> nameNodes,
    boolean onHdfs,
    boolean serverGroups) {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterFacts.class);
  private static final List<String> SUPPORTED = List.of("2.4.", "2.5.", "2.6.");
  private static final String NAME_NODE = "dfs.namenode.http-address";

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
      if (SUPPORTED.stream().noneMatch(version::startsWith)) {
        throw new EngineException(
            servers + ": HBase " + version + " is not supported; 2.4 to 2.6 are");
      }
      return of(metrics.getClusterId(), version, cluster, masterSettings(cluster, metrics));
    } catch (IOException e) {
      throw HBaseErrors.failed(servers + ": the HBase master does not answer", e);
    }
  }

  private static Map<String, String> masterSettings(Cluster cluster, ClusterMetrics metrics)
      throws IOException {
    String page = metrics.getMasterName().getHostname() + ":" + metrics.getMasterInfoPort();
    try {
      return cluster.jmx().settings(page);
    } catch (IOException e) {
      if (Interrupts.in(e)) {
        throw e;
      }
      LOG.warn(
          "The master's settings can't be read, HDFS's defaults are assumed: {}", e.toString());
      return Map.of();
    }
  }

  private static ClusterFacts of(
      String clusterId, String version, Cluster cluster, Map<String, String> settings) {
    boolean onHdfs = settings.getOrDefault("hbase.rootdir", "hdfs:").startsWith("hdfs:");
    int replication = Integer.parseInt(settings.getOrDefault("dfs.replication", "3"));
    List<String> found =
        settings.entrySet().stream()
            .filter(e -> e.getKey().equals(NAME_NODE) || e.getKey().startsWith(NAME_NODE + "."))
            .map(Map.Entry::getValue)
            .filter(address -> !address.startsWith("0.0.0.0"))
            .sorted()
            .toList();
    List<String> nameNodes = cluster.target().nameNode().map(List::of).orElse(found);
    return new ClusterFacts(
        clusterId, version, onHdfs ? replication : 1, nameNodes, onHdfs, serverGroups(settings));
  }

  /** By the coprocessor or the balancer that HBase's reference guide names for it. */
  static boolean serverGroups(Map<String, String> masterSettings) {
    return masterSettings.getOrDefault("hbase.coprocessor.master.classes", "").contains(".rsgroup.")
        || masterSettings.getOrDefault("hbase.master.loadbalancer.class", "").contains(".rsgroup.");
  }
}
