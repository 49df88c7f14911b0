package io.trimtab.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.trimtab.engineapi.EngineException;
import io.trimtab.engineapi.NodeId;
import io.trimtab.engineapi.PartitionId;
import io.trimtab.host.Clocks;
import io.trimtab.host.GivenLock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.junit.jupiter.api.Test;

/** A region with two replicas: the first on n1, the second on n2; a third is nowhere yet. */
class RegionReplicasTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final TableName TABLE = TableName.valueOf("t");
  private static final List<ServerName> SERVERS =
      List.of(ServerName.valueOf("n1,16020,1"), ServerName.valueOf("n2,16020,1"));
  private static final RegionInfo FIRST = replica(0);
  private static final HRegionLocation AT = new HRegionLocation(FIRST, SERVERS.get(0));
  private static final List<HRegionLocation> ALL =
      Arrays.asList(AT, new HRegionLocation(replica(1), SERVERS.get(1)), null);

  private final List<String> asked = new ArrayList<>();

  private static RegionInfo replica(int number) {
    return RegionInfoBuilder.newBuilder(TABLE).setRegionId(7).setReplicaId(number).build();
  }

  private static Object located(String called) {
    return switch (called) {
      case "getAllRegionLocations", "getRegionLocations" -> ALL;
      case "getRegionLocation" -> AT;
      default -> null;
    };
  }

  private Cluster cluster() {
    Admin admin =
        FakeAdmin.of(
            Admin.class,
            (proxy, called, a) -> {
              asked.add(called.getName());
              return called.getName().equals("getRegionServers") ? SERVERS : List.of();
            });
    return new Cluster(
        HBaseContact.of(Map.of("hbase.zookeeper.quorum", "zk")),
        Clocks.SYSTEM,
        FakeAdmin.of(
            Connection.class,
            (proxy, called, a) ->
                FakeAdmin.of(RegionLocator.class, (p, m, b) -> located(m.getName()))),
        admin,
        admin);
  }

  /** Otherwise its rows would count as often as it has replicas. */
  @Test
  void onlyTheFirstReplicaIsAPartition() throws Exception {
    assertThat(cluster().locations(TABLE)).containsExactly(AT);
  }

  @Test
  void aServerHasAReplicaOtherThanTheOneThatIsAskedFor() throws Exception {
    assertThat(cluster().hasReplica(FIRST, SERVERS.get(1))).isTrue();
    assertThat(cluster().hasReplica(FIRST, SERVERS.get(0))).isFalse();
  }

  @Test
  void noRegionMovesToTheNodeOfItsOtherReplica() {
    HBaseEngine engine = new HBaseEngine(cluster(), FakeAdmin.facts("2.6.4"), new GivenLock());
    PartitionId region = Cluster.partition(FIRST);

    assertThatThrownBy(() -> engine.move(region, new NodeId("n2:16020"), LIMIT))
        .isInstanceOf(EngineException.class)
        .hasMessageContaining("moving " + region + " to n2:16020: the node has another replica");
    assertThat(asked).doesNotContain("move", "coprocessorService");
  }
}
