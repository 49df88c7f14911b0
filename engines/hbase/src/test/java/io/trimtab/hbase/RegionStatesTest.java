package io.trimtab.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.trimtab.engineapi.snapshot.NodeGauges;
import io.trimtab.engineapi.snapshot.NodeUsage;
import io.trimtab.engineapi.snapshot.PartitionCounters;
import io.trimtab.engineapi.snapshot.PartitionState;
import io.trimtab.hbase.pages.RegionBeans;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetricsBuilder;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerMetricsBuilder;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

class RegionStatesTest {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final ServerName SERVER = ServerName.valueOf("a", 16020, 1);
  private static final RegionInfo REGION = RegionInfoBuilder.newBuilder(TABLE).build();

  private static TableDescriptor table(String name, int replicas) {
    return TableDescriptorBuilder.newBuilder(TableName.valueOf(name))
        .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
        .setRegionReplication(replicas)
        .build();
  }

  private static PartitionState region(
      Map<ServerName, RegionServerReader.MetricsSample> samples, List<String> gaps) {
    ClusterMetrics cluster =
        ClusterMetricsBuilder.newBuilder()
            .setLiveServerMetrics(Map.of(SERVER, ServerMetricsBuilder.of(SERVER)))
            .build();
    return RegionStates.of(
            cluster,
            List.of(table("t", 1)),
            List.of(new HRegionLocation(REGION, SERVER)),
            samples,
            gaps)
        .get(0);
  }

  private static Map<ServerName, RegionServerReader.MetricsSample> sample(String regions)
      throws IOException {
    return Map.of(
        SERVER,
        new RegionServerReader.MetricsSample(
            NodeGauges.UNKNOWN,
            NodeUsage.UNKNOWN,
            new RegionBeans(new JsonMapper().readTree(regions)),
            -1,
            false));
  }

  /** Zeros would make the next difference all requests since the region was opened. */
  @Test
  void aServerThatWasNotReadTellsNoCounters() {
    PartitionState region = region(Map.of(), new ArrayList<>());

    assertThat(region.node()).contains(Cluster.node(SERVER));
    assertThat(region.counters()).isEmpty();
  }

  @Test
  void aRegionThatItsServerDoesNotListHasNoCountersAndIsAGap() throws IOException {
    List<String> gaps = new ArrayList<>();

    assertThat(region(sample("{}"), gaps).counters()).isEmpty();
    assertThat(gaps).singleElement().asString().contains("is not yet among the counters of");
  }

  @Test
  void countersThatWereReadAreTold() throws IOException {
    List<String> gaps = new ArrayList<>();
    String metric =
        "{\"Namespace_default_table_t_region_%s_metric_getCount\": 7}"
            .formatted(REGION.getEncodedName());

    assertThat(region(sample(metric), gaps).counters()).contains(new PartitionCounters(7, 0, 0, 0));
    assertThat(gaps).isEmpty();
  }

  private static List<String> maintenance(CompactionState state) {
    RegionMetrics region = FakeAdmin.of(RegionMetrics.class, (proxy, called, a) -> state);
    return RegionStates.maintenance(
        FakeAdmin.of(
            ServerMetrics.class, (proxy, called, a) -> Map.of(REGION.getRegionName(), region)));
  }

  @Test
  void aMajorCompactionIsMaintenanceAndAMinorOneIsNot() {
    assertThat(maintenance(CompactionState.MAJOR)).containsExactly("major compaction of 1 region");
    assertThat(maintenance(CompactionState.MAJOR_AND_MINOR)).hasSize(1);
    assertThat(maintenance(CompactionState.MINOR)).isEmpty();
    assertThat(maintenance(CompactionState.NONE)).isEmpty();
  }

  @Test
  void groupsOfServersAreRefused() {
    assertThat(RegionStates.blockers(true))
        .containsExactly(
            "the RegionServers are in groups (RSGroups, table hbase:rsgroup), which Trimtab does"
                + " not support");
    assertThat(RegionStates.blockers(false)).isEmpty();
  }

  @Test
  void groupsAreRecognisedByTheMastersSettings() {
    assertThat(
            ClusterFacts.serverGroups(
                Map.of(
                    "hbase.coprocessor.master.classes",
                    "org.apache.hadoop.hbase.rsgroup.RSGroupAdminEndpoint")))
        .isTrue();
    assertThat(
            ClusterFacts.serverGroups(
                Map.of(
                    "hbase.master.loadbalancer.class",
                    "org.apache.hadoop.hbase.rsgroup.RSGroupBasedLoadBalancer")))
        .isTrue();
    assertThat(ClusterFacts.serverGroups(Map.of("hbase.rootdir", "hdfs://a/hbase"))).isFalse();
  }

  @Test
  void tablesWithRegionReplicasStayAsTheyAre() {
    assertThat(RegionStates.fixed(List.of(table("b", 3), table("a", 1))))
        .isEqualTo(
            Map.of(
                "b",
                "it has 3 replicas of each region (REGION_REPLICATION), which must not meet on a"
                    + " node"));
  }

  @Test
  void asManyNodesStayAsARegionHasReplicas() {
    assertThat(RegionStates.fewestNodes(List.of(table("b", 3), table("a", 1)), 2)).isEqualTo(3);
    assertThat(RegionStates.fewestNodes(List.of(table("b", 2)), 3)).isEqualTo(3);
    assertThat(RegionStates.fewestNodes(List.of(), 1)).isEqualTo(1);
  }
}
